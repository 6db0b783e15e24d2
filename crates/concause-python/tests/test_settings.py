"""The settings of the functions are the flags of the command."""

import inspect
import os
import re
import textwrap
from pathlib import Path

import concause
import pytest
from concause import _native, _settings

FUNCTIONS = {
    "encode": {"target"},
    "mine": {"target"},
    "explain": {"target", "x"},
    "test": {"target", "x", "given", "queries"},
    "compare": {"target", "methods"},
    "simulate": set(),
}
TYPES = {
    "P": "float",
    "SHARE": "float",
    "N": "int",
    "K": "int",
    "LEVEL": "int",
    "FILE": "Path",
    "TIME": "float | str | timedelta",
    "SIZE": "int | str",
}


def settings_of(function: str) -> dict[str, tuple[str, str]]:
    """The type and the help of every setting that is not a separate argument."""
    found = {}
    described = _native.settings(function)
    names = {name for name, *_ in described}
    for name, _heading, form, value, help in described:
        negates = name.startswith("no_") and name[3:] in names
        if name in FUNCTIONS[function] or negates:
            continue
        kind = TYPES.get(value, "str")
        if form == "flag":
            kind = "bool"
        elif form == "list":
            kind = "Mapping[str, object]" if value == "NAME=VALUE" else "str | Sequence[str]"
        found[name] = (kind, help)
    return found


def written() -> str:
    page = [
        '"""The settings of each function, generated from their definitions; UPDATE_SNAPSHOTS=1 pytest updates this file."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping, Sequence",
        "from datetime import timedelta",
        "from typing import TypedDict",
        "",
        "from ._data import Path",
    ]
    shared = settings_of("encode")
    for function in FUNCTIONS:
        own = settings_of(function)
        base = "TypedDict, total=False"
        if function not in ("encode", "simulate"):
            assert shared.items() <= own.items()
            own = {name: setting for name, setting in own.items() if name not in shared}
            base = "EncodeSettings, total=False"
        page += ["", "", f"class {function.title()}Settings({base}):", f'    """The settings of :func:`concause.{function}`."""']
        for name, (kind, help) in own.items():
            text = textwrap.fill(help, 118, initial_indent='    """', subsequent_indent="    ")
            page += ["", f"    {name}: {kind}", text + '"""']
    return "\n".join(page) + "\n"


def test_every_flag_is_a_setting_with_its_help():
    path = Path(__file__).parents[1] / "python" / "concause" / "_settings.py"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(written())
    assert path.read_text() == written(), "the flags have changed: renew _settings.py with UPDATE_SNAPSHOTS=1 pytest"


#: Flags that say where output goes, and how: methods of results do this.
OF_OUTPUT = {
    "mine": {"verbose"},
    "encode": {"declaration", "table"},
    # seed is a separate argument, and a call generates one table.
    "simulate": {"force", "list", "seed", "seeds"},
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_command_and_the_functions_have_the_same_settings(command, function):
    flags = re.findall(r"^ {2,6}(?:-\w, )?--([a-z][a-z0-9-]*)", command(function, "--help"), re.M)
    names = {flag.replace("-", "_") for flag in flags} - {"format", "help", "output", "quiet"} - OF_OUTPUT.get(function, set())
    shown = set(inspect.signature(getattr(concause, function)).parameters)
    # header=False is --no-header.
    assert names - {"no_header"} == shown - {"data", "progress", "recipe"} - ({"seed"} if function == "simulate" else set())


def test_signatures_show_the_settings():
    for function in FUNCTIONS:
        shown = inspect.signature(getattr(concause, function)).parameters
        assert set(settings_of(function)) <= set(shown), function


DATA = {"a": [0, 1] * 30, "b": [0, 1, 1] * 20, "t": [0, 0, 1, 1] * 15}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"alpha": 2}, 'alpha: invalid value "2"; must be a number between 0 and 1, both excluded'),
        ({"method": "none"}, 'method: invalid value "none"; choose one of '),
        ({"max_level": 0}, "max_level must be at least 1"),
        ({"negate": 1}, "negate must be True or False, not 1"),
        ({"bands": 3, "drop_continuous": True}, "drop_continuous: cannot be used with bands"),
        ({"threads": 5000}, "threads must be at most 4096, but is 5000"),
        ({"forbid": "c"}, 'forbid: there is no column "c"'),
    ],
)
def test_invalid_settings_give_one_line(settings, sentence):
    with pytest.raises(concause.InputError) as caught:
        concause.mine(DATA, "t", **settings)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_unknown_settings_give_the_nearest_name():
    with pytest.raises(concause.SettingError, match='there is no setting "max_j"; did you mean "max_k"') as caught:
        concause.mine(DATA, "t", max_j=3)
    assert isinstance(caught.value, TypeError)


def test_settings_reach_the_search():
    import datetime

    result = concause.mine(
        DATA, "t", method="mh-pc-f", alpha=0.1, max_k=2, negate=True, time_limit=datetime.timedelta(minutes=1),
        max_memory="1G", forbid=["b"], header=None,
    )
    settings = result.settings
    assert (settings.method, settings.alpha, settings.max_k) == ("mh-pc-f", 0.1, 2)
    assert settings.knowledge.forbidden == ["b", "b=0"]
    assert result.data.columns == 4


def test_header_false_reads_the_first_line_as_data(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("\n".join(["1,0,1", "0,1,0"] * 20))
    result = concause.mine(path, "V3", header=False, delimiter=",")
    assert result.data.rows == 40
    assert result.command[3:] == ["--target", "V3", "--delimiter", ",", "--no-header"]
