"""Compares concause with other programs that find conjunctions of columns, on data with known causes.

    cargo build --release
    python -m venv /tmp/peers && /tmp/peers/bin/pip install 'aix360[rbm]' ecos
    /tmp/peers/bin/python experiments/peers.py

writes docs/experiments/peers.md and peers.csv. `concause simulate` generates the data and `concause mine` searches
them. The other programs run if they are installed: BRCG and logistic rule regression of aix360 in this interpreter,
logicDT and LogicReg through Rscript (peers.R). One that is not installed is left out, with a sentence on standard
error and on the page. Each program uses one thread; the whole takes about 40 minutes. `--recipes monk-1 --seeds 1`
takes seconds. crates/concause-python/tests/test_peers.py tests the scores and the reading of rules.
"""

import argparse
import csv
import datetime
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FIRST_SEED = 10001
#: A conjunction: names of columns, with `!` before the negated ones.
Cause = list[str]
#: Arguments of a method. A maximum number of literals of `LEVEL` is the level of the recipe.
Setting = dict[str, float]
LEVEL = -1

#: The recipes, each with the level of the search: the number of columns in the largest true cause, at least 2.
RECIPES = {
    "monk-1": 2, "monk-3": 2, "multiplexer-6": 3, "tic-tac-toe": 3, "logic-forest": 2, "shuffled": 2, "logistic": 2,
    "sufficient": 2, "shared-logistic": 2, "shared-sufficient": 2, "nested-sufficient": 2, "negation-sufficient": 2,
    "singles-logistic": 2, "hegel": 2, "hubin-3": 4, "hubin-1": 2,
}  # fmt: skip


class PeerMissing(Exception):
    """A program that is not installed; the message is a sentence without its full stop."""


@dataclass(frozen=True)
class Rates:
    """Numbers of causes found, of true causes, and of both, as in crates/concause/src/simulate/score.rs."""

    hits: int
    found: int
    truth: int

    def _share(self, total: int) -> float:
        if self.found + self.truth == 0:
            return 1.0
        return self.hits / total if total else 0.0

    @property
    def precision(self) -> float:
        return self._share(self.found)

    @property
    def recall(self) -> float:
        return self._share(self.truth)

    @property
    def f1(self) -> float:
        return 2 * self.hits / (self.found + self.truth) if self.found + self.truth else 1.0


def column_sets(causes: Iterable[Cause], nominal: Iterable[str]) -> set[frozenset[str]]:
    """The sets of columns of the causes without negations. A column of a nominal attribute counts as the attribute."""
    attributes = set(nominal)

    def column(literal: str) -> str:
        name = literal.removeprefix("!")
        attribute = name.partition("=")[0]
        return attribute if attribute in attributes else name

    return {frozenset(map(column, cause)) for cause in causes if cause}


def score(found: Iterable[Cause], truth: dict[str, Any]) -> tuple[Rates, Rates]:
    """The rates of combined and of single causes."""
    assert not truth["numeric"], "ranges of numbers are not supported"
    sets, true_sets = column_sets(found, truth["nominal"]), column_sets(truth["causes"], truth["nominal"])

    def rates(is_combined: bool) -> Rates:
        own = {cause for cause in sets if (len(cause) > 1) == is_combined}
        true = {cause for cause in true_sets if (len(cause) > 1) == is_combined}
        return Rates(len(own & true), len(own), len(true))

    return rates(True), rates(False)


@dataclass
class Table:
    """A simulated table: its folder, its true causes, and its columns of 0 and 1, the target last."""

    folder: Path
    truth: dict[str, Any]
    columns: dict[str, list[int]]
    level: int
    seed: int


def encode(rows: Sequence[dict[str, str]], nominal: Iterable[str]) -> dict[str, list[int]]:
    """One column for each value of a nominal attribute and one for each other attribute, 1 at its larger value."""
    columns = {}
    for name in rows[0]:
        values = sorted({row[name] for row in rows})
        if name in set(nominal):
            columns.update({f"{name}={value}": [int(row[name] == value) for row in rows] for value in values})
        else:
            assert len(values) <= 2, f"{name} has the values {values}"
            columns[name] = [int(row[name] in ("1", "yes")) for row in rows]
    return columns


def simulate(concause: str, recipe: str, seed: int, folder: Path) -> Table:
    """The table of a recipe and a seed."""
    words = [concause, "simulate", recipe, "--seed", str(seed), "-o", str(folder), "--force", "--quiet"]
    subprocess.run(words, check=True)
    truth = json.loads((folder / "truth.json").read_text())
    with open(folder / "data.csv", newline="") as file:
        columns = encode(list(csv.DictReader(file)), truth["nominal"])
    return Table(folder, truth, columns, RECIPES[recipe], seed)


@dataclass(frozen=True)
class Method:
    """A method, what it is, and its settings, of which the first is the default."""

    name: str
    about: str
    find: Callable[[Table, Setting], list[Cause]]
    settings: tuple[Setting, ...] = ({},)

    @property
    def best_name(self) -> str:
        return f"{self.name}, best of {len(self.settings)} settings"


def joint(concause: str) -> Method:
    """The default method of concause. The scores of its results must be those of `concause evaluate`."""

    def find(table: Table, _: Setting) -> list[Cause]:
        data, result = str(table.folder / "data.csv"), table.folder / "found.json"
        words = [concause, "mine", data, "--target", "T", "--method", "joint", "--max-level", str(table.level)]
        subprocess.run([*words, "--threads", "1", "--format", "json", "--quiet", "-o", str(result)], check=True)
        return [cause["literals"] for cause in json.loads(result.read_text())["causes"]]

    return Method("joint", "the default method of concause.", find)


def check_score(concause: str, table: Table, own: tuple[Rates, Rates]) -> None:
    """Stops if `concause evaluate` scores the result of the joint method otherwise."""
    words = [concause, "evaluate", str(table.folder / "found.json"), str(table.folder / "truth.json")]
    printed = subprocess.run([*words, "--format", "json"], check=True, capture_output=True).stdout
    pair = json.loads(printed)["pairs"][0]
    expected = [Rates(*(pair[kind][name] for name in ("hits", "found", "truth"))) for kind in ("combined", "single")]
    if list(own) != expected:
        raise AssertionError(f"the scores {own} are not those of concause evaluate, {expected}")


def parse_rule(rule: str) -> Cause:
    """The literals of a rule of aix360 such as `V1=red == 1 AND V2 == 0`."""
    literals = []
    for condition in filter(None, rule.split(" AND ")):
        name, operation, value = condition.rsplit(" ", 2)
        if operation != "==" or value not in ("0", "1"):
            raise ValueError(f"the condition {condition!r} is not understood")
        literals.append(name if value == "1" else f"!{name}")
    return literals


def aix360_methods() -> list[Method]:
    """The two learners of rules in aix360."""
    try:
        import pandas
        from aix360.algorithms.rbm import BooleanRuleCG, FeatureBinarizer, LogisticRuleRegression
    except ImportError as error:
        raise PeerMissing(f"BRCG and LogRR are left out, because aix360 cannot be imported ({error})") from error

    def fit_rules(table: Table, model: Any) -> list[Cause]:
        frame = pandas.DataFrame(table.columns)
        with warnings.catch_warnings():
            # aix360 uses operators and calls that cvxpy and pandas report as deprecated or slow, thousands of times.
            warnings.simplefilter("ignore")
            literals = FeatureBinarizer(negations=True).fit_transform(frame.drop(columns="T"))
            model.fit(literals, frame["T"])
        explained = model.explain()
        rules = explained["rules"] if isinstance(explained, dict) else explained["rule"]
        return [parse_rule(rule) for rule in rules if rule != "(intercept)"]

    def brcg(table: Table, setting: Setting) -> list[Cause]:
        if setting.get("D") == LEVEL:
            setting = {**setting, "D": table.level}
        return fit_rules(table, BooleanRuleCG(silent=True, **setting))

    def log_rr(table: Table, setting: Setting) -> list[Cause]:
        return fit_rules(table, LogisticRuleRegression(**setting))

    return [
        Method(
            "BRCG",
            "Boolean decision rules by column generation (Dash, Günlük and Wei 2018), of aix360, which uses a beam "
            "search instead of the published integer program. It is a classifier: a disjunction of conjunctions that "
            "predicts T with few errors, clauses and literals. Its settings here are the default (a penalty of .001 "
            "for each clause and literal, at most 10 literals in a clause), penalties of .003 and .01, and penalties "
            "of .001 and .003 with at most as many literals as joint is given.",
            brcg,
            ({}, *({"lambda0": cost, "lambda1": cost} for cost in (0.003, 0.01)),
             *({"lambda0": cost, "lambda1": cost, "D": LEVEL} for cost in (0.001, 0.003))),
        ),
        Method(
            "LogRR",
            "logistic rule regression (Wei, Dash, Gao and Günlük 2019), of aix360. It is a classifier too: a "
            "logistic regression on conjunctions with an L1 penalty. Its settings here are the default (a penalty of "
            ".05 for each conjunction and .01 for each literal), .02 with .004, and .01 with .002.",
            log_rr,
            ({}, *({"lambda0": cost, "lambda1": cost / 5} for cost in (0.02, 0.01))),
        ),
    ]  # fmt: skip


def parse_numbers(line: str, columns: Sequence[str]) -> Cause:
    """The literals of a line of peers.R such as `3&!7`; numbers count from 1."""
    literals = []
    for literal in line.strip().split("&"):
        number = int(literal.removeprefix("!"))
        if not 1 <= number <= len(columns):
            raise ValueError(f"there is no column {number}")
        literals.append("!" * literal.startswith("!") + columns[number - 1])
    return literals


def r_method(package: str, about: str) -> Method:
    """A package of R."""
    rscript = shutil.which("Rscript")
    purpose = f"It fits {about} Its call in `experiments/peers.R` follows the manual and was not executed here"
    if not rscript:
        raise PeerMissing(f"{package} is left out, because R is not installed (there is no command Rscript). {purpose}")
    if subprocess.run([rscript, "-e", f'packageVersion("{package}")'], capture_output=True, check=False).returncode:
        raise PeerMissing(f"{package} is left out, because this package of R is not installed. {purpose}")

    def find(table: Table, _: Setting) -> list[Cause]:
        path = table.folder / "binary.csv"
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([table.columns, *zip(*table.columns.values())])
        words = [rscript, str(ROOT / "experiments/peers.R"), package, str(path), str(table.seed)]
        printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        return [parse_numbers(line, list(table.columns)[:-1]) for line in printed.splitlines()]

    return Method(package, about, find)


def logic_dt() -> list[Method]:
    return [r_method("logicDT", "logic decision trees (Lau, Schikowski and Schwender 2024), by simulated annealing.")]


def logic_reg() -> list[Method]:
    return [r_method("LogicReg", "logic regression (Ruczinski, Kooperberg and LeBlanc 2003), at most 5 conjunctions.")]


@dataclass
class Results:
    """The scores of a method with one setting on the data sets of a recipe."""

    scores: list[tuple[Rates, Rates]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def mean(self, measure: Callable[[tuple[Rates, Rates]], float]) -> float:
        return sum(map(measure, self.scores)) / len(self.scores)

    def measures(self) -> dict[str, float]:
        """The means, by the names of the columns of the CSV file."""
        measures = {}
        for place, kind in enumerate(("combined", "single")):
            measures[f"precision of {kind} causes"] = self.mean(lambda rates: rates[place].precision)
            measures[f"recall of {kind} causes"] = self.mean(lambda rates: rates[place].recall)
            measures[f"F1 of {kind} causes"] = self.mean(lambda rates: rates[place].f1)
            measures[f"false {kind}"] = self.mean(lambda rates: rates[place].found - rates[place].hits)
        measures["exactly right"] = self.mean(lambda both: all(r.hits == r.found == r.truth for r in both))
        measures["seconds"] = sum(self.seconds) / len(self.seconds)
        return measures


def run_method(method: Method, setting: Setting, table: Table, results: Results) -> None:
    """Runs a method on one table. A method that fails has found nothing, and the page counts its failures."""
    found: list[Cause] = []
    start = time.perf_counter()
    try:
        found = method.find(table, setting)
    except Exception as error:  # Other programs may raise anything. An error of concause ends the run.
        if method.name == "joint":
            raise
        results.failures.append(type(error).__name__)
        print(f"peers: {method.name} failed: {error}", file=sys.stderr)
    results.seconds.append(time.perf_counter() - start)
    results.scores.append(score(found, table.truth))


@dataclass(frozen=True)
class Line:
    """A line of the table."""

    recipe: str
    rows: int
    method: str
    setting: Setting
    measures: dict[str, float]


def run_recipe(concause: str, recipe: str, seeds: int, methods: Sequence[Method]) -> tuple[list[Line], list[str]]:
    """For each method a line with its default setting and one with its best, and sentences on failures."""
    results = {method.name: [Results() for _ in method.settings] for method in methods}
    rows = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(FIRST_SEED, FIRST_SEED + seeds):
            table = simulate(concause, recipe, seed, Path(folder))
            rows = len(table.columns["T"])
            for method in methods:
                for setting, own in zip(method.settings, results[method.name]):
                    run_method(method, setting, table, own)
            check_score(concause, table, results["joint"][0].scores[-1])
    lines, failures = [], []
    for method in methods:
        runs = list(zip(method.settings, results[method.name]))
        lines.append(Line(recipe, rows, method.name, {}, runs[0][1].measures()))
        if len(runs) > 1:
            setting, best = max(runs, key=lambda run: run[1].mean(lambda rates: rates[0].f1 + rates[1].f1))
            lines.append(Line(recipe, rows, method.best_name, setting, best.measures()))
        failed = [failure for _, own in runs for failure in own.failures]
        if failed:
            failures.append(f"{method.name} failed in {len(failed)} runs on `{recipe}`, first with {failed[0]}")
    return lines, failures


SHOWN = ("F1 of combined causes", "F1 of single causes", "false combined", "false single", "exactly right", "seconds")


def markdown_table(lines: Sequence[Line]) -> str:
    head = ["recipe", "rows", "method", *SHOWN]
    cells = [head, ["---"] * len(head)]
    for line in lines:
        numbers = [f"{line.measures[name]:.2f}" for name in SHOWN]
        cells.append([f"`{line.recipe}`", str(line.rows), line.method, *numbers])
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def list_findings(lines: Sequence[Line]) -> list[str]:
    """The means over all recipes, and the recipes where another method is better than joint."""
    names = list(dict.fromkeys(line.method for line in lines))
    means = []
    for name in names:
        own = [line.measures for line in lines if line.method == name]
        numbers = [sum(one[measure] for one in own) / len(own) for measure in (*SHOWN[:2], "exactly right")]
        means.append("{} {:.2f}, {:.2f} and {:.2f}".format(name, *numbers))
    findings = [
        f"Means over the {len({line.recipe for line in lines})} recipes of the F1 of combined causes, the F1 of single "
        f"causes and the share of data sets that are exactly right: {'; '.join(means)}."
    ]
    reference = {line.recipe: line.measures for line in lines if line.method == "joint"}
    for kind in SHOWN[:2]:
        better = [
            f"{line.method} on `{line.recipe}` ({line.measures[kind]:.2f}, joint {reference[line.recipe][kind]:.2f})"
            for line in lines
            if line.measures[kind] > reference[line.recipe][kind] + 1e-9
        ]
        findings.append(f"Methods with a higher {kind} than joint: {'; '.join(better) or 'none'}.")
    return findings


def list_versions(concause: str) -> str:
    found = [subprocess.run([concause, "--version"], check=True, capture_output=True, text=True).stdout.strip()]
    found.append(f"Python {sys.version.split()[0]}")
    for package in ("aix360", "cvxpy", "ecos", "numpy", "pandas", "scikit-learn", "scipy"):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


INTRODUCTION = """Other programs that find conjunctions of columns, on the same data as concause. Each recipe
(`concause simulate --list` describes them) has {seeds} data sets, with the seeds {first} to {last}; those of `monk-1`,
`monk-3`, `multiplexer-6` and `tic-tac-toe` are complete tables that differ only in the order of rows and columns. A
conjunction of one column counts as a single cause and one of several columns as a combined cause. Causes are matched
by their sets of columns without negations, and a column of a nominal attribute counts as the attribute, as in
`concause evaluate`. If a recipe has no single causes, the F1 of single causes is 1 if none is found, even by a method
that finds nothing at all, and 0 otherwise; likewise for combined causes."""

FAIRNESS = """BRCG and LogRR are classifiers. They are made to predict, and do not claim that their rules are causes: a
rule that is not a cause can predict well, and a classifier needs no cause that leaves the more probable class as it
is. The comparison is only by what the rules contain. It favours joint in one way: the recipes are those of this
project, with which joint was developed, at other seeds. It favours the others in another: where a method has several
settings, a second line has the one with the largest sum of the two F1, chosen for each recipe by means of the true
causes, which are unknown in practice. One of the two F1 can be lower than with the default. joint is given the number
of columns in the largest true cause (at least 2) and nothing else."""

TRIAL = """The recipes and settings were fixed after a trial with the seed 10001, which is also one of the seeds of
the table. Left out to save time were the recipes `nested-logistic` and `negation-logistic`, where joint had an F1 of
1.00 for both kinds of causes and no other method reached it for combined ones, and penalties of .03 (BRCG) and .005
(LogRR). In the trial, .03 was the best penalty of BRCG on `logistic`, and .005 that of LogRR on `tic-tac-toe`. More
settings would raise some of the lines with the best setting. The settings of BRCG without a limit on the literals were
added after the trial, because with a limit it did worse than by default on `monk-1` and `tic-tac-toe`."""

BASELINE = """Another baseline, forward selection by mBIC2, is a part of these experiments and not a package. Its
results are in [families of causes](families.md), which has many of these recipes, with 20 data sets each."""

SECONDS = """means for one data set with one thread, on a machine shared with other programs. Those of joint include
the start of the command and reading the file; those of BRCG and LogRR include neither, but the conversion of the table
to literals. A best setting has the seconds of this setting only."""


def fill(text: str, indent: str = "") -> str:
    words = " ".join(text.split())
    return textwrap.fill(words, 118, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False) + "\n"


def items(texts: Iterable[str]) -> str:
    return "".join(fill(f"- {text}", "  ") for text in texts)


def render_page(
    concause: str, seeds: int, methods: Sequence[Method], notes: Sequence[str], lines: Sequence[Line]
) -> str:
    """The page. Notes are the sentences on missing programs and on failures."""
    git = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    origin = [
        "**Command**: `python experiments/peers.py`, whose first lines list what must be installed",
        f"**Commit**: {git.stdout.strip() or 'unknown'}",
        f"**Date**: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}",
        f"**Versions**: {list_versions(concause)}",
        f"**Seconds**: {SECONDS}",
    ]
    sections = [
        "# Peers\n",
        fill(INTRODUCTION.format(seeds=seeds, first=FIRST_SEED, last=FIRST_SEED + seeds - 1)),
        fill(FAIRNESS),
        fill(TRIAL),
        items(f"`{method.name}`: {method.about}" for method in methods),
        items(f"{note}." for note in notes),
        fill(BASELINE),
        items(origin),
        markdown_table(lines),
        items(list_findings(lines)),
        "[peers.csv](peers.csv) also has precision, recall and the best settings.\n",
    ]
    return "\n".join(section for section in sections if section)


def write_csv(path: Path, lines: Sequence[Line]) -> None:
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["recipe", "rows", "method", "setting", *lines[0].measures])
        for line in lines:
            setting = " ".join(f"{name}={value:g}" for name, value in line.setting.items()).replace("D=-1", "D=level")
            numbers = [f"{value:.4f}" for value in line.measures.values()]
            writer.writerow([line.recipe, line.rows, line.method, setting, *numbers])


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--concause", default=str(ROOT / "target/release/concause"), help="the command")
    parser.add_argument("--seeds", type=int, default=10, help="number of data sets of each recipe")
    parser.add_argument("--recipes", nargs="+", choices=RECIPES, default=list(RECIPES), metavar="RECIPE")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/experiments", help="folder for the page")
    arguments = parser.parse_args(words)
    if not shutil.which(arguments.concause):
        parser.error(f"{arguments.concause} is not there; run: cargo build --release")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    methods: list[Method] = [joint(arguments.concause)]
    notes: list[str] = []
    for peer in (aix360_methods, logic_dt, logic_reg):
        try:
            methods += peer()
        except PeerMissing as sentence:
            notes.append(str(sentence))
            print(f"peers: {sentence}.", file=sys.stderr)
    lines: list[Line] = []
    for recipe in arguments.recipes:
        start = time.perf_counter()
        more, failures = run_recipe(arguments.concause, recipe, arguments.seeds, methods)
        lines += more
        notes += failures
        print(f"peers: {recipe} took {time.perf_counter() - start:.0f} s", file=sys.stderr)
    page = render_page(arguments.concause, arguments.seeds, methods, notes, lines)
    (arguments.output / "peers.md").write_text(page, encoding="utf-8")
    write_csv(arguments.output / "peers.csv", lines)


if __name__ == "__main__":
    main()
