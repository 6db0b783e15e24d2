"""Settings, results and mistakes, as seen by a type checker."""

import re
import subprocess
import sys

SCRIPT = """
import concause

result = concause.mine("fire.csv", "fire", max_k=2, forbid=["wind"], time_limit="10m")
reveal_type(result.causes[0].name)  # str
reveal_type(result.explain("wind"))  # Explanation
reveal_type(result.explain(["wind"]))  # list[Explanation]
reveal_type(result.plot())  # Picture
reveal_type(concause.test({"a": [1]}, "a", "b").p_value)  # float | None
reveal_type(concause.simulate("syn-7", rows=100).target)  # str
concause.mine("fire.csv", "fire", max_j=2)  # error
concause.mine("fire.csv", "fire", max_k="two")  # error
concause.mine("fire.csv")  # error
"""


def test_settings_and_results_are_typed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    # The first message for each line; notes may follow an error.
    told = dict(reversed(re.findall(r"script\.py:(\d+): (.*)", done.stdout)))
    for number, line in enumerate(SCRIPT.splitlines(), start=1):
        _, marked, expected = line.partition("  # ")
        if not marked:
            assert str(number) not in told, told[str(number)]
        elif expected == "error":
            assert told[str(number)].startswith("error: "), line
        else:
            assert re.sub(r"(\w+\.)+", "", told[str(number)]) == f'note: Revealed type is "{expected}"', line
