// SPDX-License-Identifier: Apache-2.0
#include "supple/core/console.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace supple {
namespace {

TEST(FormatSi, PicksThePrefixAndThreeDigits) {
  EXPECT_EQ(format_si(12.3e6, "B"), "12.3 MB");
  EXPECT_EQ(format_si(1234, "Hz"), "1.23 kHz");
  EXPECT_EQ(format_si(1, "m"), "1.00 m");
  EXPECT_EQ(format_si(0.00085, "s"), "850 us");
  EXPECT_EQ(format_si(-2e9, "Pa"), "-2.00 GPa");
  EXPECT_EQ(format_si(0, "B"), "0 B");
}

TEST(FormatSi, RoundsUpIntoTheNextPrefix) {
  EXPECT_EQ(format_si(999.4, "B"), "999 B");
  EXPECT_EQ(format_si(999.6, "B"), "1.00 kB");
  EXPECT_EQ(format_si(9.996, "B"), "10.0 B");
  EXPECT_EQ(format_si(99.96, "B"), "100 B");
}

TEST(FormatSi, FallsBackBeyondThePrefixes) {
  EXPECT_EQ(format_si(1e20, "B"), "1e+20 B");
  EXPECT_EQ(format_si(1e-20, "s"), "1e-20 s");
  EXPECT_EQ(format_si(std::numeric_limits<double>::infinity(), "s"), "inf s");
  EXPECT_EQ(format_si(std::numeric_limits<double>::quiet_NaN(), "s"), "nan s");
}

TEST(FormatTurn, DoesNotCountBeyondAllSense) {
  EXPECT_EQ(format_turn(1), "57 degrees");
  EXPECT_EQ(format_turn(0), "0 degrees");
  EXPECT_EQ(format_turn(1e9), "more than 2 full turns");
}

TEST(FormatSeconds, ReadsLikeAClockPastAMinute) {
  EXPECT_EQ(format_seconds(1.2), "1.20 s");
  EXPECT_EQ(format_seconds(59.9), "59.9 s");
  EXPECT_EQ(format_seconds(59.99), "1 min 00 s");
  EXPECT_EQ(format_seconds(125), "2 min 05 s");
  EXPECT_EQ(format_seconds(3 * 3600 + 7 * 60), "3 h 07 min");
}

TEST(FormatCount, GroupsDigits) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(131220), "131,220");
  EXPECT_EQ(format_count(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(TextTable, AlignsColumnsAndTrimsLines) {
  TextTable table({{"mode", TextTable::Align::Right}, {"shape", TextTable::Align::Left}, {"Hz"}});
  table.row({"1", "bend", "12.5"}).row({"10", "", ""});
  EXPECT_EQ(table.str(),
            "mode  shape    Hz\n"
            "----  -----  ----\n"
            "   1  bend   12.5\n"
            "  10\n");
}

TEST(TextTable, MeasuresCodePointsInsteadOfBytes) {
  EXPECT_EQ(display_width("αβγ"), 3U);
  TextTable table({{"µ", TextTable::Align::Left}, {"x", TextTable::Align::Left}});
  table.row({"é", "1"});
  EXPECT_EQ(table.str(), "µ  x\n-  -\né  1\n");
}

TEST(TextTableDeathTest, RejectsRowsOfTheWrongLength) {
  TextTable table({{"a"}, {"b"}});
  EXPECT_DEATH(table.row({"1"}), "1 against 2");
}

}  // namespace
}  // namespace supple
