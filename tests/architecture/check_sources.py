#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what every source file must have: the SPDX line, #pragma once in headers, citation keys that
resolve in docs/references.bib, and names in anonymous namespaces that no other source of the same
module declares, because unity builds compile them together. Exit status 1 on any violation."""

import re
import subprocess
import sys
from pathlib import Path

SPDX = "SPDX-License-Identifier: Apache-2.0"
HEADERS = {".hpp", ".h"}
CODE = HEADERS | {".cpp", ".glsl"}
OTHER = {".cmake", ".py", ".sh", ".mjs", ".js", ".ts"}
BRACKETS = re.compile(r"\[([^\[\]]+)\]")
KEY = re.compile(r"^(?:[A-Z][A-Za-z]+\d{2}[a-z]?|MMY)$")
# An anonymous namespace as formatted by clang-format, and declarations at its margin: a type, or a
# constant. Functions may share a name, as overloads do; the compiler sees those that clash.
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)
ANONYMOUS = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.M | re.S)
DECLARED = re.compile(r"^(?:(?:struct|class|enum class|enum) (\w+)(?= |;|$)"
                      r"|(?:static |inline |thread_local )*const(?:expr)? [\w:<>, *&]*?(\w+)(?= =|\{|\())", re.M)
LOCAL = re.compile(r"^ +(?:static )?constexpr [\w:<>, *&]*?(k[A-Z]\w*)(?= =|\{)", re.M)


def tracked_files(root):
    """Tracked files and new ones that git does not ignore; without git, all but build trees."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"]
    result = subprocess.run(command, capture_output=True, check=False)
    if result.returncode == 0:
        names = [name for name in result.stdout.decode().split("\0") if name]
    else:
        names = [p.relative_to(root).as_posix() for p in root.rglob("*")
                 if not {"build", "out", "node_modules", ".git"} & set(p.relative_to(root).parts)]
    return sorted(path for path in (root / name for name in names) if path.is_file())


def bibliography(root):
    text = (root / "docs" / "references.bib").read_text(encoding="utf-8")
    return set(re.findall(r"^@\w+\{([^,\s]+),", text, re.M))


def cited_keys(line, is_code):
    """Keys in square brackets: anywhere in prose, in comments only in code."""
    if is_code:
        start = line.find("//")
        if start < 0:
            return
        line = line[start:]
    for group in BRACKETS.findall(line):
        for part in re.split(r"[,;]", group):
            word = part.split()[0] if part.split() else ""
            if KEY.match(word):
                yield word


def needs_spdx(path):
    if path.suffix in CODE | OTHER or path.name == "CMakeLists.txt":
        return True
    if path.suffix:
        return False
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def check_file(path, name, keys):
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    if needs_spdx(path) and not any(SPDX in line for line in lines[:2]):
        yield f"{name}:1: lacks '{SPDX}'"
    # A .h file is C, for compilers of any kind: the old guard.
    guards = ("#ifndef ",) if path.suffix == ".h" else ("#pragma once",)
    if path.suffix in HEADERS and not any(line.strip().startswith(guards) for line in lines):
        yield f"{name}:1: lacks {guards[0].strip()}"
    if path.suffix in CODE or path.suffix == ".md":
        for number, line in enumerate(lines, 1):
            for key in cited_keys(line, path.suffix in CODE):
                if key not in keys:
                    yield f"{name}:{number}: [{key}] is not in docs/references.bib"


def module_of(path, root):
    """src/fem for src/fem/material.cpp and for all that lies deeper, gallery for gallery/card.cpp."""
    return "/".join(path.relative_to(root).parent.parts[:2])


def shared_names(root, files):
    """Names that two sources of one module declare for themselves, and constants inside functions
    that would hide a neighbour's."""
    declared = {}
    for path in files:
        if path.suffix != ".cpp":
            continue
        text = RAW_STRING.sub('""', path.read_text(encoding="utf-8", errors="replace"))
        module = declared.setdefault(module_of(path, root), {})
        names = {a or b for block in ANONYMOUS.findall(text) for a, b in DECLARED.findall(block)}
        for name in sorted(names):
            module.setdefault(name, []).append((path.name, False))
        for name in sorted(set(LOCAL.findall(text))):
            module.setdefault(name, []).append((path.name, True))
    for module, names in sorted(declared.items()):
        for name, places in sorted(names.items()):
            owners = {place for place, is_local in places if not is_local}
            users = {place for place, _ in places}
            if owners and len(users) > 1:
                yield f"{module}: {name} means several things: {', '.join(sorted(users))}"


def check(root):
    keys = bibliography(root)
    problems = []
    files = tracked_files(root)
    for path in files:
        problems.extend(check_file(path, path.relative_to(root).as_posix(), keys))
    problems.extend(shared_names(root, files))
    return files, problems


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    files, problems = check(root)
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} violations")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
