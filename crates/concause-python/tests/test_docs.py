"""The examples in docstrings and on pages are run."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import concause
import pytest

ROOT = Path(__file__).parents[3]
MODULES = ["concause", *(f"concause.{module.name}" for module in pkgutil.iter_modules(concause.__path__))]
PAGES = ["README.md", "docs/python.md", "crates/concause-python/README.md"]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_most_functions_have_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    for function in (concause.mine, concause.explain, concause.test, concause.encode, concause.compare, concause.simulate,
                     concause.evaluate):
        assert any(test.examples for test in finder.find(function)), function


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_a_page(name):
    failed, tried = doctest.testfile(str(ROOT / name), module_relative=False, parser=Blocks())
    assert failed == 0 and tried > 0


class Blocks(doctest.DocTestParser):
    """Finds examples in blocks of Python only. Other blocks and prose are not parsed."""

    def parse(self, string, name="<string>"):
        kept, inside = [], False
        for line in string.splitlines():
            if line.startswith("```"):
                inside = line == "```pycon"
                line = ""
            kept.append(line if inside else "")
        return super().parse("\n".join(kept) + "\n", name)
