"""What the tests share."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def fire() -> str:
    """The example of the README, as a path from the root of the repository."""
    return "examples/fire.csv"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="session")
def command():
    """Runs the command `concause` and gives what it prints."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = os.environ.get("CONCAUSE") or shutil.which("concause", path=f"{target / 'release'}:{target / 'debug'}")
    if not found:
        pytest.skip("the command concause is not built; run: cargo build")

    def run(*words):
        done = subprocess.run([found, *words], cwd=ROOT, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    return run


def untimed(text: str) -> str:
    """JSON without what differs between two runs: how long they took."""
    document = json.loads(text)
    assert set(document.pop("timing")) >= {"read_seconds", "search_seconds"}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def unsourced(text: str) -> str:
    """JSON also without where the data came from."""
    document = json.loads(untimed(text))
    del document["data"]["sources"], document["command"]
    return json.dumps(document)
