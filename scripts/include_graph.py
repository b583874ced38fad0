#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints which module includes which, and how large each is: files, lines, and the median and 95th
percentile of the lines of its files and functions.

    scripts/include_graph.py              of this tree
    scripts/include_graph.py REVISION     of another revision of it
    scripts/include_graph.py --write      into docs/architecture.md, between its markers
"""

import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "architecture"))
import check_modules  # noqa: E402

BEGIN = "<!-- scripts/include_graph.py: begin -->"
END = "<!-- scripts/include_graph.py: end -->"
SUFFIXES = {".hpp", ".cpp", ".h"}
# clang-format leaves a function's first line with its brace at the end, and the closing brace alone
# at the same indentation: at the margin, or one step in for members of a class.
OPENS = re.compile(r"^(  )?(?!namespace|struct|class|enum|union|public|private|extern|if |for |while "
                   r"|switch |do |else|try|return|\})\S.*\) ?(const)? ?(noexcept)? ?(override)?"
                   r"( -> [\w:<>]+)?( try)? \{$|^(  )?      : .*\{$")


def module_of(path, root):
    """src/fem/a.cpp and include/supple/fem/a.hpp are fem; runtime is player; programs are theirs."""
    parts = path.relative_to(root).parts
    if parts[0] == "include":
        return parts[2] if len(parts) > 3 else None
    if parts[0] == "src":
        return parts[1]
    return "player" if parts[0] == "runtime" else parts[0]


def function_lengths(text):
    lengths, start, margin = [], None, ""
    for number, line in enumerate(text.splitlines()):
        if start is None:
            match = OPENS.match(line)
            if match:
                start, margin = number, match.group(1) or match.group(7) or ""
        elif line in (margin + "}", margin + "};"):
            lengths.append(number - start + 1)
            start = None
    return lengths


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))] if ordered else 0


def survey(root):
    """module -> (lines of each file, lines of each function), and module -> modules it includes."""
    sizes, includes = {}, {}
    graph = check_modules.include_graph(root)
    for path, others in graph.items():
        module = module_of(path, root)
        if module is None or module == "tests":
            continue
        text = path.read_text(encoding="utf-8")
        files, functions = sizes.setdefault(module, ([], []))
        files.append(text.count("\n"))
        functions.extend(function_lengths(text))
        targets = {module_of(other, root) for other in others} - {module, None}
        includes.setdefault(module, set()).update(targets)
    return sizes, includes


def reduced(includes):
    """Without what follows from the rest: a -> c where a -> b -> c."""
    def reachable(start):
        seen, stack = set(), list(includes.get(start, ()))
        while stack:
            module = stack.pop()
            if module not in seen:
                seen.add(module)
                stack.extend(includes.get(module, ()))
        return seen
    return {module: {target for target in targets
                     if not any(target in reachable(other) for other in targets - {target})}
            for module, targets in includes.items()}


def units(graph, root):
    """The include graph of units: a header together with the source of the same name and folder."""
    def unit(path):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[0] == "include":  # include/supple/fem/a.hpp belongs to src/fem/a.cpp
            parts = ("src", *parts[2:])
        return "/".join(parts)
    result = {}
    for path, others in graph.items():
        if module_of(path, root) not in (None, "tests"):
            result.setdefault(unit(path), set()).update(unit(other) for other in others)
    return {name: others - {name} for name, others in result.items()}


def report(root):
    sizes, includes = survey(root)
    lines = ["```mermaid", "graph BT"]
    for module, targets in sorted(reduced(includes).items()):
        lines += [f"  {module} --> {target}" for target in sorted(targets)]
        if not targets:
            lines.append(f"  {module}")
    lines += ["```", "",
              "| module | files | lines | median file | 95 % of files | median function | 95 % of functions |",
              "| --- | --- | --- | --- | --- | --- | --- |"]
    for module in sorted(sizes):
        files, functions = sizes[module]
        lines.append(f"| {module} | {len(files)} | {sum(files)} | {statistics.median(files):.0f} "
                     f"| {percentile(files, 0.95)} | {statistics.median(functions or [0]):.0f} "
                     f"| {percentile(functions, 0.95)} |")
    all_files = [n for files, _ in sizes.values() for n in files]
    lines.append(f"| all | {len(all_files)} | {sum(all_files)} | {statistics.median(all_files):.0f} "
                 f"| {percentile(all_files, 0.95)} | | |")
    graph = check_modules.include_graph(root)
    rings = check_modules.cycles(units(graph, root))
    largest = max((len(ring) for ring in rings), default=0)
    lines += ["", f"Cycles of includes: {len(check_modules.cycles(graph))} of files, "
              f"{len(rings)} of units (a header and its source), the largest of {largest} units, "
              f"{len(check_modules.cycles(includes))} of modules."]
    return "\n".join(lines)


def main(arguments):
    if arguments == ["--write"]:
        document = ROOT / "docs" / "architecture.md"
        text = document.read_text(encoding="utf-8")
        head, rest = text.split(BEGIN)
        document.write_text(head + BEGIN + "\n" + report(ROOT) + "\n" + END + rest.split(END)[1],
                            encoding="utf-8")
    elif arguments:
        with tempfile.TemporaryDirectory() as folder:
            archive = subprocess.run(["git", "-C", str(ROOT), "archive", arguments[0]], check=True,
                                     capture_output=True).stdout
            subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
            print(report(Path(folder).resolve()))
    else:
        print(report(ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
