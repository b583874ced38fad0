// SPDX-License-Identifier: Apache-2.0
#include "supple/character/retarget.hpp"

#include <gtest/gtest.h>

namespace supple::character {
namespace {

TEST(BoneMap, ReadsLinesAndNamesTheWrongOne) {
  const auto map = parse_bone_map("# a\nHips = root # the root\n\"a=b\" = \"c d\"\n", "m.txt");
  ASSERT_TRUE(map.ok()) << map.error().describe();
  EXPECT_EQ(*map, (BoneMap{{"Hips", "root"}, {"a=b", "c d"}}));
  for (const char* bad : {"a = b\nHips\n", "x=y\n= root\n", "x=y\na =\n", "x=y\n\"a = b\n"}) {
    const auto wrong = parse_bone_map(bad, "m.txt");
    ASSERT_FALSE(wrong.ok()) << bad;
    EXPECT_EQ(wrong.error().place()->line, 2U);
  }
}

}  // namespace
}  // namespace supple::character
