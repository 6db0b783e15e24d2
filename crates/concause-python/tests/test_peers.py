"""The comparison with other programs, experiments/peers.py: scores, rules, and what is left out."""

import csv
import importlib.util
import sys

import pytest

from conftest import ROOT


@pytest.fixture
def peers(monkeypatch):
    found = importlib.util.spec_from_file_location("peers", ROOT / "experiments/peers.py")
    module = importlib.util.module_from_spec(found)
    # Data classes look their module up.
    monkeypatch.setitem(sys.modules, "peers", module)
    found.loader.exec_module(module)
    return module


def causes(text):
    return [cause.split("&") for cause in text.split()]


#: As in the unit tests of crates/concause/src/simulate/score.rs: the causes found, the true ones, the nominal
#: attributes, and the numbers of hits, causes found and true causes among combined and among single causes.
SCORES = [
    ("", "", "", (0, 0, 0), (0, 0, 0)),
    ("", "a b&c", "", (0, 0, 1), (0, 0, 1)),
    ("a b&c", "", "", (0, 1, 0), (0, 1, 0)),
    ("c&b b&c a a&a d&e", "a b&c e&f", "", (1, 2, 2), (1, 1, 1)),
    ("a&b !a&!b c !d e&f", "a&b !c d e&!f", "", (2, 2, 2), (2, 2, 2)),
    ("b c", "b&c", "", (0, 0, 1), (0, 2, 0)),
    ("V12=x&V1=y V1=z&!V12=x V12=x", "V1=a&V12=b", "V1 V12", (1, 1, 1), (0, 1, 0)),
    ("V1=a&V1=b", "V1", "V1", (0, 0, 0), (1, 1, 1)),
    ("V1=y", "V1=y V1=z", "", (0, 0, 0), (1, 1, 2)),
]


@pytest.mark.parametrize("found, truth, nominal, combined, single", SCORES)
def test_scores_are_those_of_the_library(peers, found, truth, nominal, combined, single):
    known = {"causes": causes(truth), "nominal": nominal.split(), "numeric": []}
    assert peers.score(causes(found), known) == (peers.Rates(*combined), peers.Rates(*single))


def test_rates_of_nothing(peers):
    def measures(*numbers):
        rates = peers.Rates(*numbers)
        return rates.precision, rates.recall, rates.f1

    assert measures(0, 0, 0) == (1, 1, 1)
    assert measures(0, 0, 2) == measures(0, 2, 0) == (0, 0, 0)
    assert measures(1, 2, 4) == (1 / 2, 1 / 4, 1 / 3)


def test_rules_are_parsed(peers):
    assert peers.parse_rule("V1=red == 1") == ["V1=red"]
    assert peers.parse_rule("V1 == 0 AND V2=a b == 1 AND V3 == 0") == ["!V1", "V2=a b", "!V3"]
    # The conjunction of no literals is always true and names no cause.
    assert peers.parse_rule("") == []
    assert peers.column_sets([[]], []) == set()
    for unknown in ["V1 <= 1", "V1 == 2"]:
        with pytest.raises(ValueError, match="not understood"):
            peers.parse_rule(unknown)


def test_lines_of_r_are_parsed(peers):
    columns = ["V1", "V2=a", "V2=b"]
    assert peers.parse_numbers("3&!1\n", columns) == ["V2=b", "!V1"]
    for wrong in ["0", "4", "!", "", "1&x"]:
        with pytest.raises(ValueError):
            peers.parse_numbers(wrong, columns)


def test_attributes_are_encoded(peers):
    rows = [{"V1": "red", "V2": "no", "T": "1"}, {"V1": "blue", "V2": "yes", "T": "0"}]
    encoded = peers.encode(rows, ["V1"])
    assert encoded == {"V1=blue": [0, 1], "V1=red": [1, 0], "V2": [0, 1], "T": [1, 0]}


def test_missing_programs_are_named(peers, monkeypatch):
    monkeypatch.setitem(sys.modules, "aix360", None)
    with pytest.raises(peers.PeerMissing, match="BRCG and LogRR are left out, because aix360 cannot be imported"):
        peers.aix360_methods()
    monkeypatch.setenv("PATH", "")
    for method, name in [(peers.logic_dt, "logicDT"), (peers.logic_reg, "LogicReg")]:
        with pytest.raises(peers.PeerMissing, match=f"{name} is left out, because R is not installed"):
            method()


def test_better_methods_are_listed(peers):
    def line(method, combined, single):
        measures = {peers.SHOWN[0]: combined, peers.SHOWN[1]: single, "exactly right": 0.0}
        return peers.Line("hubin-1", 1000, method, {}, measures)

    means, combined, single = peers.list_findings([line("joint", 0.5, 1.0), line("other", 0.75, 1.0)])
    assert "joint 0.50, 1.00 and 0.00; other 0.75, 1.00 and 0.00" in means
    assert combined.endswith("than joint: other on `hubin-1` (0.75, joint 0.50).")
    assert single.endswith("than joint: none.")


def fake_methods(peers):
    """A method whose second setting finds the single cause of MONK-1 and a wrong pair, and one that fails."""

    def find(table, setting):
        assert len(table.columns["T"]) == 432 and set(table.columns["T"]) == {0, 1}
        first = next(column for column in table.columns if column.partition("=")[0] in table.truth["nominal"])
        right = table.truth["causes"][0]
        return [right, [first, "T"]] if setting else []

    def fail(table, setting):
        raise RuntimeError("no solution")

    half = peers.Method("half", "it is half right.", find, ({}, {"cost": 1.0}))
    return [half, peers.Method("broken", "it fails.", fail)]


def test_the_page_has_every_method_and_what_is_left_out(peers, monkeypatch, program, tmp_path, capsys):
    def missing():
        raise peers.PeerMissing("LogicReg is left out, because this is a test")

    monkeypatch.setattr(peers, "aix360_methods", lambda: fake_methods(peers))
    monkeypatch.setattr(peers, "logic_dt", lambda: [])
    monkeypatch.setattr(peers, "logic_reg", missing)
    peers.main(["--concause", program, "--seeds", "2", "--recipes", "monk-1", "--output", str(tmp_path)])
    assert "peers: LogicReg is left out, because this is a test.\n" in capsys.readouterr().err
    page = (tmp_path / "peers.md").read_text(encoding="utf-8")
    assert "- LogicReg is left out, because this is a test.\n" in page
    assert "- broken failed in 2 runs on `monk-1`, first with RuntimeError.\n" in page
    assert "| `monk-1` | 432 | joint | 1.00 | 1.00 | 0.00 | 0.00 | 1.00 |" in page
    assert "| `monk-1` | 432 | half | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 |" in page
    assert "| `monk-1` | 432 | half, best of 2 settings | 0.00 | 1.00 | 1.00 | 0.00 | 0.00 |" in page
    assert "| `monk-1` | 432 | broken | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 |" in page
    assert max(len(line) for line in page.splitlines() if not line.startswith("|")) <= 120
    with open(tmp_path / "peers.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["setting"] for line in lines] == ["", "", "cost=1", ""]
    assert lines[2]["precision of combined causes"] == "0.0000" and lines[2]["recall of single causes"] == "1.0000"


def test_another_score_than_that_of_the_command_ends_the_run(peers, monkeypatch, program, tmp_path):
    for name in ["aix360_methods", "logic_dt", "logic_reg"]:
        monkeypatch.setattr(peers, name, lambda: [])
    monkeypatch.setattr(peers, "score", lambda found, truth: (peers.Rates(1, 1, 1), peers.Rates(0, 0, 1)))
    with pytest.raises(AssertionError, match="are not those of concause evaluate"):
        peers.main(["--concause", program, "--seeds", "1", "--recipes", "monk-1", "--output", str(tmp_path)])


def test_the_committed_page_belongs_to_its_table(peers):
    """The numbers of the page are those of the CSV file."""
    page = (ROOT / "docs/experiments/peers.md").read_text(encoding="utf-8")
    with open(ROOT / "docs/experiments/peers.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    shown = [line for line in page.splitlines() if line.startswith("| `")]
    assert len(shown) == len(lines) >= len(peers.RECIPES)
    for row, line in zip(shown, lines):
        recipe, rows, method, *numbers = row.strip("| ").split(" | ")
        assert [recipe, rows, method] == [f"`{line['recipe']}`", line["rows"], line["method"]]
        # The page has two digits and the file four.
        expected = [float(line[name]) for name in peers.SHOWN]
        assert [float(number) for number in numbers] == pytest.approx(expected, abs=0.0051)
