// SPDX-License-Identifier: Apache-2.0
#include "supple/io/action_table.hpp"

#include "io/motion_samples.hpp"
#include "supple/core/files.hpp"

#include <gtest/gtest.h>

namespace supple::io {
namespace {

Result<ActionTable> read_actions_text(const std::string& text) {
  return read_action_table(as_bytes(text), "a.csv");
}

TEST(ActionTable, ReadsFramesEntriesAndStrengths) {
  const auto read = read_actions_text(samples::action_table());
  ASSERT_TRUE(read.ok()) << read.error().describe();
  ASSERT_EQ(read->rows.size(), 2U);
  EXPECT_EQ(read->rows[0].frame, 0U);
  EXPECT_EQ(read->rows[0].entry, "poke");
  EXPECT_EQ(read->rows[0].strength, 0.5);
  EXPECT_EQ(read->rows[0].line, 3U);
  EXPECT_EQ(read->rows[1].frame, 24U);
  EXPECT_EQ(read->rows[1].entry, "let, go");
  EXPECT_EQ(read->rows[1].strength, 1);
  EXPECT_EQ(read->rows[1].line, 5U);
}

TEST(ActionTable, NeedsNoHeader) {
  const auto read = read_actions_text("3, poke\r\n7, kick ,2\r\n");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  ASSERT_EQ(read->rows.size(), 2U);
  EXPECT_EQ(read->rows[0].entry, "poke");
  EXPECT_EQ(read->rows[1].strength, 2);
}

TEST(ActionTable, ErrorsNameTheLine) {
  const auto fails = [](const std::string& text, const std::string& line, const std::string& part) {
    const auto read = read_actions_text(text);
    ASSERT_FALSE(read.ok()) << text;
    const std::string error = read.error().describe();
    EXPECT_TRUE(error.starts_with("a.csv:" + line)) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  fails("frame,entry\n5,poke\n5,kick\n", "3:", "frame 5 does not come after frame 5");
  fails("9,poke\n5,kick\n", "2:", "order");
  fails("-1,poke\n", "1:", "'-1'");
  fails("1.5,poke\n", "1:", "number of a frame");
  fails("99999999999999,poke\n", "1:", "number of a frame");
  fails("1\n", "1:", "1 fields");
  fails("1,poke,1,2\n", "1:", "4 fields");
  fails("1,,1\n", "1:", "no name");
  fails("1,poke,0\n", "1:", "above 0");
  fails("1,poke,nan\n", "1:", "above 0");
  fails("1,poke,strong\n", "1:", "'strong'");
  fails("frame,entry,strength\n", "1:", "no line says what acted");
  EXPECT_NE(read_actions_text("").error().message().find("no line"), std::string::npos);
}

}  // namespace
}  // namespace supple::io
