#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares every #include, and the link graph in CMake, with the module table of
docs/architecture.md, and looks for cycles: of files that include each other, and of folders below a
module or program. Prints one line per violation; exit status 1 if there are any."""

import re
import sys
from pathlib import Path

TABLE_HEADER = ["module", "holds", "may include"]
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
STANDARD = re.compile(r"^[a-z_0-9]+$")
# Third-party headers that public headers may include, and where.
PUBLIC_THIRD_PARTY = [(re.compile(r"^Eigen/"), re.compile(r".")),
                      (re.compile(r"^fmt/format\.h$"), re.compile(r"^core/log\.hpp$")),
                      (re.compile(r"^GLES[23]/"), re.compile(r"^gpu/gl\.hpp$"))]
# The player's public header is C: its place, and the C library's headers that it may include.
PLAYER_HEADER = "supple.h"
C_HEADERS = {"stddef.h", "stdint.h"}
# What stands above the modules, and whose headers each may include besides public ones.
PROGRAMS = {"apps": ["gallery", "experiments", "samples"], "gallery": ["experiments", "samples"],
            "experiments": ["samples"], "benchmarks": ["samples"], "samples": []}
SOURCE_SUFFIXES = {".hpp", ".cpp", ".h"}
SOURCE_FOLDERS = ["include", "src", "runtime", "apps", "gallery", "experiments",
                  "samples", "benchmarks", "tests"]


def read_table(document):
    """module -> the set of modules that it may include, itself and transitive ones included."""
    direct = {}
    inside = False
    for line in document.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells == TABLE_HEADER:
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and not set(cells[0]) <= set("-: "):
            names = [name.strip() for name in cells[2].split(",")]
            direct[cells[0]] = {name for name in names if name not in ("–", "-", "")}
    if not direct:
        raise SystemExit(f"{document}: no table 'module | holds | may include'")
    unknown = {name for names in direct.values() for name in names} - set(direct)
    if unknown:
        raise SystemExit(f"{document}: the table names unknown modules: {sorted(unknown)}")
    return {module: closure(module, direct) for module in direct}


def closure(start, graph):
    seen, stack = set(), [start]
    while stack:
        module = stack.pop()
        if module not in seen:
            seen.add(module)
            stack.extend(graph.get(module, ()))
    return seen


def includes_of(path):
    """(line number, header, in quotes) of every #include."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) or match.group(2), match.group(1) is not None


def include_graph(root):
    """file -> the files of ours that it includes."""
    graph = {}
    for base in SOURCE_FOLDERS:
        for path in sorted((root / base).rglob("*")) if (root / base).is_dir() else []:
            if path.suffix not in SOURCE_SUFFIXES or "node_modules" in path.parts:
                continue
            graph[path] = set()
            near = [path.parent, root / "include", root / "src", root, root / "runtime" / "include",
                    root / "runtime" / "src", root / "apps" / "supple", root / "tests"]
            for _, header, _ in includes_of(path):
                found = next((p for p in ((folder / header).resolve() for folder in near)
                              if p.is_file()), None)
                if found and found.is_relative_to(root):
                    graph[path].add(found)
    return graph


def folder_of(root, path):
    """The folder of a file, a module's public headers counted with its sources."""
    parts = path.relative_to(root).parts[:-1]
    if parts[:2] == ("include", "supple"):
        parts = ("src",) + parts[2:]
    return "/".join(parts)


def cycles(graph):
    """Strongly connected components of more than one node, sorted."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            members = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(members) > 1:
                found.append(sorted(members))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(found)


class Checker:
    def __init__(self, root):
        self.root = root
        self.table = read_table(root / "docs" / "architecture.md")
        self.problems = []
        self.files = 0
        self.used = {}  # module -> {module it includes: where}, from public headers
        self.used_private = {}

    def report(self, path, line, text):
        self.problems.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def sources(self, folder):
        if folder.is_dir():
            for path in sorted(folder.rglob("*")):
                if path.suffix in SOURCE_SUFFIXES and "node_modules" not in path.parts:
                    self.files += 1
                    yield path

    def run(self):
        for base in (self.root / "include" / "supple", self.root / "src"):
            for folder in sorted(base.iterdir()) if base.is_dir() else []:
                if folder.is_dir() and folder.name not in self.table:
                    self.report(folder, 0, "is not in the module table of docs/architecture.md")
        for module in self.table:
            public = [self.root / "include" / "supple" / module]
            private = [self.root / "src" / module]
            if module == "player":
                public, private = [self.root / "runtime" / "include"], [self.root / "runtime" / "src"]
            for path in (p for folder in public for p in self.sources(folder)):
                self.check_file(path, module, is_public=True)
            for path in (p for folder in private for p in self.sources(folder)):
                self.check_file(path, module, is_public=False)
        for folder in PROGRAMS:
            for path in self.sources(self.root / folder):
                self.check_program(path, folder)
        for listing in sorted((self.root / "src").glob("*/CMakeLists.txt")):
            self.check_cmake(listing)
        self.check_cycles()
        return self.problems

    def check_cycles(self):
        """Files that include each other, and folders of one module or program that do."""
        graph = include_graph(self.root)
        for cycle in cycles(graph):
            self.report(cycle[0], 1, "files include each other: "
                        + ", ".join(p.relative_to(self.root).as_posix() for p in cycle))
        folders = {}
        for path, targets in graph.items():
            for target in targets:
                ends = folder_of(self.root, path), folder_of(self.root, target)
                # The table rules over modules; here are the folders of one.
                if ends[0] != ends[1] and ends[0].split("/")[:2] == ends[1].split("/")[:2]:
                    folders.setdefault(ends[0], set()).add(ends[1])
        for cycle in cycles(folders):
            self.report(self.root / cycle[0], 0, "folders include each other: " + ", ".join(cycle))

    def check_file(self, path, module, is_public):
        seen_angle = False
        for index, (line, header, quoted) in enumerate(includes_of(path)):
            if not quoted and header == PLAYER_HEADER:
                self.check_quoted(path, module, is_public, line, header)
                continue
            if not quoted:
                seen_angle = True
                if is_public:
                    self.check_public_third_party(path, line, header)
                continue
            if seen_angle:
                self.report(path, line, f'"{header}" comes after a <header>: our own come first')
            self.check_own_first(path, module, index, line, header)
            self.check_quoted(path, module, is_public, line, header)

    def check_public_third_party(self, path, line, header):
        if STANDARD.match(header) or (path.name == PLAYER_HEADER and header in C_HEADERS):
            return
        place = path.relative_to(self.root / "include" / "supple").as_posix() \
            if path.is_relative_to(self.root / "include" / "supple") else path.name
        for allowed, where in PUBLIC_THIRD_PARTY:
            if allowed.search(header) and where.search(place):
                return
        self.report(path, line, f"<{header}> does not belong in a public header")

    def check_own_first(self, path, module, index, line, header):
        own = f"supple/{module}/{path.stem}.hpp"
        if path.suffix == ".cpp" and header == own and index != 0:
            self.report(path, line, f'"{own}" has to be the first include')

    def check_quoted(self, path, module, is_public, line, header):
        parts = header.split("/")
        if header == PLAYER_HEADER:
            if "player" not in self.table[module]:
                self.report(path, line, f'"{header}": {module} may not include player')
            else:
                used = self.used if is_public else self.used_private
                used.setdefault(module, {}).setdefault("player", f"{path.name}:{line}")
        elif parts[0] == "supple" and len(parts) > 2:
            target = parts[1]
            if target not in self.table:
                self.report(path, line, f'"{header}": unknown module {target}')
            elif target not in self.table[module]:
                self.report(path, line, f'"{header}": {module} may not include {target}')
            else:
                used = self.used if is_public else self.used_private
                used.setdefault(module, {}).setdefault(target, f"{path.name}:{line}")
            if not (self.root / "include" / header).is_file():
                self.report(path, line, f'"{header}" does not exist')
        elif is_public:
            self.report(path, line, f'"{header}": a public header includes a private one')
        elif not self.is_private_of(path, module, header):
            self.report(path, line, f'"{header}" is no private header of {module}')

    def is_private_of(self, path, module, header):
        folder = (self.root / "src" / module).resolve()
        if module == "player":
            folder = (self.root / "runtime").resolve()
        for base in (path.parent, self.root / "src"):
            candidate = (base / header).resolve()
            if candidate.is_file():
                return candidate.is_relative_to(folder)
        return False

    def check_program(self, path, folder):
        """Programs see public headers, their own, and those that PROGRAMS grants them."""
        for line, header, quoted in includes_of(path):
            if not quoted:
                continue
            is_public = (self.root / "include" / header).is_file() or header == PLAYER_HEADER
            program = self.root.joinpath(*path.relative_to(self.root).parts[:2])
            near = [(base / header).resolve()
                    for base in (path.parent, program, self.root / folder, self.root)]
            homes = [self.root / name for name in [folder] + PROGRAMS[folder]]
            is_own = any(p.is_file() and p.is_relative_to(home) for p in near for home in homes)
            if not is_public and not is_own:
                self.report(path, line, f'"{header}" is neither public nor of {folder}/')

    def check_cmake(self, listing):
        """Links agree with the table, and every include has its link."""
        module = listing.parent.name
        text = re.sub(r"#.*", "", listing.read_text(encoding="utf-8"))
        match = re.search(r"supple_module\(\s*(\w+)(.*?)\)", text, re.S)
        if not match or match.group(1) != module:
            self.report(listing, 1, f"has no supple_module({module} ...)")
            return
        links = {"SOURCES": set(), "USES": set(), "PRIVATE_USES": set()}
        section = None
        for word in match.group(2).split():
            if word in links:
                section = word
            elif section:
                links[section].add(word)
        public = {w.removeprefix("supple::") for w in links["USES"] if w.startswith("supple::")}
        private = {w.removeprefix("supple::") for w in links["PRIVATE_USES"]
                   if w.startswith("supple::")}
        for target in sorted((public | private) - self.table.get(module, set())):
            self.report(listing, 1, f"{module} links {target}, which its row does not allow")
        reach = self.reach(public)
        for target, where in sorted(self.used.get(module, {}).items()):
            if target != module and target not in reach:
                self.report(listing, 1, f"{where} includes {target}, but USES lacks it")
        reach |= self.reach(private)
        for target, where in sorted(self.used_private.get(module, {}).items()):
            if target != module and target not in reach:
                self.report(listing, 1, f"{where} includes {target}, but no link provides it")

    def reach(self, modules):
        return set().union(*(self.table.get(m, {m}) for m in modules)) if modules else set()


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    checker = Checker(root)
    problems = checker.run()
    for problem in problems:
        print(problem)
    print(f"{checker.files} files, {len(problems)} violations of the module table")
    return 1 if problems or not checker.files else 0


if __name__ == "__main__":
    sys.exit(main())
