#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/tidy.py checks units together to save time; it must not find less for that."""

import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import tidy  # noqa: E402

CLEAN = "int twice(int a) {\n  return 2 * a;\n}\n"
# Seen only by a static analyser that follows the paths through a function.
NULL = "int read(const int* p) {\n  if (p == nullptr) return *p;\n  return 0;\n}\n"
CONFIGURATION = "Checks: '-*,clang-analyzer-*'\nWarningsAsErrors: '*'\nHeaderFilterRegex: '.*'\n"


class Units(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.addCleanup(setattr, tidy, "CACHE", tidy.CACHE)
        tidy.CACHE = self.root / "cache"
        tidy.CACHE.mkdir()
        (self.root / ".clang-tidy").write_text(CONFIGURATION)

    def units(self, **texts):
        entries = []
        for name, text in texts.items():
            file = self.root / f"{name}.cpp"
            file.write_text(text)
            entries.append({"directory": str(self.root), "file": str(file),
                            "command": f"clang++ -std=c++20 -o {name}.o -c {file}"})
        (self.root / "compile_commands.json").write_text(json.dumps(entries))
        return [(entry, tidy.CACHE / Path(entry["file"]).stem) for entry in entries]

    def test_units_with_a_name_in_common_are_kept_apart(self):
        units = self.units(a="constexpr int kMost = 3;\nusing A = int;\n", b=CLEAN,
                           c="constexpr double kMost = 4;\n", d="using A = long;\n",
                           e="using A = int;\n")
        names = [[Path(entry["file"]).stem for entry, _ in group]
                 for group in tidy.grouped(units)]
        self.assertEqual(names, [["a", "b", "e"], ["c", "d"]])

    @unittest.skipUnless(shutil.which("clang-tidy"), "SKIPPED: clang-tidy is missing")
    def test_a_group_hides_nothing_and_names_the_unit(self):
        units = self.units(clean=CLEAN, null=NULL)
        self.assertEqual(len(tidy.grouped(units)), 1)
        self.assertFalse(tidy.content_together(units))
        found = tidy.tidy(units, self.root)
        self.assertEqual(len(found), 1)
        self.assertIn("null.cpp:2:28: error", found[0])
        self.assertEqual([marker.exists() for _, marker in units], [True, False])

    @unittest.skipUnless(shutil.which("clang-tidy"), "SKIPPED: clang-tidy is missing")
    def test_neighbours_that_do_not_compile_together_are_checked_apart(self):
        units = self.units(one=CLEAN, two=CLEAN)
        self.assertFalse(tidy.content_together(units))
        self.assertEqual(tidy.tidy(units, self.root), [])
        self.assertTrue(all(marker.exists() for _, marker in units))


if __name__ == "__main__":
    unittest.main()
