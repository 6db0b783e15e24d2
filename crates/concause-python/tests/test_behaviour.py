"""Behaviour in a process: threads, signals, progress, pickling, output."""

import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import concause
import pyarrow
import pytest

from conftest import PATIENCE, unsourced


@pytest.fixture(scope="module")
def slow():
    """Data and settings for which a search takes hours, so that only a limit or a signal ends it."""
    data = concause.simulate("wide", seed=1)
    return data, {"target": "T", "method": "mh-pc-f", "max_level": 3, "alpha": 0.5, "stability": 1_000_000}


@contextmanager
def interrupted_after(event):
    """Sends Ctrl-C once the event is set, and expects that the code inside is interrupted."""

    def press():
        event.wait()
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press, daemon=True)
    presser.start()
    with pytest.raises(KeyboardInterrupt):
        yield
    presser.join()


def test_ctrl_c_is_honoured_during_the_search(slow):
    data, settings = slow
    searching = threading.Event()
    with interrupted_after(searching):
        concause.mine(data, **settings, progress=lambda *stage: searching.set())


def test_ctrl_c_is_honoured_while_data_is_read():
    batch = pyarrow.record_batch({"a": [0, 1] * 50, "t": [0, 1] * 50})
    reading, released = threading.Event(), threading.Event()

    def batches():
        try:
            while True:
                yield batch
                reading.set()
                time.sleep(0.01)  # endless data that does not fill the memory
        finally:
            released.set()

    with interrupted_after(reading):
        concause.mine(pyarrow.RecordBatchReader.from_batches(batch.schema, batches()), "t")
    # The background thread also stops reading.
    assert released.wait(PATIENCE)


def test_a_time_limit_returns_the_result_so_far(slow):
    data, settings = slow
    result = concause.mine(data, **settings, time_limit=0.2)
    assert result.complete is False


def test_the_lock_is_released(slow):
    data, settings = slow
    searching, ticked = threading.Event(), threading.Event()

    def tick():
        searching.wait()
        for _ in range(100):
            time.sleep(0.001)  # releases the lock and must acquire it again
        ticked.set()

    threading.Thread(target=tick, daemon=True).start()
    # A search that held the lock would end by its limit, without an interrupt.
    with interrupted_after(ticked):
        concause.mine(data, **settings, time_limit=PATIENCE, progress=lambda *stage: searching.set())


def test_progress_is_reported_and_its_exception_stops_the_run(slow):
    data, settings = slow
    told = []

    def refuse(*stage):
        told.append(stage)
        if stage[2] is not None:
            raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        concause.mine(data, **settings, progress=refuse)
    assert all(len(stage) == 3 and isinstance(stage[0], str) for stage in told)
    _, done, total = told[-1]
    assert 0 <= done <= total


def test_bars_go_to_standard_error(slow, capsys, monkeypatch):
    data, settings = slow
    written = threading.Event()
    usual = sys.stderr.write

    def write(text):
        written.set()
        return usual(text)

    monkeypatch.setattr(sys.stderr, "write", write)
    with interrupted_after(written):
        concause.mine(data, **settings, progress=True)
    said = capsys.readouterr()
    assert said.out == "" and said.err != ""


def test_nothing_is_printed(fire, capfd, caplog):
    caplog.set_level(logging.INFO, logger="concause")
    result = concause.mine(fire, "fire")
    concause.encode(fire, "fire")
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")
    assert result.notices[0] in caplog.messages


def test_results_are_pickled(fire):
    result = concause.mine(fire, "fire")
    again = pickle.loads(pickle.dumps(result))
    assert again == result and again.to_json() == result.to_json()
    assert repr(again) == repr(result)
    with pytest.raises(concause.ConcauseError, match="mine the data again"):
        again.explain("wind")
    objects = [
        result.causes[0],
        result.target,
        result.explain("wind"),
        concause.test(fire, "fire", "wind"),
        concause.compare(fire, "fire", "mh-pc-f"),
        concause.evaluate(result, {"target": "fire", "causes": [["lightning"]]}),
    ]
    for one in objects:
        copy = pickle.loads(pickle.dumps(one))
        assert copy == one and str(copy) == str(one) and hash(copy) == hash(one)
    error = pickle.loads(pickle.dumps(concause.InputError("a sentence")))
    assert isinstance(error, concause.InputError) and str(error) == "a sentence"


def test_many_threads_at_once(fire):
    expected = unsourced(concause.mine(fire, "fire").to_json())
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: concause.mine(fire, "fire"), range(16)))
        explained = list(pool.map(lambda result: str(result.explain("wind")), results))
    assert {unsourced(result.to_json()) for result in results} == {expected}
    assert len(set(explained)) == 1


PROCESSES = """
import multiprocessing, sys, concause

def mined(path):
    return [cause.name for cause in concause.mine(path, "fire").causes]

if __name__ == "__main__":
    path, start = sys.argv[1:]
    here = mined(path)
    with multiprocessing.get_context(start).Pool(2) as pool:
        assert here and pool.map(mined, [path] * 4) == [here] * 4
"""


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_other_processes(fire, start, tmp_path):
    # In a separate interpreter, because threads of other packages do not survive a fork.
    script = tmp_path / "processes.py"
    script.write_text(PROCESSES)
    subprocess.run([sys.executable, script, fire, start], check=True, timeout=PATIENCE)


def test_results_do_not_change(fire):
    result = concause.mine(fire, "fire")
    with pytest.raises(AttributeError, match="results are read-only"):
        result.complete = False
    with pytest.raises(AttributeError, match="no attribute 'cause'"):
        result.cause
    result.to_dict()["causes"].clear()
    assert len(result.causes) == len(result) > 0


def test_files_are_written_atomically(fire, tmp_path):
    result = concause.mine(fire, "fire")
    result.to_json(tmp_path / "found.json")
    assert (tmp_path / "found.json").read_text() == result.to_json()
    assert concause.Result.from_json((tmp_path / "found.json").read_text()) == result
    with pytest.raises(concause.RunError, match="cannot be written"):
        result.to_json(tmp_path / "nowhere" / "found.json")
    assert [path.name for path in tmp_path.iterdir()] == ["found.json"]
    with pytest.raises(concause.InputError, match="not JSON"):
        concause.Result.from_json("{")


def test_it_imports_without_any_other_package(tmp_path):
    code = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in {'numpy','pandas','polars','pyarrow','sklearn','tqdm','pyspark','dask'}:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
        "import concause\n"
        "result = concause.mine({'a': [0, 1] * 40, 't': [0, 1] * 40}, 't', progress=True)\n"
        "assert [cause.name for cause in result.causes] == ['a']\n"
        "try:\n    result.to_pandas()\n"
        "except concause.MissingPackageError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "to_pandas() needs the package pandas; install it: pip install pandas\n"
