#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checkers must fail where they should: each case breaks one rule in a small tree."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import check_modules  # noqa: E402
import check_sources  # noqa: E402

TABLE = """# Text
| module | holds | may include |
| --- | --- | --- |
| core | errors | – |
| geometry | meshes | core |
| reduction | matrices | core |
| fem | elements | geometry, reduction |
| format | bytes | – |
| player | playing | format |

| other | table | here |
"""
GOOD = {
    "docs/architecture.md": TABLE,
    "docs/references.bib": "@article{LS07,\n}\n@misc{MMY,\n}\n",
    "include/supple/core/result.hpp": "#include <string>\n",
    "include/supple/core/log.hpp": "#include <fmt/format.h>\n",
    "include/supple/geometry/mesh.hpp": '#include "supple/core/result.hpp"\n\n#include <Eigen/Core>\n',
    "include/supple/fem/model.hpp": '#include "supple/geometry/mesh.hpp"\n',
    "src/core/CMakeLists.txt": "supple_module(core SOURCES result.cpp USES fmt::fmt)\n",
    "src/geometry/CMakeLists.txt": "supple_module(geometry SOURCES mesh.cpp USES supple::core)\n",
    "src/geometry/mesh.cpp": '#include "supple/geometry/mesh.hpp"\n\n#include "geometry/tree.hpp"\n',
    "src/geometry/tree.hpp": "",
    "src/fem/CMakeLists.txt": "supple_module(fem\n  SOURCES model.cpp\n  USES supple::geometry)\n",
    "src/fem/model.cpp": '#include "supple/fem/model.hpp"\n\n#include "supple/core/result.hpp"\n',
    "apps/supple/main.cpp": '#include "table.hpp"\n#include "samples/solids.hpp"\n'
                            '#include "supple/fem/model.hpp"\n',
    "samples/solids.hpp": '#include "supple/geometry/mesh.hpp"\n',
    "apps/supple/table.hpp": "",
}


class Tree:
    """A throw-away source tree: the good one with some files replaced."""

    def __init__(self, changes):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name).resolve()
        for name, text in {**GOOD, **changes}.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def __enter__(self):
        return self.root

    def __exit__(self, *_):
        self.folder.cleanup()


class Modules(unittest.TestCase):
    def problems(self, changes):
        with Tree(changes) as root:
            return check_modules.Checker(root).run()

    def assert_one(self, changes, *words):
        problems = self.problems(changes)
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

    def test_accepts_the_good_tree(self):
        self.assertEqual(self.problems({}), [])

    def test_rejects_an_include_upwards(self):
        self.assert_one({"include/supple/geometry/up.hpp": '#include "supple/fem/model.hpp"\n'},
                        "geometry/up.hpp:1", "geometry may not include fem")

    def test_rejects_an_include_sideways(self):
        self.assert_one({"include/supple/reduction/a.hpp": '#include "supple/geometry/mesh.hpp"\n'},
                        "reduction may not include geometry")

    def test_rejects_core_in_the_player(self):
        self.assert_one({"runtime/src/a.cpp": '#include "supple/core/result.hpp"\n'},
                        "player may not include core")

    def test_knows_the_header_of_the_player(self):
        player = {"runtime/include/supple.h": "#include <stddef.h>\n",
                  "runtime/src/a.cpp": '#include "supple.h"\n'}
        self.assertEqual(self.problems(player), [])
        self.assert_one({**player, "src/core/a.cpp": '#include "supple.h"\n'},
                        "core may not include player")
        self.assert_one({**player, "src/core/a.cpp": "#include <supple.h>\n"},
                        "core may not include player")
        self.assert_one({"runtime/include/supple.h": "#include <unistd.h>\n"}, "<unistd.h>")

    def test_rejects_files_that_include_each_other(self):
        self.assert_one({"src/geometry/tree.hpp": '#include "geometry/leaf.hpp"\n',
                         "src/geometry/leaf.hpp": '#include "geometry/tree.hpp"\n'},
                        "files include each other", "leaf.hpp", "tree.hpp")

    def test_rejects_folders_that_include_each_other(self):
        self.assert_one({"apps/supple/cli/help.hpp": "", "apps/supple/cli/run.cpp":
                         '#include "bake/command.hpp"\n', "apps/supple/bake/command.hpp": "",
                         "apps/supple/bake/command.cpp": '#include "cli/help.hpp"\n'},
                        "folders include each other", "apps/supple/bake", "apps/supple/cli")

    def test_rejects_private_headers_of_other_modules(self):
        self.assert_one({"src/fem/other.cpp": '#include "geometry/tree.hpp"\n'},
                        "no private header of fem")
        self.assert_one({"src/fem/other.cpp": '#include "../geometry/tree.hpp"\n'},
                        "no private header of fem")
        self.assert_one({"include/supple/geometry/b.hpp": '#include "geometry/tree.hpp"\n'},
                        "includes a private one")
        self.assert_one({"apps/supple/b.cpp": '#include "geometry/tree.hpp"\n'}, "neither public")
        self.assert_one({"samples/b.cpp": '#include "apps/supple/table.hpp"\n'}, "neither public")

    def test_rejects_missing_headers(self):
        self.assert_one({"src/core/a.cpp": '#include "supple/core/absent.hpp"\n'}, "does not exist")

    def test_rejects_third_party_types_in_public_headers(self):
        self.assert_one({"include/supple/geometry/b.hpp": "#include <tiny_gltf.h>\n"},
                        "does not belong in a public header")
        self.assert_one({"include/supple/geometry/b.hpp": "#include <fmt/format.h>\n"},
                        "does not belong in a public header")

    def test_rejects_a_wrong_order(self):
        self.assert_one({"src/core/a.cpp": '#include <string>\n#include "supple/core/log.hpp"\n'},
                        "our own come first")
        self.assert_one({"src/geometry/mesh.cpp": '#include "geometry/tree.hpp"\n'
                                                  '#include "supple/geometry/mesh.hpp"\n'},
                        "first include")

    def test_rejects_links_that_the_table_forbids(self):
        self.assert_one({"src/geometry/CMakeLists.txt":
                         "supple_module(geometry SOURCES a USES supple::core supple::reduction)"},
                        "links reduction")

    def test_rejects_includes_without_a_link(self):
        self.assert_one({"src/fem/CMakeLists.txt":
                         "supple_module(fem SOURCES a USES supple::reduction\n"
                         "  PRIVATE_USES supple::geometry)"}, "USES lacks it")

    def test_rejects_folders_that_are_no_module(self):
        self.assert_one({"src/extra/a.cpp": ""}, "not in the module table")

    def test_rejects_a_table_that_is_gone(self):
        with Tree({"docs/architecture.md": "nothing"}) as root, self.assertRaises(SystemExit):
            check_modules.Checker(root)


class Sources(unittest.TestCase):
    SPDX = "// " + check_sources.SPDX + "\n"

    def problems(self, name, text):
        with Tree({name: text}) as root:
            keys = check_sources.bibliography(root)
            return list(check_sources.check_file(root / name, name, keys))

    def test_accepts_a_good_header(self):
        text = self.SPDX + "#pragma once\n/// [LS07 section 3], [MMY] and a[K11] in code\n"
        self.assertEqual(self.problems("a.hpp", text), [])

    def test_rejects_a_missing_licence_line(self):
        self.assertIn("lacks 'SPDX", self.problems("a.cpp", "int x;\n")[0])
        self.assertIn("lacks 'SPDX", self.problems("tool", "#!/bin/sh\n")[0])

    def test_rejects_a_missing_pragma_once(self):
        self.assertIn("#pragma once", self.problems("a.hpp", self.SPDX)[0])

    def test_wants_the_old_guard_in_c_headers(self):
        self.assertEqual(self.problems("a.h", self.SPDX + "#ifndef A_H\n#define A_H\n#endif\n"), [])
        self.assertIn("#ifndef", self.problems("a.h", self.SPDX)[0])

    def test_rejects_unknown_keys(self):
        self.assertIn("[Abc99]", self.problems("a.cpp", self.SPDX + "// see [Abc99 eq. 3]\n")[0])
        self.assertIn("[Abc99]", self.problems("a.cpp", self.SPDX + "// [LS07; Abc99]\n")[0])
        self.assertIn("[Abc99]", self.problems("a.md", "see [Abc99]\n")[0])

    def test_rejects_names_that_two_neighbours_declare(self):
        one = "namespace {\nconstexpr int kMost = 3;\nstruct Row {\n  int kMost;\n};\n}  // namespace\n"
        other = "namespace {\nconstexpr std::size_t kMost = 4;\nclass Row;\n}  // namespace\n"
        local = "void f() {\n  constexpr int kMost = 5;\n}\n"
        for text, count in ((other, 2), (local, 1), ("", 0)):
            changes = {"src/fem/a.cpp": self.SPDX + one, "src/fem/deeper/b.cpp": self.SPDX + text}
            with Tree(changes) as root:
                files = [root / name for name in changes]
                problems = list(check_sources.shared_names(root, files))
            self.assertEqual(len(problems), count, problems)
        # Another module is another unit.
        with Tree({"src/fem/a.cpp": one, "src/geometry/b.cpp": other}) as root:
            files = [root / "src/fem/a.cpp", root / "src/geometry/b.cpp"]
            self.assertEqual(list(check_sources.shared_names(root, files)), [])

    def test_reads_keys_in_comments_only(self):
        self.assertEqual(self.problems("a.cpp", self.SPDX + "x = table[Abc99];\n"), [])


if __name__ == "__main__":
    unittest.main()
