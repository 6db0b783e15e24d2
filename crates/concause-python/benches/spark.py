"""How long a search on Spark takes by the number of rows: a line of the table in docs/spark.md for each number given.

Run: python crates/concause-python/benches/spark.py 1000000 2000000 4000000 8000000
"""

import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession

import concause
import concause.spark

MASTER = "local-cluster[2,1,1024]"


def timed(seconds: Counter, name: str) -> None:
    """Adds up the time that an engine spends in a method."""
    usual = getattr(concause.spark._Spark, name)

    def method(engine, *asked):
        start = time.perf_counter()
        try:
            return usual(engine, *asked)
        finally:
            seconds[name] += time.perf_counter() - start
            seconds["rounds"] += name == "ask"

    setattr(concause.spark._Spark, name, method)


def main() -> None:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    session = SparkSession.builder.master(MASTER).config(map=settings).getOrCreate()
    seconds: Counter = Counter()
    for name in ("summarise", "pack", "ask"):
        timed(seconds, name)
    print("| rows | summaries, s | packing, s | rounds | s a round | all, s | µs a row |\n| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for rows in map(int, sys.argv[1:]):
            path = Path(folder) / f"{rows}.parquet"
            table = pyarrow.table(concause.simulate("syn-100", seed=1, rows=rows))
            pyarrow.parquet.write_table(table, path, row_group_size=250_000)
            del table
            seconds.clear()
            start = time.perf_counter()
            concause.spark.mine(session.read.parquet(str(path)), "T")
            whole = time.perf_counter() - start
            figures = [f"{seconds['summarise']:.1f}", f"{seconds['pack']:.1f}", seconds["rounds"]]
            figures += [f"{seconds['ask'] / seconds['rounds']:.2f}", f"{whole:.1f}", f"{1e6 * whole / rows:.1f}"]
            print(f"| {rows:,} | " + " | ".join(map(str, figures)) + " |", flush=True)
            path.unlink()
    session.stop()


if __name__ == "__main__":
    main()
