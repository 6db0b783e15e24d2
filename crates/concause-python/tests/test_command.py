"""The package gives the same results as the command."""

import json
import re

import concause
import pytest

from conftest import untimed

SETTINGS = [
    {},
    {"method": "mh-pc-f", "max_k": 2, "alpha": 0.01, "stability": 5, "calibrate": 3, "seed": 7},
    {"preset": "paper", "negate": True, "forbid": ["wind"], "covariates": "weekend"},
    {"method": "mh-pc-f", "ignore": ["weekend", "wind"]},
]


def flags(settings):
    words = []
    for name, value in settings.items():
        flag = "--" + name.replace("_", "-")
        for member in value if isinstance(value, list) else [value]:
            words += [flag] if member is True else [flag, str(member)]
    return words


@pytest.mark.parametrize("settings", SETTINGS)
def test_mine_equals_the_json_of_the_command(command, fire, settings):
    expected = command("mine", fire, "--target", "fire", "--format", "json", *flags(settings))
    result = concause.mine(fire, "fire", **settings)
    assert untimed(result.to_json()) == untimed(expected)
    assert without_seconds(result.to_json()) == without_seconds(expected)


def without_seconds(text):
    return re.sub(r'_seconds": [0-9.e-]+', '_seconds": ', text)


def test_all_formats_are_those_of_the_command(command, fire):
    result = concause.mine(fire, "fire")
    for form, told in [("csv", result.to_csv()), ("markdown", result.to_markdown()), ("table", repr(result) + "\n")]:
        assert re.sub(r"[0-9.]+ s\b", "", told) == re.sub(
            r"[0-9.]+ s\b", "", command("mine", fire, "--target", "fire", "--format", form)
        )


def test_explain_gives_the_sentences_of_the_command(command, fire):
    names = ["dry_brush", "thunder_heard", "wind&burning_stub"]
    words = [word for name in names for word in ("--x", name)]
    told = command("explain", fire, "--target", "fire", *words).splitlines()
    assert [str(one) for one in concause.explain(fire, "fire", names)] == told
    assert [str(one) for one in concause.mine(fire, "fire").explain(names)] == told
    written = command("explain", fire, "--target", "fire", *words, "--format", "json").splitlines()
    explained = concause.explain(fire, "fire", names)
    assert [one.to_dict() for one in explained] == [
        {"sentence": sentence, **json.loads(line)} for sentence, line in zip(told, written)
    ]


def test_test_gives_the_results_of_the_command(command, fire, tmp_path):
    words = ["test", fire, "--target", "fire", "--x", "wind&weekend", "--given", "lightning,dry_brush"]
    answer = concause.test(fire, "fire", "wind&weekend", given=["lightning", "dry_brush"])
    assert answer.to_dict() == json.loads(command(*words, "--format", "json"))
    assert f"{answer}\n" == command(*words)
    queries = tmp_path / "queries.csv"
    queries.write_text("x,given,within,test\nwind,,,\nlightning,thunder_heard,wind,x2\n")
    told = command("test", fire, "--target", "fire", "--queries", str(queries)).splitlines()
    answers = concause.test(fire, "fire", queries=queries)
    assert [one.to_dict() for one in answers] == [json.loads(line) for line in told]


def test_encode_gives_the_legend_the_table_and_the_declaration_of_the_command(command, fire, tmp_path):
    legend = command(
        "encode", fire, "--target", "fire", "--format", "json",
        "--table", str(tmp_path / "t.csv"), "--declaration", str(tmp_path / "d.toml"),
    )
    encoding = concause.encode(fire, "fire")
    assert encoding.legend.to_dict() == json.loads(legend)
    assert encoding.to_csv() == (tmp_path / "t.csv").read_text()
    assert encoding.declaration() == (tmp_path / "d.toml").read_text()


def test_compare_gives_the_table_of_the_command(command, fire):
    words = ["compare", fire, "--target", "fire", "--methods", "mh-pc-f,cr-pa"]
    comparison = concause.compare(fire, "fire", ["mh-pc-f", "cr-pa"])
    assert comparison.to_csv() == command(*words, "--format", "csv")
    assert [method["method"] for method in comparison.methods] == ["mh-pc-f", "cr-pa"]


def test_simulate_and_evaluate_equal_the_command(command, tmp_path):
    made = tmp_path / "made"
    command("simulate", "weak", "--seed", "3", "--rows", "2000", "--set", "coefficients=0.5..0.9", "-o", str(made))
    simulated = concause.simulate("weak", seed=3, rows=2000, set={"coefficients": "0.5..0.9"})
    assert simulated.to_csv() == (made / "data.csv").read_text()
    assert simulated.truth == json.loads((made / "truth.json").read_text())
    found = tmp_path / "found.json"
    result = concause.mine(made / "data.csv", "T", method="mh-pc-f")
    result.to_json(found)
    scores = json.loads(command("evaluate", str(found), str(made / "truth.json"), "--format", "json"))
    assert concause.evaluate(found, made / "truth.json").to_dict() == scores
    objects = concause.evaluate(result, simulated)
    assert objects.pairs[0].all.to_dict() == scores["pairs"][0]["all"]
    assert concause.evaluate([result] * 2, [simulated.truth] * 2).summary.pairs == 2
