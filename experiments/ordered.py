"""Measures how well concause finds causes among numbers and categories, on data with known causes.

    cargo build --release -p concause-cli
    python -m venv /tmp/ordered && /tmp/ordered/bin/pip install numpy pandas
    /tmp/ordered/bin/python experiments/ordered.py

prints one Markdown table for each experiment and, with `-o FILE`, writes one row for each data set as CSV. The page
docs/experiments/ordered.md has the tables. `--only moisture --sets 2` takes a second. Every data set has its own
seed, so a row can be made again alone: `--only genotypes --keep DIR` also writes the data.

- `moisture`: the fire example with a noisy moisture reading in place of `dry_brush`, which has no effect of its own.
- `genotypes`: 60 or 300 markers coded 0, 1, 2 with a dominant and a recessive one that act only together.
- `mixtures`: 8 numbers, 8 nominal and 8 two-valued attributes with three conjunctions across types.
- `linear`: 10 numbers of which 5 act linearly on the log odds; there are no combined causes.
- `irrelevant`: numbers or markers without any cause.
- `shapes`: one number with a threshold, an interval, a trend or a U shape, and four irrelevant numbers.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
FIRST_SEED = 20001


def binary() -> Path:
    """The release build of the command."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "concause"


def mine(table: pd.DataFrame, target: str, keep: Path | None, name: str, *flags: str) -> tuple[dict, float]:
    """The result of one run with its wall-clock seconds, and what the user would read under `read`."""
    with tempfile.TemporaryDirectory() as folder:
        path = (keep or Path(folder)) / f"{name}.csv"
        table.to_csv(path, index=False)
        begin = time.perf_counter()
        command = [str(binary()), "mine", str(path), "--target", target, "--format", "json", "--quiet", *flags]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - begin
    if run.returncode != 0:
        print(f"{name}: {run.stderr.strip()}", file=sys.stderr)
        return {"causes": []}, seconds
    return json.loads(run.stdout), seconds


def found(result: dict) -> list[frozenset[str]]:
    """The sets of attributes of the causes, without those whose form is undecided."""
    return [frozenset(cause["attributes"]) for cause in result["causes"] if not cause.get("undecided")]


def score(sets: list[frozenset[str]], truth: list[frozenset[str]]) -> dict:
    """Hits, false findings and F1 of the combined causes, and false findings of any kind."""
    combined = {s for s in sets if len(s) > 1}
    true_combined = {s for s in truth if len(s) > 1}
    hits = len(combined & true_combined)
    total = len(combined) + len(true_combined)
    return {
        "hits": hits,
        "false_combined": len(combined - true_combined),
        "false": len([s for s in set(sets) if s not in truth]),
        "doubled": len(sets) - len(set(sets)),
        "f1": 2 * hits / total if total else 1.0,
    }


def cuts(result: dict, attribute: str, attributes: frozenset[str]) -> list[dict]:
    """The reported cuts of an attribute in the cause over a set of attributes."""
    return [
        cut
        for cause in result["causes"]
        if frozenset(cause["attributes"]) == attributes
        for cut in cause.get("cuts", [])
        if cut["attribute"] == attribute
    ]


# --- recipes: each makes (table, truth, true cuts) from a seed ---------------------------------------------------


def moisture(seed: int, _: str):
    rng = np.random.default_rng(seed)
    table = pd.read_csv(ROOT / "examples" / "fire.csv")
    dry = table.pop("dry_brush").to_numpy()
    dry = dry.astype(float) if dry.dtype != object else (dry == "yes").astype(float)
    table.insert(0, "moisture", rng.normal(np.where(dry == 1, 20.0, 60.0), 12.0))
    truth = [frozenset(["lightning"]), frozenset(["power_line_fault"]), frozenset(["moisture", "burning_stub"])]
    return table, "fire", truth, {}


def genotypes(seed: int, variant: str):
    markers, effect = variant.split(" SNPs, +")
    rng = np.random.default_rng(seed)
    rows, markers = 4000, int(markers)
    codes = rng.binomial(2, rng.uniform(0.1, 0.5, markers), (rows, markers))
    first, second = rng.choice(markers, 2, replace=False)
    codes[:, first] = rng.binomial(2, 0.4, rows)
    codes[:, second] = rng.binomial(2, 0.4, rows)
    # A carrier of both has one or two copies of the first and two of the second: about a tenth of the rows.
    both = (codes[:, first] >= 1) & (codes[:, second] == 2)
    outcome = rng.random(rows) < 0.3 + float(effect) * both
    table = pd.DataFrame(codes, columns=[f"rs{1000 + 7 * i}" for i in range(markers)])
    table["disease"] = outcome.astype(int)
    return table, "disease", [frozenset([table.columns[first], table.columns[second]])], {}


def mixtures(seed: int, variant: str):
    rng = np.random.default_rng(seed)
    rows, rare = int(variant.split()[0]), variant.endswith("rare parts")
    table, literals, true_cuts = {}, {}, {}
    for i in range(8):
        kind = i % 4
        values = [
            rng.normal(50, 15, rows), rng.gamma(2.0, 10.0, rows), rng.uniform(0, 1, rows), rng.poisson(6, rows),
        ][kind]
        values = np.round(values, [1, 2, 4, 0][kind])
        share = rng.uniform(0.15, 0.5) if rare else rng.uniform(0.3, 0.6)
        cut = float(np.quantile(values, 1 - share))
        above = rng.random() < 0.5
        name = f"number{i + 1}"
        table[name] = values.astype(int) if kind == 3 else values
        literals[name] = values >= cut if above else values < cut
        true_cuts[name] = cut
    for i in range(8):
        size = int(rng.integers(3, 7))
        weights = rng.dirichlet(np.full(size, 4.0))
        values = rng.choice(size, rows, p=weights)
        name = f"group{i + 1}"
        table[name] = np.array(["red", "green", "blue", "white", "black", "grey"])[values]
        # The most frequent value, or any with a share of at least .1.
        chosen = rng.choice(np.flatnonzero(weights >= 0.1)) if rare else np.argmax(weights)
        literals[name] = values == int(chosen)
    for i in range(8):
        name = f"flag{i + 1}"
        table[name] = rng.choice(["no", "yes"], rows, p=[0.5, 0.5])
        literals[name] = table[name] == ["no", "yes"][int(rng.integers(0, 2))]
    numbers, groups, flags = (rng.permutation(8) + 1 for _ in range(3))
    truth = [
        (f"number{numbers[0]}", f"group{groups[0]}"),
        (f"number{numbers[1]}", f"flag{flags[0]}"),
        (f"group{groups[1]}", f"flag{flags[1]}"),
    ]
    # Each conjunction raises the risk by .3 on a base of .1; risks add up.
    risk = np.full(rows, 0.1)
    for a, b in truth:
        risk += 0.3 * (literals[a] & literals[b])
    frame = pd.DataFrame(table)
    frame = frame[list(rng.permutation(frame.columns))]
    frame["outcome"] = np.where(rng.random(rows) < np.minimum(risk, 1.0), "ill", "healthy")
    in_truth = {name: (true_cuts[name], frozenset(pair)) for pair in truth for name in pair if name in true_cuts}
    # "ill" is the last of the two words in order, so it is the value that counts as 1.
    return frame, "outcome", [frozenset(pair) for pair in truth], in_truth


def linear(seed: int, variant: str):
    rng = np.random.default_rng(seed)
    rows = int(variant.split()[0])
    values = rng.normal(0, 1, (rows, 10))
    slopes = np.where(np.arange(10) < 5, rng.uniform(0.4, 0.8, 10) * rng.choice([-1, 1], 10), 0.0)
    outcome = rng.random(rows) < 1 / (1 + np.exp(1.0 - values @ slopes))
    frame = pd.DataFrame(values, columns=[f"x{i + 1}" for i in range(10)])
    frame["y"] = outcome.astype(int)
    return frame, "y", [frozenset([f"x{i + 1}"]) for i in range(5)], {}


def shapes(seed: int, variant: str):
    rng = np.random.default_rng(seed)
    rows, shape = 2000, variant
    values = rng.normal(50, 15, (rows, 5))
    x = values[:, 0]
    log_odds = {
        "threshold": 1.0 * (x >= 55),
        "interval": 1.0 * ((x >= 40) & (x < 58)),
        "trend": 0.04 * (x - 50),
        "U shape": 0.6 * ((x - 50) / 15) ** 2,
    }[shape]
    outcome = rng.random(rows) < 1 / (1 + np.exp(1.2 - log_odds))
    frame = pd.DataFrame(np.round(values, 1), columns=["cause", "a", "b", "c", "d"])
    frame["y"] = outcome.astype(int)
    true_cuts = {"cause": (55.0, frozenset(["cause"]))} if shape == "threshold" else {}
    return frame, "y", [frozenset(["cause"])], true_cuts


def irrelevant(seed: int, variant: str):
    rng = np.random.default_rng(seed)
    count, kind = variant.split()
    rows, count = 2000, int(count)
    if kind == "SNPs":
        values = rng.binomial(2, rng.uniform(0.1, 0.5, count), (rows, count))
    else:
        values = np.round(rng.normal(50, 15, (rows, count)), 1)
    frame = pd.DataFrame(values, columns=[f"x{i + 1}" for i in range(count)])
    frame["y"] = (rng.random(rows) < 0.3).astype(int)
    return frame, "y", [], {}


#: name → (recipe, variants, data sets each)
EXPERIMENTS = {
    "moisture": (moisture, ["normal(20 or 60, 12)"], 10),
    "genotypes": (genotypes, ["60 SNPs, +.30", "60 SNPs, +.20", "60 SNPs, +.15", "300 SNPs, +.30"], 10),
    "mixtures": (mixtures, ["1000 rows", "5000 rows", "1000 rows, rare parts", "5000 rows, rare parts"], 20),
    "linear": (linear, ["1000 rows", "10000 rows", "100000 rows"], 5),
    "irrelevant": (irrelevant, ["30 numbers", "100 numbers", "300 SNPs"], 20),
    "shapes": (shapes, ["threshold", "interval", "trend", "U shape"], 10),
}


def measure(experiment: str, variant: str, seed: int, keep: Path | None, flags: list[str]) -> dict:
    recipe = EXPERIMENTS[experiment][0]
    table, target, truth, true_cuts = recipe(seed, variant)
    name = f"{experiment}-{variant}-{seed}".replace(" ", "_").replace(",", "").replace("(", "").replace(")", "")
    result, seconds = mine(table, target, keep, name, *flags)
    sets = found(result)
    undecided = [c for c in result["causes"] if c.get("undecided")]
    row = {"experiment": experiment, "variant": variant, "seed": seed} | score(sets, truth)
    single_truth = [s for s in truth if len(s) == 1]
    row["single_hits"] = len([s for s in single_truth if s in sets])
    row["undecided"] = len(undecided)
    inside = total = 0
    for attribute, (cut, attributes) in true_cuts.items():
        reported = cuts(result, attribute, attributes)
        if reported:
            total += 1
            inside += any(c["low"] <= cut <= c["high"] for c in reported)
    row |= {"cuts": total, "cuts_inside": inside}
    row["seconds"] = round(seconds, 2)
    row["causes"] = " ; ".join(
        f"{c['name']} {c.get('probability', 1):.2f}{'?' if c.get('undecided') else ''}" for c in result["causes"]
    )
    row["truth"] = " ; ".join(" & ".join(sorted(s)) for s in truth)
    return row


def summary(rows: list[dict]) -> str:
    frame = pd.DataFrame(rows)
    lines = [
        "| experiment | data sets | all combined causes | mean F1 combined | all single causes | false combined "
        "| false findings | undecided | two rows per set | true cut in range | seconds (largest) |",
        "| --- " * 11 + "|",
    ]
    for (experiment, variant), group in frame.groupby(["experiment", "variant"], sort=False):
        _, _, truth, _ = EXPERIMENTS[experiment][0](int(group.seed.iloc[0]), variant)
        pairs, singles = len([s for s in truth if len(s) > 1]), len([s for s in truth if len(s) == 1])
        cells = [
            f"{experiment}, {variant}", len(group),
            (group.hits == pairs).sum() if pairs else "–",
            f"{group.f1.mean():.2f}" if pairs else "–",
            (group.single_hits == singles).sum() if singles else "–",
            f"{group.false_combined.mean():.2f}", f"{group.false.mean():.2f}", f"{group.undecided.mean():.2f}",
            group.doubled.sum(),
            f"{group.cuts_inside.sum()} of {group.cuts.sum()}" if group.cuts.sum() else "–",
            f"{group.seconds.mean():.1f} ({group.seconds.max():.1f})",
        ]
        lines.append("| " + " | ".join(str(c) for c in cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures concause on numbers and categories with known causes.")
    parser.add_argument("--only", nargs="*", choices=EXPERIMENTS, default=list(EXPERIMENTS))
    parser.add_argument("--variants", nargs="*", help="only these variants")
    parser.add_argument("--sets", type=int, help="data sets for each variant")
    parser.add_argument("--keep", type=Path, help="a folder for the data")
    parser.add_argument("-o", "--output", type=Path, help="a CSV with one row for each data set")
    parser.add_argument("flags", nargs="*", help="further flags of concause mine, after --")
    arguments = parser.parse_args()
    rows = []
    for experiment in arguments.only:
        _, variants, sets = EXPERIMENTS[experiment]
        for variant in variants:
            if arguments.variants and variant not in arguments.variants:
                continue
            done = []
            for i in range(arguments.sets or sets):
                done.append(measure(experiment, variant, FIRST_SEED + i, arguments.keep, arguments.flags))
                print(f"{done[-1]['seed']} {done[-1]['truth']} | {done[-1]['causes']}", file=sys.stderr)
            rows += done
            print(summary(done).splitlines()[-1], file=sys.stderr, flush=True)
            if arguments.output:
                with arguments.output.open("w", newline="") as file:
                    writer = csv.DictWriter(file, list(rows[0]))
                    writer.writeheader()
                    writer.writerows(rows)
    print(summary(rows))


if __name__ == "__main__":
    main()
