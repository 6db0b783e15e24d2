"""A Spark cluster with two executors, each in a separate process."""

import csv
import gzip
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import concause

from conftest import PATIENCE, shared_data, untimed
from test_remote import mixed_table

pytest.importorskip("pyspark", reason="pyspark is not installed")
if not shutil.which("java"):
    pytest.skip("Java is not installed (Debian: apt-get install default-jre-headless)", allow_module_level=True)

import concause.spark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

#: Jobs beside the rounds: two that summarise, one that packs, one that Spark begins to fill its cache.
OTHER_JOBS = 4


#: Short-lived Java machines: the optimising compiler costs more than it gains, and so do several threads for garbage.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@pytest.fixture(scope="module", autouse=True)
def environment():
    """The environment that every Spark process inherits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("JAVA_TOOL_OPTIONS", JAVA)
        patch.delenv("SPARK_HOME", raising=False)
        yield


@pytest.fixture(scope="module")
def spark(environment):
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.default.parallelism": "4",
        # On a loaded machine, processes start and respond late.
        "spark.network.timeout": f"{PATIENCE}s",
        "spark.python.authenticate.socketTimeout": f"{PATIENCE}s",
    }
    session = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def engines(monkeypatch):
    """The engines that were created, with their counts of rounds."""
    made = []
    usual = concause.spark._Spark.__init__

    def remember(engine, frame):
        usual(engine, frame)
        made.append(engine)

    monkeypatch.setattr(concause.spark._Spark, "__init__", remember)
    return made


def executors(spark):
    """The processes of the executors of this session."""
    session = spark.sparkContext.applicationId.encode()
    found = []
    for process in Path("/proc").iterdir():
        try:
            words = (process / "cmdline").read_bytes()
        except (OSError, NotADirectoryError):
            continue
        if b"CoarseGrainedExecutorBackend" in words and session in words:
            found.append(int(process.name))
    return found


@pytest.mark.parametrize("method", ["mh-pc-f", "mh-pc-b"])
def test_simulated_data_give_the_local_bytes_with_one_job_per_round(spark, engines, method):
    table = pa.table(concause.simulate("syn-50", seed=1))
    spark.sparkContext.setJobGroup(method, method)
    found = concause.spark.mine(spark.createDataFrame(table), "T", method=method)
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup(method)
    assert untimed(found.to_json()) == untimed(concause.mine(table, "T", method=method).to_json())
    assert 5 <= engines[0].rounds <= 15
    assert engines[0].rounds <= len(jobs) <= engines[0].rounds + OTHER_JOBS


def test_tables_of_all_kinds_and_many_partitions(spark, engines, monkeypatch):
    monkeypatch.setattr(concause.spark, "_MAX_DRIVER_RESPONSES", 1)
    table = mixed_table()
    found = concause.spark.mine(spark.createDataFrame(table).repartition(3), "T=ill", missing_as="level")
    assert untimed(found.to_json()) == untimed(concause.mine(table, "T=ill", missing_as="level").to_json())
    assert engines[0].block_count == 3


def test_a_killed_executor_does_not_change_the_result(spark, monkeypatch):
    table = pa.table(concause.simulate("syn-50", seed=3))
    usual = concause.spark._Spark.count
    killed = []

    def count(engine, request):
        if engine.rounds == 2 and not killed:
            killed.append(executors(spark)[0])
            os.kill(killed[0], signal.SIGKILL)
        return usual(engine, request)

    monkeypatch.setattr(concause.spark._Spark, "count", count)
    found = concause.spark.mine(spark.createDataFrame(table), "T", method="mh-pc-f")
    assert killed and killed[0] not in executors(spark)
    assert untimed(found.to_json()) == untimed(concause.mine(table, "T", method="mh-pc-f").to_json())


#: Run in a separate process, because one process cannot have sessions of both kinds.
CONNECT = """
import concause, concause.spark
import pyarrow as pa
from pyspark.sql import SparkSession

patience = {
    "spark.network.timeout": "1800s",
    "spark.python.authenticate.socketTimeout": "1800s",
    "spark.sql.shuffle.partitions": "2",
}
session = SparkSession.builder.config(map=patience).remote("local[2]").getOrCreate()
table = pa.table(concause.simulate("syn-20", seed=1))
frame = session.createDataFrame(table.to_pandas()).repartition(4)
print(concause.spark.mine(frame, "T").to_json())
"""


def test_spark_connect():
    pytest.importorskip("grpc", reason="pyspark[connect] is not installed")
    ran = subprocess.run([sys.executable, "-c", CONNECT], capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 0, ran.stderr
    here = concause.mine(pa.table(concause.simulate("syn-20", seed=1)), "T")
    assert untimed(ran.stdout) == untimed(here.to_json())


def test_a_hundred_columns_of_census(spark, engines):
    census = shared_data("uci/census-income.data.gz")
    names = ["worker", "education", "marital", "industry", "occupation", "race", "sex", "employment", "household", "children", "income"]
    places = [1, 4, 7, 8, 9, 10, 12, 15, 23, 31, 41]
    with gzip.open(census, "rt") as file:
        rows = [[row[place].strip() for place in places] for row in csv.reader(file)]
    table = pa.table([pa.array(column) for column in zip(*rows)], names=names)
    settings = {"method": "mh-pc-f", "max_k": 2, "columns": "values"}
    local = concause.mine(table, "income=50000+.", **settings)
    assert local.data.columns == 100
    frame = spark.createDataFrame(table.to_pandas())
    found = concause.spark.mine(frame, "income=50000+.", **settings)
    assert untimed(found.to_json()) == untimed(local.to_json())
    assert engines[0].rounds <= 200
