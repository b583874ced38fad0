#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over src/, apps/ and samples/ in parallel, and skips units that passed before with
the same text, headers, flags, configuration and clang-tidy.

usage: scripts/tidy.py BUILD_DIRECTORY [PATH_PREFIX...]"""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / "build" / "tidy-cache"
# The static analyser stops exploring a function after so many states; its own limit, 225000, more
# than doubles the time of a run.
LIMIT = [arg for word in ("-analyzer-config", "max-nodes=20000")
         for arg in ("--extra-arg=-Xclang", f"--extra-arg={word}")]
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
    digest.update(entry.get("command", " ".join(entry.get("arguments", []))).encode())
    for path in sorted(own_files(Path(entry["file"]), set())):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def tidy(entry, build, marker):
    command = ["clang-tidy", "--quiet", "-p", str(build), *LIMIT, entry["file"]]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        marker.touch()
        return ""
    return result.stdout + "\n".join(
        line for line in result.stderr.splitlines() if "warnings generated" not in line)


def main():
    build = Path(sys.argv[1]).resolve()
    prefixes = sys.argv[2:] or ["src/", "apps/", "samples/"]
    entries = {e["file"]: e for e in json.loads((build / "compile_commands.json").read_text())}
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes() + " ".join(LIMIT).encode()
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
        if not marker.exists():
            pending.append((entry, marker))

    failures = 0
    jobs = int(os.environ.get("SUPPLE_JOBS", os.cpu_count() or 1))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(tidy, entry, build, marker) for entry, marker in pending]
        for run in concurrent.futures.as_completed(runs):
            if run.result():
                failures += 1
                print(run.result(), flush=True)
    print(f"{chosen} units, {len(pending)} checked now, {failures} with findings")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
