"""The wheel in an environment without other packages."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from conftest import ROOT, untimed


@pytest.fixture(scope="module")
def wheel():
    """The wheel under test."""
    named = os.environ.get("CONCAUSE_WHEEL")
    if not named:
        pytest.skip("CONCAUSE_WHEEL does not name the wheel; crates/concause-python/test does")
    return Path(named)


def test_the_example_of_the_readme_gives_the_json_of_the_command_in_an_empty_environment(wheel, command, fire, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--disable-pip-version-check", wheel], check=True)
    example = (ROOT / "README.md").read_text().split("```pycon\n")[1].split("```")[0]
    lines = [line.removeprefix(">>> ") for line in example.splitlines() if line.startswith(">>> ")]
    script = tmp_path / "example.py"
    script.write_text("\n".join([*lines, "import sys", "sys.stderr.write(json)"]))
    done = subprocess.run([python, "-I", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == (
        "dry_brush is not a cause of fire (probability .00): "
        "adding it to the best model lowers the log posterior by 4.63\n"
    )
    assert untimed(done.stderr) == untimed(command("mine", fire, "--target", "fire", "--format", "json"))


def test_the_wheel_is_complete_and_fits_all_versions(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "cp311-abi3" in wheel.name
    assert {"concause/__init__.py", "concause/py.typed", "concause/_native.pyi", "concause/_native.abi3.so"} <= set(names)
    assert not [name for name in names if "test" in name or name.endswith((".rs", ".pyc"))]
