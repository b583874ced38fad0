#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on src/, apps/ and samples/ in parallel, and skips units that have passed with the
same text, headers, flags, configuration and clang-tidy.

Most of the time goes into library headers, which clang-tidy reads and searches again for every unit.
So units are checked together first, as one file that includes them and is compiled with the folders
and macros of them all. Only a group with findings, or one that does not compile, is checked again
unit by unit, and only that decides: a unit is never blamed for findings caused by its neighbours.

usage: scripts/tidy.py BUILD_DIRECTORY [PATH_PREFIX...]"""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Passed explicitly: clang-tidy looks for it above the file, and groups lie elsewhere.
CONFIGURATION = ROOT / ".clang-tidy"
# Shared by all clones, like the compiler's cache.
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "supple" / "tidy"
# The static analyser stops exploring a function after this many states; the default of 225000 more
# than doubles the time of a run.
LIMIT = [arg for word in ("-analyzer-config", "max-nodes=20000")
         for arg in ("--extra-arg=-Xclang", f"--extra-arg={word}")]
# In a group, units see each other's names; the build itself warns about shadowing.
TOGETHER = ["--extra-arg=-Wno-shadow", "--checks=-bugprone-suspicious-include"]
MOST_TOGETHER = 24
FORGOTTEN_AFTER = 60 * 24 * 3600  # s since a marker was last of use
# Macros and folders of headers: those of several units can be given together, other flags must agree.
JOINABLE = re.compile(r" (-D\S+|-I\S+|-isystem \S+)")
QUOTED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def own_files(path, seen):
    """The file and every header of ours that it includes, directly or not."""
    if path in seen:
        return seen
    seen.add(path)
    for name in QUOTED.findall(path.read_text(encoding="utf-8", errors="replace")):
        for base in (path.parent, ROOT / "include", ROOT / "src", ROOT):
            candidate = (base / name).resolve()
            if candidate.is_file():
                own_files(candidate, seen)
                break
    return seen


def key_of(entry, common):
    digest = hashlib.sha256(common)
    digest.update(entry["command"].replace(str(ROOT), "").encode())
    for path in sorted(own_files(Path(entry["file"]), set())):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def units_of(entry):
    """The sources of one line of compile_commands.json, each with the command that compiles it
    alone: a unity build names files that include several."""
    path = Path(entry["file"])
    sources = [entry["file"]]
    if path.parent.name == "Unity" and path.is_file():
        sources = QUOTED.findall(path.read_text(encoding="utf-8"))
    return [{"directory": entry["directory"], "file": source,
             "command": entry["command"].replace(entry["file"], source)} for source in sources]


def joinable(entry):
    return dict.fromkeys(JOINABLE.findall(entry["command"]))


def other_flags(entry):
    return entry["directory"] + re.sub(r" -o \S+ -c \S+$", "", JOINABLE.sub("", entry["command"]))


def contradict(flags):
    """Whether a macro has two values."""
    names = [flag.partition("=")[0] for flag in flags if flag.startswith("-D")]
    return len(set(names)) < len(names)


def grouped(units):
    """Lists of units that can be compiled together, the longest first."""
    groups = []
    for entry, marker in units:
        for group in groups:
            joined = {flag for unit, _ in group for flag in joinable(unit)} | joinable(entry).keys()
            if (other_flags(group[0][0]) == other_flags(entry) and len(group) < MOST_TOGETHER
                    and not contradict(joined)):
                break
        else:
            group = []
            groups.append(group)
        group.append((entry, marker))
    return sorted(groups, key=len, reverse=True)


def joined_entry(units):
    """The command of the first unit, with the macros and folders of all."""
    first = units[0][0]
    own = joinable(first)
    added = {flag: None for unit, _ in units for flag in joinable(unit) if flag not in own}
    command = first["command"].replace(" -o ", "".join(f" {flag}" for flag in added) + " -o ", 1)
    return {**first, "command": command}


def findings_in(file, database, *options):
    """clang-tidy's findings in a file; empty if it passes."""
    command = ["clang-tidy", "--quiet", f"--config-file={CONFIGURATION}", "-p", str(database), *LIMIT, *options, str(file)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return ""
    return f"{file}:\n{result.stdout}" + "\n".join(
        line for line in result.stderr.splitlines() if "warnings generated" not in line)


def checked(file, entry, *options):
    """clang-tidy's findings in a file compiled like `entry`."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "compile_commands.json").write_text(json.dumps([{
            "directory": entry["directory"], "file": str(file),
            "command": entry["command"].replace(entry["file"], str(file))}]))
        return findings_in(file, folder, *options)


def content_together(units):
    """Whether one file that includes all of these units passes clang-tidy."""
    with tempfile.TemporaryDirectory() as folder:
        # The static analyser treats included files as code only in a file with this name.
        file = Path(folder) / "UnifiedSource.cpp"
        file.write_text("".join(f'#include "{unit["file"]}"\n' for unit, _ in units))
        return not checked(file, joined_entry(units), *TOGETHER)


def tidy(units):
    """The findings of each unit that has some; the others are marked as passed."""
    if len(units) > 1 and content_together(units):
        for _, marker in units:
            marker.touch()
        return []
    found = []
    for entry, marker in units:
        text = checked(entry["file"], entry)
        if text:
            found.append(text)
        else:
            marker.touch()
    return found


def forget_old_markers():
    for marker in CACHE.iterdir():
        if marker.stat().st_mtime < time.time() - FORGOTTEN_AFTER:
            marker.unlink(missing_ok=True)


def main():
    build = Path(sys.argv[1]).resolve()
    prefixes = sys.argv[2:] or ["src/", "apps/", "samples/"]
    commands = json.loads((build / "compile_commands.json").read_text())
    entries = {unit["file"]: unit for entry in commands for unit in units_of(entry)}
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    common = version + CONFIGURATION.read_bytes() + " ".join(LIMIT + TOGETHER).encode()
    CACHE.mkdir(parents=True, exist_ok=True)

    pending = []
    chosen = 0
    for file, entry in sorted(entries.items()):
        path = Path(file)
        if not path.is_relative_to(ROOT) or not path.is_file():
            continue
        if not path.relative_to(ROOT).as_posix().startswith(tuple(prefixes)):
            continue
        chosen += 1
        marker = CACHE / key_of(entry, common)
        if marker.exists():
            marker.touch()
        else:
            pending.append((entry, marker))
    forget_old_markers()

    failures = 0
    groups = grouped(pending)
    jobs = int(os.environ.get("SUPPLE_JOBS", os.cpu_count() or 1))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(tidy, group) for group in groups]
        for run in concurrent.futures.as_completed(runs):
            for text in run.result():
                failures += 1
                print(text, flush=True)
    print(f"{chosen} units, {len(pending)} checked now in {len(groups)} groups, "
          f"{failures} with findings")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
