"""What Python costs over the command: the same search by both, in turn, in processes of their own.

    python crates/concause-python/benches/overhead.py target/release/concause mine DATA… --target T …

Seconds of processor are those of all threads of the process, from its start to its end; least of so many rounds.
"""

import json
import os
import resource
import subprocess
import sys
import time

ROUNDS = 7

CALL = """
import json, sys, concause
data, settings = json.loads(sys.argv[1])
sys.stdout.write(concause.mine(data, **settings).to_json())
"""


def keywords(words):
    """The data and the keywords of the words of a command line."""
    data, settings, place = [], {}, 0
    while place < len(words):
        word, following = words[place], words[place + 1 : place + 2]
        place += 1
        if not word.startswith("--"):
            data.append(word)
        elif following and not following[0].startswith("--"):
            settings[word[2:].replace("-", "_")] = following[0]
            place += 1
        else:
            settings[word[2:].replace("-", "_")] = True
    return data, settings


def run(command):
    """What a command prints, and the seconds it took by the clock and of processors."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(printed), time.monotonic() - start, processor


def main():
    command, verb, *words = sys.argv[1:]
    assert verb == "mine"
    by_command = [command, "mine", *words, "--format", "json", "--quiet"]
    by_package = [sys.executable, "-c", CALL, json.dumps(keywords(words))]
    least = {}
    for _ in range(int(os.environ.get("ROUNDS", ROUNDS))):
        found = {}
        for name, words_of in (("command", by_command), ("package", by_package)):
            found[name], *seconds = run(words_of)
            least[name] = [min(pair) for pair in zip(least.get(name, seconds), seconds)]
        for result in found.values():
            del result["timing"]
        assert found["command"] == found["package"], "the results differ"
    for place, what in enumerate(["by the clock", "of processors"]):
        command_took, package_took = least["command"][place], least["package"][place]
        share = (package_took / command_took - 1) * 100
        print(f"{what}: command {command_took:.2f} s, package {package_took:.2f} s, {share:+.1f} %")


if __name__ == "__main__":
    main()
