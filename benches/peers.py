#!/usr/bin/env python3
"""Compares concause with other programs on the same data, if they are installed, and prints Markdown.

    python3 benches/peers.py [--quick]

- numpy: all pair counts of a 0/1 matrix as the product X^T X in float32 (BLAS), by one thread and by all;
- scipy: the same with a sparse matrix;
- bnlearn (R): the independence tests of learn.nbr(method = "si.hiton.pc") on 100 columns of Census.

A program that is not installed is skipped with a note. Nothing is installed or changed; files are written to a
temporary folder. CONCAUSE_BENCH and CONCAUSE name built programs, CONCAUSE_CENSUS the folder of the Census data. Without
them, cargo builds the programs, and the data are read from ../shared/data/uci.
"""

import argparse
import csv
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
COLUMNS = 500
REPETITIONS = 5
TURNS = 3
# Programs that take longer than this many seconds get fewer turns.
TURN_SECONDS = 45
TARGET = "income=50000+."
# The environment variables that set the number of threads of the BLAS libraries.
THREAD_VARIABLES = ["OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "OMP_NUM_THREADS"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller data")
    parser.add_argument("--product", metavar="BITS", help=argparse.SUPPRESS)
    parser.add_argument("--how", choices=["dense", "sparse"], help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.product:
        print(json.dumps(product(arguments.product, arguments.how, arguments.rows)))
        return
    with tempfile.TemporaryDirectory(prefix="concause-peers-") as folder:
        pair_counts(Path(folder), 30_000 if arguments.quick else 300_000)
        independence_tests(Path(folder))


# ---------------------------------------------------------------------------------------------------------------------
# Pair counts: numpy and scipy.


def pair_counts(folder, rows):
    print(f"**Pair counts** of {COLUMNS} random columns × {rows:,} rows: the minimum of {TURNS} interleaved turns of {REPETITIONS} runs each, or fewer")
    print("if they are slow. Both programs gave the same counts. The time to create the matrices is not included. Times are")
    print("processor times for one thread and wall-clock times for more.\n")
    if not installed("numpy"):
        print("Skipped numpy and scipy: numpy is not installed (`python3 -m pip install numpy scipy`).\n")
        return
    threads = sorted({1, os.cpu_count() or 1})
    print("| | ones | threads | seconds | seconds, concause | speedup of concause |")
    print("| --- | --- | --- | --- | --- | --- |")
    for share in [0.3, 0.01]:
        bits = folder / "pairs.bits"
        write_bits(bits, rows, share)
        for number in threads:
            compare("numpy, float32 BLAS", "dense", bits, rows, share, number)
        if installed("scipy"):
            # With many ones scipy is slow, so a sample of the rows is scaled.
            compare("scipy.sparse", "sparse", bits, rows if share < 0.1 else rows // 30, share, 1)
    print()
    if not installed("scipy"):
        print("Skipped scipy: it is not installed (`python3 -m pip install scipy`).\n")


def compare(name, how, bits, rows, share, threads):
    """Prints a row of the table: the minimum of several interleaved turns of each program."""
    variables = {variable: str(threads) for variable in THREAD_VARIABLES}
    command = [sys.executable, __file__, "--product", str(bits), "--how", how, "--rows", str(rows)]
    theirs, ours, start = [], [], time.perf_counter()
    while len(ours) < TURNS and time.perf_counter() - start < TURN_SECONDS:
        answer = subprocess.run(command, env={**os.environ, **variables}, stdout=subprocess.PIPE, check=True)
        theirs.append(json.loads(answer.stdout))
        ours.append(run_json(program("CONCAUSE_BENCH", "concause-bench"), "pairs", "--bits", bits, "--threads", threads))
    scale = ours[0]["rows"] / rows
    if scale == 1 and theirs[0]["checksum"] != ours[0]["checksum"]:
        sys.exit(f"{name} and concause give different counts: {theirs[0]['checksum']} and {ours[0]['checksum']}")
    # On an idle machine the processor time of one thread equals the wall-clock time.
    kind = "processor_seconds" if threads == 1 and ours[0]["processor_seconds"] else "seconds"
    shortest = [min(answer[kind] for answer in answers) for answers in (theirs, ours)]
    seconds, our_seconds = shortest[0] * scale, shortest[1]
    remark = "" if scale == 1 else f" (on {rows:,} rows, scaled)"
    print(
        f"| {name}, {theirs[0]['version']}{remark} | {share:.0%} | {threads} | {seconds:.3g} | {our_seconds:.3g} "
        f"(`{ours[0]['kernel']}`) | {seconds / our_seconds:.3g}× |",
        flush=True,
    )


def write_bits(path, rows, share):
    """Writes the file that `concause-bench pairs` reads: columns, rows, then the bits of each column."""
    import numpy

    generator = numpy.random.default_rng(1)
    with open(path, "wb") as file:
        file.write(numpy.array([COLUMNS, rows], dtype="<u8").tobytes())
        for _ in range(COLUMNS):
            column = generator.random(rows, dtype=numpy.float32) < share
            file.write(numpy.packbits(column, bitorder="little").tobytes())


def product(path, how, rows):
    """Counts all pairs as X^T X in this process. The environment sets its number of threads."""
    import numpy

    content = numpy.fromfile(path, dtype=numpy.uint8)
    columns, all_rows = (int(number) for number in content[:16].view("<u8"))
    packed = content[16:].reshape(columns, -1)
    bits = numpy.unpackbits(packed, axis=1, count=all_rows, bitorder="little")[:, :rows]
    if how == "dense":
        version, matrix = numpy.__version__, numpy.ascontiguousarray(bits.T, dtype=numpy.float32)
    else:
        import scipy
        import scipy.sparse

        version, matrix = scipy.__version__, scipy.sparse.csr_matrix(bits.T, dtype=numpy.int32)
    seconds, processor_seconds = [], []
    for _ in range(REPETITIONS):
        start, processor_start = time.perf_counter(), time.process_time()
        counts = matrix.T @ matrix
        seconds.append(time.perf_counter() - start)
        processor_seconds.append(time.process_time() - processor_start)
        if sum(seconds) > 5:
            break
    counts = counts.toarray() if how == "sparse" else counts
    # float32 represents whole numbers up to 2^24 exactly, which is more than the number of rows.
    return {
        "version": version,
        "seconds": min(seconds),
        "processor_seconds": min(processor_seconds),
        "checksum": checksum(counts.astype(numpy.uint64)),
    }


def checksum(counts):
    """As `concause-bench pairs`: the sum over i < j of count · (i · columns + j), modulo 2^64."""
    import numpy

    columns = len(counts)
    first, second = numpy.triu_indices(columns, 1)
    weights = (first * columns + second).astype(numpy.uint64)
    return int((weights * counts[first, second]).sum(dtype=numpy.uint64))


# ---------------------------------------------------------------------------------------------------------------------
# Independence tests: bnlearn.


def independence_tests(folder):
    print("**Independence tests per second** of HITON-PC on 100 columns of Census × 99,762 rows (G², alpha 0.05, sets of up")
    print("to 3). The numbers of tests differ, because bnlearn tests in another order:\n")
    census = Path(os.environ.get("CONCAUSE_CENSUS", HERE / "../../shared/data/uci"))
    source, schema = census / "census-income.test.gz", census / "schema.tsv"
    if not (source.exists() and schema.exists()):
        print("Skipped: the Census data are not available (set CONCAUSE_CENSUS to their folder).")
        return
    table = folder / "census-100.csv"
    rows = write_census(folder, source, schema, table)
    concause = program("CONCAUSE", "concause")
    settings = ["--preset", "paper", "--method", "hiton-pc", "--format", "json", "--quiet"]
    print("| | threads | tests | seconds | tests/s | causes |")
    print("| --- | --- | --- | --- | --- | --- |")
    speeds = {}
    for threads in sorted({1, os.cpu_count() or 1}):
        runs = [run_json(concause, "mine", table, "--target", "T", *settings, "--threads", threads) for _ in range(REPETITIONS)]
        found = min(runs, key=lambda run: run["timing"]["search_seconds"])
        if found["data"]["rows"] != rows:
            sys.exit(f"concause read {found['data']['rows']} rows of {rows}")
        tests, seconds = sum(level["tests"] for level in found["levels"]), found["timing"]["search_seconds"]
        speeds[threads] = tests / seconds
        print(f"| concause | {threads} | {tests:,} | {seconds:.3g} | {tests / seconds:,.0f} | {len(found['causes'])} |")
    skipped = bnlearn(table, speeds)
    print()
    if skipped:
        print(skipped)


def bnlearn(table, speeds):
    """Prints the row of bnlearn, or returns why there is none."""
    if not shutil.which("Rscript"):
        return (
            "Skipped bnlearn: R is not installed (https://www.r-project.org, then `install.packages(\"bnlearn\")`)."
        )
    answer = subprocess.run(["Rscript", str(HERE / "bnlearn.R"), str(table), "T"], stdout=subprocess.PIPE)
    if answer.returncode == 3:
        return "Skipped bnlearn: the package is not installed (in R: `install.packages(\"bnlearn\")`)."
    if answer.returncode != 0:
        return f"Skipped bnlearn: benches/bnlearn.R failed with exit code {answer.returncode}."
    found = json.loads(answer.stdout)
    speed = found["tests"] / found["seconds"]
    print(
        f"| bnlearn {found['version']}, `learn.nbr(\"si.hiton.pc\")` | 1 | {found['tests']:,} | {found['seconds']:.3g} "
        f"| {speed:,.0f} | {len(found['causes'])} |"
    )
    ratios = ", ".join(f"{ours / speed:,.0f}× with {threads}" for threads, ours in speeds.items())
    print(f"\nTests per second of concause divided by those of bnlearn: {ratios} threads (goal: 200×).", end="")
    return None


def write_census(folder, source, schema, table):
    """Writes 100 random columns that are not constant, and the outcome T, as CSV of 0 and 1."""
    declaration, encoded = folder / "census.toml", folder / "encoded.csv"
    declaration.write_text(declare(schema))
    command = [program("CONCAUSE", "concause"), "encode", source, "--target", TARGET, "--declare", declaration]
    command += ["--drop-continuous", "--quiet", "--table", encoded]
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=True)
    with open(encoded, newline="") as file:
        lines = csv.reader(file)
        columns = len(next(lines)) - 1
        rows = [bytes(map(int, line)) for line in lines]
    varied = [column for column in range(columns) if len({row[column] for row in rows}) == 2]
    drawn = sorted(random.Random(1).sample(varied, 100))
    with open(table, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f"V{column + 1}" for column in drawn] + ["T"])
        writer.writerows([*(row[column] for column in drawn), row[-1]] for row in rows)
    return len(rows)


def declare(schema):
    """The types and values of the Census attributes in the format of `concause --declare`."""
    lines = ["header = false"]
    for line in schema.read_text().splitlines():
        data_set, _, name, role, kind, values, *_ = line.split("\t")
        if data_set != "census-income":
            continue
        kind = "ignore" if role == "ignored" else kind
        lines += ["[[attribute]]", f"name = {json.dumps(name)}", f"type = {json.dumps(kind)}"]
        if role == "predictor" and kind == "nominal":
            lines.append(f"values = {json.dumps([value for value in values.split('|') if value])}")
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------------------------------------------------------------


def installed(module):
    return importlib.util.find_spec(module) is not None


def program(variable, name):
    """A program of the project: the one that the variable names, or a new build."""
    if variable not in os.environ:
        package = "concause-cli" if name == "concause" else name
        command = ["cargo", "build", "--release", "--quiet", "--package", package, "--message-format", "json"]
        build = subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, check=True)
        messages = map(json.loads, build.stdout.splitlines())
        paths = [message["executable"] for message in messages if message.get("executable")]
        os.environ[variable] = next(path for path in paths if Path(path).stem == name)
    return os.environ[variable]


def run_json(*command):
    """Runs a program and parses the JSON it prints."""
    answer = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=True)
    return json.loads(answer.stdout)


if __name__ == "__main__":
    main()
