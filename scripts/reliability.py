#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills and interrupts supple at many moments, and prints what that left behind as Markdown.

    scripts/reliability.py build/release/bin/supple                  # 100 of each, many minutes
    scripts/reliability.py build/release/bin/supple --part aimed     # only these kills
    scripts/reliability.py build/release/bin/supple --kills 6 --signals 1

Random kills come at any moment of a run. Aimed kills come just before one of the calls by which a
run puts its files in place (fsync, link, rename, unlink), by a small library that is loaded into
the program. After each kill all files must be old or new, never half; a .glb and a .supple of
different bakes must be refused by 'supple check --mesh'; and the next run must leave exactly the
files it writes. Signals must be answered within a second, by 130 and without temporary files. The
exit status is 0 if all this holds.
"""
import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PARTS = ("random", "aimed", "signals")
PATIENCE = 300  # seconds for a run; a busy machine must not make this fail

KILLER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int calls;

/* Kills before call number $SUPPLE_KILL_AT, or counts the calls in the file $SUPPLE_KILL_COUNT. */
static void count(void) {
  const int number = ++calls;
  const char* at = getenv("SUPPLE_KILL_AT");
  const char* file = getenv("SUPPLE_KILL_COUNT");
  if (at && atoi(at) == number) kill(getpid(), SIGKILL);
  if (file) {
    FILE* out = fopen(file, "w");
    if (out) fprintf(out, "%d", number), fclose(out);
  }
}

int rename(const char* a, const char* b) {
  count();
  return ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename"))(a, b);
}
int link(const char* a, const char* b) {
  count();
  return ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "link"))(a, b);
}
int unlink(const char* a) {
  count();
  return ((int (*)(const char*))dlsym(RTLD_NEXT, "unlink"))(a);
}
int fsync(int a) {
  count();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(a);
}
"""


class Job:
    """A command in two variants whose files differ, with the folder it writes to."""

    def __init__(self, name, program, folder, variants):
        self.name, self.program, self.folder = name, program, folder
        self.variants = variants
        self.expected = []  # per variant: {file: hash}
        self.seconds = 0.0
        self.calls = 0

    def command(self, variant):
        return [self.program] + self.variants[variant]

    def files(self):
        return {
            str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }

    def run(self, variant):
        subprocess.run(self.command(variant), check=True, timeout=PATIENCE,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def learn(self, library, scratch):
        for variant in range(len(self.variants)):
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir()
            start = time.monotonic()
            self.run(variant)
            self.seconds = max(self.seconds, time.monotonic() - start)
            self.expected.append(self.files())
        count = scratch / "count"  # of a run that replaces files
        subprocess.run(self.command(0), check=True, timeout=PATIENCE, stderr=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL,
                       env={**os.environ, "LD_PRELOAD": library, "SUPPLE_KILL_COUNT": str(count)})
        self.calls = int(count.read_text())


class Tally:
    def __init__(self):
        self.kills = self.too_late = self.leftovers = self.mixed = self.remain = 0
        self.problems = []


def check_after_kill(job, tally):
    """Whole files only; mixed pairs are refused."""
    found = job.files()
    known = set().union(*(expected for expected in job.expected))
    tally.leftovers += any(name not in known for name in found)
    for name in known & found.keys():
        if all(found[name] != expected.get(name) for expected in job.expected):
            tally.problems.append(f"{job.name}: {name} is neither old nor new")
    for name in found:
        glb = name.removesuffix(".supple") + ".glb"
        if not name.endswith(".supple") or glb not in found or name not in known:
            continue
        pair = any((found[name], found[glb]) == (expected.get(name), expected.get(glb))
                   for expected in job.expected)
        tally.mixed += not pair
        accepted = subprocess.run([job.program, "check", job.folder / name, "--mesh",
                                   job.folder / glb], capture_output=True).returncode == 0
        if accepted != pair:
            tally.problems.append(f"{job.name}: check says {accepted} of a pair that is {pair}")


def check_after_next_run(job, variant, tally):
    job.run(variant)
    if job.files() != job.expected[variant]:
        names = sorted(set(job.files()) ^ set(job.expected[variant]))
        tally.remain += 1
        tally.problems.append(f"{job.name}: the next run left {names or 'other bytes'}")


def kill_once(job, library, tally):
    """The folder contains the files of one variant; a run of another one is killed."""
    variant = random.randrange(len(job.variants))
    environment = dict(os.environ)
    if library:
        environment |= {"LD_PRELOAD": library,
                        "SUPPLE_KILL_AT": str(random.randint(1, job.calls))}
    process = subprocess.Popen(job.command(variant), env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    if not library:
        time.sleep(random.uniform(0, job.seconds))
        process.kill()
    tally.kills += 1
    tally.too_late += process.wait(PATIENCE) != -signal.SIGKILL
    check_after_kill(job, tally)
    check_after_next_run(job, random.randrange(len(job.variants)), tally)


def campaign(jobs, kills, library):
    tallies = {job.name: Tally() for job in jobs}
    for number in range(kills):
        job = jobs[number % len(jobs)]
        kill_once(job, library, tallies[job.name])
    return tallies


def temporaries(folder):
    return [path.name for path in folder.rglob("*") if ".part-" in path.name or ".old-" in path.name]


def has_ended(pid):
    """Whether nothing of the program runs any more. After that only the system works: it frees the
    memory, which on a busy machine can take seconds."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def signal_once(program, arguments, seconds, folder):
    """Seconds until the program ended, what was wrong with that, and whether it had ended before.
    Servers end with status 0."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    process = subprocess.Popen([program] + arguments, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=environment)
    time.sleep(random.uniform(0.02, seconds))
    number = random.choice([signal.SIGINT, signal.SIGTERM])
    early = process.poll() is not None
    start = time.monotonic()
    if not early:
        process.send_signal(number)
    while not has_ended(process.pid) and time.monotonic() - start < PATIENCE:
        time.sleep(0.002)
    answer = time.monotonic() - start
    status = process.wait(PATIENCE)
    # Until it waits for signals, which takes milliseconds, a signal ends it as usual.
    good = status == 0 or (not early and status in (130, -number))
    serves = arguments[0] in ("view", "demo")
    left = temporaries(folder)
    for name in left:  # so that the next run is not blamed for them
        for path in folder.rglob(name):
            path.unlink()
    wrong = "" if good and not left else f"status {status}, left {left}"
    return answer, wrong, early or (status == 0 and not serves)


def signalled(program, name, arguments, seconds, count, folder, allowed):
    answers, late, problems = [], 0, []
    for _ in range(count):
        answer, wrong, too_late = signal_once(program, arguments, seconds, folder)
        late += too_late
        if not too_late:
            answers.append(answer)
        if wrong:
            problems.append(f"{name}: a signal was not answered well: {wrong}")
        if answer > allowed:
            problems.append(f"{name}: a signal was answered after {answer:.2f} s")
    return max(answers, default=0.0), len(answers), late, problems


def build_killer(scratch):
    source, library = scratch / "killer.c", scratch / "killer.so"
    source.write_text(KILLER)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return str(library)


def make_jobs(program, scratch):
    flesh = scratch / "flesh.glb"
    subprocess.run([program, "bake", "--sample", "tissue", "--elements", "400", "-o", flesh, "-q"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def job(name, *variants):
        folder = scratch / name.replace(" ", "")
        return Job(name, program, folder,
                   [[word.replace("OUT", str(folder / "out")) for word in line.split()]
                    for line in variants])

    soft = flesh.with_suffix(".supple")
    play = f"play {soft} --character {flesh} -o OUT.glb --csv OUT.csv --motion "
    viewer = scratch / "viewer"  # stands for the built one: a folder that is copied
    viewer.mkdir()
    for number in range(20):
        (viewer / ("index.html" if number == 0 else f"{number}.js")).write_text("x" * 5000)
    second = shutil.copy(flesh, scratch / "second.glb")
    export = f"view --viewer {viewer} --export OUT {flesh}"
    return [
        job("view --export", export, f"{export} {second}"),
        job("bake", "bake --sample tissue --elements 300 -o OUT.glb --write-config OUT.toml",
            "bake --sample tissue --elements 500 -o OUT.glb --write-config OUT.toml"),
        job("shell", "shell --sample leaf --modes 4 --record gravity --seconds 1 -o OUT.glb",
            "shell --sample leaf --modes 6 --record gravity --seconds 1 -o OUT.glb"),
        job("play", play + "jump", play + "turn"),
        job("modes", "modes --sample bracket --elements 400 -n 3 --write txt,vtu,glb -o OUT",
            "modes --sample bracket --elements 500 -n 3 --write txt,vtu,glb -o OUT"),
        job("simulate", "simulate --sample cubes --small --seconds 0.05 -o OUT.glb -o OUT.pc2",
            "simulate --sample cubes --small --seconds 0.1 -o OUT.glb -o OUT.pc2"),
    ]


def signal_cases(scratch):
    """Long runs of every command, with the longest wait before the signal."""
    flesh, out = scratch / "flesh.glb", scratch / "signals"
    out.mkdir()
    soft = flesh.with_suffix(".supple")
    return [
        ("bake", f"bake --sample dyrt-man -o {out}/a.glb", 20),
        ("shell", f"shell --sample dancer --modes 60 -o {out}/a.glb", 2),
        ("modes", f"modes --sample bracket --elements 60000 -n 40 -o {out}/a", 10),
        ("play", f"play {soft} --character {flesh} --motion sine --rate 1000 -o {out}/a.glb", 0.12),
        ("simulate", f"simulate --sample cubes -o {out}/a.glb", 5),
        ("scene", f"scene --sample plant -o {out}/scene.glb", 10),
        ("swim", f"swim crawl --seconds 600 -o {out}/a.glb", 5),
        ("swim optimise", f"swim optimise crawl -o {out}/a.toml", 10),
        ("render", f"render {flesh} --flesh {soft} -o {out}/a.mp4", 10),
        ("view", f"view {flesh} --no-browser", 2),
        ("demo", f"demo --no-browser -o {out}/demo", 20),
    ], out


def kill_table(title, tallies):
    lines = [f"| {title} | kills | ended before | left temporary files | mixed pair, refused | "
             "left after the next run |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for name, tally in tallies.items():
        lines.append(f"| `{name}` | {tally.kills} | {tally.too_late} | {tally.leftovers} | "
                     f"{tally.mixed} | {tally.remain} |")
    return "\n".join(lines)


def run_kills(jobs, options, library):
    problems = []
    for part, title, preload in (("random", "random kills", None),
                                 ("aimed", "kills aimed at renames", library)):
        if part not in options.part:
            continue
        tallies = campaign(jobs, options.kills, preload)
        problems += [text for tally in tallies.values() for text in tally.problems]
        print(kill_table(title, tallies) + "\n", flush=True)
    return problems


def run_signals(program, scratch, options):
    problems = []
    cases, folder = signal_cases(scratch)
    print("| signals | answered | ended before | slowest answer (s) |")
    print("| --- | ---: | ---: | ---: |")
    for case, line, seconds in cases:
        if options.only and options.only != case:
            continue
        slowest, answered, late, wrong = signalled(program, case, line.split(), seconds,
                                                   options.signals, folder, options.answer)
        problems += wrong
        print(f"| `{case}` | {answered} | {late} | {slowest:.2f} |", flush=True)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part")
    parser.add_argument("--kills", type=int, default=100, help="of each kind (100)")
    parser.add_argument("--signals", type=int, default=10, help="for each command (10)")
    parser.add_argument("--kill", help="kills only of this command")
    parser.add_argument("--only", help="signals only for this command")
    parser.add_argument("--answer", type=float, default=1.0, help="seconds for a signal (1)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.part = options.part or PARTS
    random.seed(options.seed)
    program = str(options.program.resolve())
    problems = []
    with tempfile.TemporaryDirectory(prefix="reliability-") as name:
        scratch = Path(name)
        library = build_killer(scratch)
        jobs = [job for job in make_jobs(program, scratch)
                if options.kill in (None, job.name)]
        if options.part != ["signals"]:
            for job in jobs:
                job.learn(library, scratch)
            problems += run_kills(jobs, options, library)
        if "signals" in options.part:
            problems += run_signals(program, scratch, options)
    for text in problems:
        print(f"error: {text}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
