"""Results conform to the published schema of the JSON."""

import json

import concause
import jsonschema
import pytest

from conftest import ROOT

REPORT = ROOT / "crates/concause-report"
SCHEMA = json.loads((REPORT / "schema/concause-1.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def errors(document):
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(document)]


def test_the_schema_is_valid():
    VALIDATOR.check_schema(SCHEMA)


def test_a_field_that_the_schema_does_not_name_is_an_error(fire):
    strange = json.loads(concause.mine(fire, "fire").to_json())
    strange["causes"][0]["surprise"] = 1
    assert errors(strange)


@pytest.mark.parametrize("name", ["hostile", "trusted", "empty", "incomplete"])
def test_samples_conform_to_the_schema(name):
    assert errors(json.loads((REPORT / f"tests/snapshots/{name}.json").read_text())) == []


def test_the_example_on_the_page_conforms_to_the_schema():
    page = (ROOT / "docs/json.md").read_text()
    blocks = [block.split("```")[0] for block in page.split("```json\n")[1:]]
    [example] = [block for block in blocks if block.startswith('{\n  "schema"')]
    assert errors(json.loads(example)) == []


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"method": "mh-pc-f", "stability": 5, "calibrate": 3, "fdr": "bh"},
        {"method": "naive-h", "holdout": 0.3},
        {"method": "cr-pa", "forbid": ["wind"]},
        {"preset": "paper", "test": "exact", "covariates": "weekend", "require": "wind"},
        {"max_level": 1, "ignore": ["lightning"]},
    ],
)
def test_results_conform_to_the_schema(fire, settings):
    assert errors(json.loads(concause.mine(fire, "fire", **settings).to_json())) == []
