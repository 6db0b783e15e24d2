"""Fixtures of all tests."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

#: Seconds after which a process is taken to hang. No test fails because the machine is slow or busy.
PATIENCE = 1800

# A shell that starts the tests in the background lets them ignore Ctrl-C. Tests that press it would never end.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def shared_data(name: str) -> Path:
    """A file of the paper's data, which is not part of the project: as in tests/shared_data.rs."""
    folder = os.environ.get("CONCAUSE_DATA") or ROOT / "../shared/data"
    path = Path(folder) / name
    if not path.exists():
        assert os.environ.get("CI") != "true", f"{path} is absent, and CI=true requires it"
        pytest.skip(f"{path} is absent")
    return path


@pytest.fixture(scope="session")
def fire() -> str:
    """The example of the README, as a path from the root of the repository."""
    return "examples/fire.csv"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="session")
def program() -> str:
    """The path of the command `concause`."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = os.environ.get("CONCAUSE") or shutil.which("concause", path=f"{target / 'debug'}:{target / 'release'}")
    if not found:
        pytest.skip("the command concause is not built; run: cargo build")
    return found


@pytest.fixture(scope="session")
def command(program):
    """Runs the command `concause` and returns its output."""

    def run(*words):
        done = subprocess.run([program, *words], cwd=ROOT, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    return run


def untimed(text: str) -> str:
    """The JSON without the timings, which differ between two runs."""
    document = json.loads(text)
    assert set(document.pop("timing")) >= {"read_seconds", "search_seconds"}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def unsourced(text: str) -> str:
    """The JSON without the timings and the source of the data."""
    document = json.loads(untimed(text))
    del document["data"]["sources"], document["command"]
    return json.dumps(document)
