#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a build through ctest, except those that have passed with the same inputs: the
test program, the programs and files that it needs (its REQUIRED_FILES), and the data that any test
reads. The last line counts the skipped tests. CI=true, as on build machines, runs them all.

usage: scripts/run_tests.py BUILD_DIRECTORY [CTEST_ARGUMENTS...]"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Data that tests read in addition to their REQUIRED_FILES. Sources are part of the programs.
DATA = ["tests", "docs", "examples", "runtime/shaders", "src/bake/strokes", "web/scripts",
        "web/package-lock.json", "../shared/assets", "../shared/oracles"]
COMPILED = {".cpp", ".hpp", ".c", ".h", ".md"}
PASSED = re.compile(r"^ *\d+/\d+ Test +#(\d+): .* Passed ")


class Hashes:
    """SHA-256 of files and folders, each read once."""

    def __init__(self):
        self.known = {}

    def of(self, path):
        if path not in self.known:
            digest = hashlib.sha256()
            if path.is_dir():
                for file in sorted(p for p in path.rglob("*") if p.is_file()):
                    digest.update(file.relative_to(path).as_posix().encode() + self.of(file))
            elif path.is_file():
                digest.update(path.read_bytes())
            self.known[path] = digest.digest()
        return self.known[path]

    def of_data(self):
        digest = hashlib.sha256()
        for path in (ROOT / name for name in DATA):
            for file in [path] if path.is_file() else sorted(path.rglob("*")):
                if file.is_file() and file.suffix not in COMPILED and "__pycache__" not in file.parts:
                    digest.update(os.path.relpath(file, ROOT).encode() + self.of(file))
        return digest.digest()


def listed(build, arguments):
    """The tests that ctest would run, by the number it gives them in the whole list."""
    def show(*more):
        text = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1", *more],
                              capture_output=True, text=True, check=True).stdout
        return json.loads(text)["tests"]

    numbers = {test["name"]: number for number, test in enumerate(show(), 1)}
    return {numbers[test["name"]]: test for test in show(*arguments)}


def without_selection(arguments):
    """The numbers replace -R, because ctest would count within its selection."""
    left = list(arguments)
    for option in ("-L", "-LE", "-R", "-E"):
        while option in left:
            place = left.index(option)
            del left[place:place + 2]
    return left


def fingerprint(test, hashes, data):
    digest = hashlib.sha256(data)
    digest.update(json.dumps([test["name"], test.get("command"), test.get("properties")]).encode())
    needed = [Path(test["command"][0])] if test.get("command") else []
    for entry in test.get("properties", []):
        if entry["name"] == "REQUIRED_FILES":
            needed += [Path(file) for file in entry["value"]]
    for path in needed:
        digest.update(hashes.of(path))
    return digest.hexdigest()


def is_always_run(test):
    """Checks of the source tree read all of it; fixtures create inputs of other tests."""
    return test["name"].startswith("architecture.") or any(
        entry["name"] == "FIXTURES_SETUP" for entry in test.get("properties", []))


def main():
    build, arguments = Path(sys.argv[1]).resolve(), sys.argv[2:]
    marks = build / "passed_tests.json"
    passed = json.loads(marks.read_text()) if marks.is_file() else {}
    tests = listed(build, [a for a in arguments if a != "--output-on-failure"])
    if not tests:
        print("no tests: build them first")
        return 1
    hashes = Hashes()
    data = hashes.of_data()
    prints = {number: fingerprint(test, hashes, data) for number, test in tests.items()}
    everything = os.environ.get("CI") == "true"
    chosen = [number for number, test in tests.items()
              if everything or is_always_run(test) or passed.get(test["name"]) != prints[number]]
    command = ["ctest", "--test-dir", str(build), "--output-on-failure",
               "-I", "0,0,0," + ",".join(map(str, chosen)), *without_selection(arguments)]
    status = 0
    if chosen:
        environment = dict(os.environ, PATH=os.environ.get("SUPPLE_PATH", os.environ["PATH"]))
        run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        for line in run.stdout:
            print(line, end="", flush=True)
            match = PASSED.match(line)
            if match and int(match[1]) in tests:
                number = int(match[1])
                passed[tests[number]["name"]] = prints[number]
        status = run.wait()
        marks.write_text(json.dumps(passed))
    if len(chosen) < len(tests):
        print(f"{len(tests) - len(chosen)} tests passed before with the same inputs, not run again")
    return status


if __name__ == "__main__":
    sys.exit(main())
