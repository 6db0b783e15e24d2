"""docs/python-api.md is generated from the docstrings and the settings."""

import importlib
import inspect
import os
import re
from pathlib import Path

import concause

from test_settings import settings_of

PAGE = Path(__file__).parents[3] / "docs" / "python-api.md"
FUNCTIONS = ["mine", "explain", "test", "encode", "compare", "simulate", "evaluate"]
CLASSES = [
    "Result", "Cause", "Explanation", "TestResult", "Encoding", "Comparison", "Evaluation", "Simulated", "Picture", "CauseMiner",
    "CauseClassifier",
]
ENGINES = ["spark", "dask"]
ERRORS = ["ConcauseError", "InputError", "NoColumnsError", "SettingError", "RunError", "MissingPackageError"]


def markdown(docstring: str) -> str:
    """A docstring as Markdown, with its examples as blocks."""
    text = re.sub(r":\w+:`([^`]+)`", r"`\1`", inspect.cleandoc(docstring)).replace("``", "`")
    text = re.sub(r"^(\w+)\n-+\n", r"\1:\n\n", text, flags=re.M)
    text = re.sub(r"^(\w+(?:, \w+)*) : ((?:.+\n?)(?:^    .+\n?)*)", lambda found: f"- `{found[1]}`: {found[2]}", text, flags=re.M)
    return re.sub(r"(?:^>>> .*\n?(?:^.+\n?)*)+", lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text, flags=re.M).rstrip()


def signature(function, name: str) -> str:
    """The arguments of a function without its settings."""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in inspect.signature(inspect.unwrap(function)).parameters.values()
    ]
    hidden = set(settings_of(name)) if name in ("mine", "explain", "test", "encode", "compare", "simulate") else set()
    shown = [parameter for parameter in parameters if parameter.name not in hidden and parameter.name != "self"]
    text = str(inspect.Signature(shown))
    return text[:-1] + ", **settings)" if hidden else text


def settings(names: dict[str, tuple[str, str]]) -> list[str]:
    rows = [f"| `{name}` | `{kind.replace('|', chr(92) + '|')}` | {help.replace('|', chr(92) + '|')} |" for name, (kind, help) in names.items()]
    return ["| setting | type | |", "| --- | --- | --- |", *rows]


def methods(cls: type) -> list[str]:
    """The public members of a class of the package, including those inherited within the package."""
    listed = []
    for name, member in inspect.getmembers(cls):
        owner = next((base for base in cls.__mro__ if name in vars(base)), None)
        if name.startswith("_") or owner is None or not owner.__module__.startswith("concause") or not member.__doc__:
            continue
        call = "" if isinstance(member, property) else signature(member, "")
        text = " ".join(markdown(member.__doc__).split("```pycon")[0].split())
        listed.append(f"- **`{name}{call}`**: {text}")
    return listed


def written() -> str:
    page = [
        "# The Python package, function by function",
        "",
        "This page is generated from the package (`UPDATE_SNAPSHOTS=1 crates/concause-python/test` updates it). See [the guide](python.md) for how to use it.",
    ]
    shared = settings_of("encode")
    for name in FUNCTIONS:
        function = getattr(concause, name)
        page += ["", f"## `concause.{name}`", "", f"`{name}{signature(function, name)}`", "", markdown(function.__doc__)]
        if name in ("encode", "evaluate"):
            continue
        own = {setting: about for setting, about in settings_of(name).items() if setting not in shared}
        if name in ("explain", "compare"):
            assert own.items() <= settings_of("mine").items()
            names = ", ".join(f"`{setting}`" for setting in own)
            page += ["", f"Settings: those for [reading and encoding](#reading-and-encoding), and of [`mine`](#concausemine) {names}."]
            continue
        if name != "simulate":
            page += ["", "Settings, in addition to those for [reading and encoding](#reading-and-encoding):"]
        page += ["", *settings(own)]
    page += ["", "## Reading and encoding", "", "The settings of all functions with a data argument.", "", *settings(shared)]
    for name in ENGINES:
        function = importlib.import_module(f"concause.{name}").mine
        page += ["", f"## `concause.{name}.mine`", "", f"`mine{signature(function, 'mine')}`", "", markdown(function.__doc__)]
    for name in CLASSES:
        cls = getattr(concause, name)
        page += ["", f"## `concause.{name}`", "", markdown(cls.__doc__)]
        listed = methods(cls)
        page += ["", *listed] if listed else []
    page += ["", "## Exceptions", ""]
    for name in ERRORS:
        cls = getattr(concause, name)
        bases = ", ".join(f"`{base.__name__}`" for base in cls.__bases__)
        page.append(f"- **`{name}`** (also {bases}): {markdown(cls.__doc__)}")
    return "\n".join(page) + "\n"


def test_the_reference_is_generated_from_the_package():
    if os.environ.get("UPDATE_SNAPSHOTS"):
        PAGE.write_text(written())
    assert PAGE.read_text() == written(), "renew docs/python-api.md with UPDATE_SNAPSHOTS=1"


def test_everything_public_is_in_the_reference():
    listed = {*FUNCTIONS, *CLASSES, *ERRORS, "__version__"}
    assert listed == set(concause.__all__)
    for name in concause.__all__:
        assert name == "__version__" or getattr(concause, name).__doc__, name
