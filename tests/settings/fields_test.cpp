// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/fields.hpp"

#include "settings/sheet.hpp"

#include "supple/settings/json.hpp"
#include "supple/settings/markdown.hpp"
#include "supple/settings/toml.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace supple::settings {
namespace {

using samples::Sheet;
using samples::sheet_fields;

std::string complaint(const std::string& toml) {
  const auto document = parse_toml(toml, "sheet.toml");
  if (!document.ok()) return document.error().describe();
  Sheet sheet;
  const auto read = sheet_fields().read(*document, "sheet.toml", sheet);
  return read.ok() ? "accepted" : read.error().describe();
}

const char* const kEverything = R"(name = "a"
thickness = 2.5
layers = 3
shiny = true
side = "back"
tags = ["x", "y"]
widths = [0.5, 1]
centre = [1, 2.5, -3]
weight = 4
look = {watts = 60}
scale = 0.5

[edge]
width = 0.25

[[hole]]
number = 1

[[hole]]
number = 2
note = "two"
)";

TEST(Fields, ReadsEveryKind) {
  const auto document = parse_toml(kEverything, "sheet.toml");
  ASSERT_TRUE(document.ok());
  Sheet sheet;
  const auto read = sheet_fields().read(*document, "sheet.toml", sheet);
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(sheet.name, "a");
  EXPECT_EQ(sheet.thickness, 2.5);
  EXPECT_EQ(sheet.layers, 3U);
  EXPECT_TRUE(sheet.shiny);
  EXPECT_EQ(sheet.side, samples::Side::Back);
  EXPECT_EQ(sheet.tags, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(sheet.widths, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(sheet.centre.numbers, (std::array<double, 3>{1, 2.5, -3}));
  EXPECT_EQ(sheet.weight, 4);
  EXPECT_EQ(std::get<samples::Glow>(sheet.look).watts, 60);
  EXPECT_EQ(sheet.scale, 0.5);
  EXPECT_EQ(sheet.edge.width, 0.25);
  ASSERT_EQ(sheet.holes.size(), 2U);
  EXPECT_EQ(sheet.holes[1].note, "two");
  EXPECT_EQ(print_toml(sheet_fields(), sheet_fields().write(sheet), Comments::No), kEverything);
}

TEST(Fields, PrintsDefaultsWithTheirDescriptions) {
  const std::string text = print_toml(sheet_fields(), sheet_fields().write({}));
  EXPECT_NE(text.find("thickness = 1                 # how thick it is\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("look = {red = 0.5, green = 0.5}  # {red, green} or {watts}\n"),
            std::string::npos);
  EXPECT_NE(text.find("scale = \"auto\""), std::string::npos);
  EXPECT_EQ(text.find("weight"), std::string::npos) << "an optional that is not there";
  EXPECT_TRUE(std::get<Value::Table>(sheet_fields().write_changed({}).data).empty());
}

TEST(Fields, PrintsOnlyWhatChanged) {
  Sheet sheet;
  sheet.layers = 4;
  sheet.edge.width = 0.5;
  EXPECT_EQ(print_toml(sheet_fields(), sheet_fields().write_changed(sheet), Comments::No),
            "layers = 4\n\n[edge]\nwidth = 0.5\n");
}

TEST(Fields, ComplaintsHaveAPlaceAndARemedy) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"thicknes = 1", "sheet.toml:1:1: there is no key thicknes: did you mean 'thickness'?"},
      {"[edge]\nwidht = 1", "sheet.toml:2:1: there is no key edge.widht: did you mean 'width'?"},
      {"layers = 2.5", "sheet.toml:1:10: layers is a number; it must be a whole number"},
      {"shiny = 1", "sheet.toml:1:9: shiny is a whole number; it must be true or false"},
      {"side = \"bak\"",
       "sheet.toml:1:8: side is \"bak\": did you mean 'back'?; it must be \"front\" or \"back\""},
      {"tags = [1]", "sheet.toml:1:8: tags is a list; it must be a list of texts"},
      {"widths = [1, \"x\"]", "sheet.toml:1:10: widths is a list; it must be a list of numbers"},
      {"widths = [1, 0]", "widths is [1, 0]; it must be numbers, above 0 m (that it comes in)"},
      {"centre = [1, 2]", "sheet.toml:1:10: centre is a list of 2; it must be a list of three"},
      {"look = 3", "look is a whole number; it must be {red = .., green = ..} or {watts = ..}"},
      {"look = {red = 1, watts = 2}", "sheet.toml:1:8: red and watts exclude each other; keep one"},
      {"look = {wats = 2}", "sheet.toml:1:9: there is no key look.wats: did you mean 'watts'?"},
      {"scale = \"big\"", "scale is \"big\"; it must be \"auto\" or a number"},
      {"edge = 1", "sheet.toml:1:8: edge is a whole number; it must be a table: [edge]"},
      {"[[hole]]\nnote = \"\"", "sheet.toml:1:1: hole[1] has no number"},
      {"thickness = 0",
       "sheet.toml:1:13: sheet 'sheet': thickness is 0; it must be above 0 and at most 10 mm (how "
       "thick it is)"},
      {"layers = 99999999999", "layers is 99999999999; it must be from 1 to 8 (how many)"},
      {"layers = -1", "layers is -1; it must be from 1 to 8"},
      {"weight = nan", "weight is nan; it must be at least 0 kg"},
      {"centre = [1, inf, 0]", "centre is [1, inf, 0]; it must be three numbers, finite"},
      {"look = {red = 2}", "sheet.toml:1:15: sheet 'sheet': look.red is 2; it must be from 0 to 1"},
      {"name = \"b\"\n[edge]\nwidth = 1", "sheet.toml:3:9: sheet 'b': edge.width is 1; it must be"},
      {"[[hole]]\nnumber = 10", "sheet.toml:2:10: sheet 'sheet': hole[1].number is 10"},
      {"thickness = 0.05", "sheet.toml:1:13: sheet 'sheet': the edge is wider"},
      {"thickness = 0.05\n[edge]\nwidth = 0.9", "sheet.toml:1:1: sheet 'sheet': the edge is wider"},
      {"layers = 1\nlayers = 2", "sheet.toml:2:"},
  };
  for (const auto& [toml, expected] : cases) {
    EXPECT_NE(complaint(toml).find(expected), std::string::npos) << toml << "\n" << complaint(toml);
  }
}

TEST(Fields, ChecksStructsThatCodeFilled) {
  Sheet sheet;
  EXPECT_TRUE(sheet_fields().check(sheet).ok());
  sheet.look = samples::Glow{-1};
  const auto wrong = sheet_fields().check(sheet);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().describe(),
            "sheet 'sheet': look.watts is -1; it must be above 0 W (power)");
  sheet.look = samples::Colour{};
  sheet.holes.push_back({12, ""});
  EXPECT_NE(sheet_fields().check(sheet).error().describe().find("hole[1].number is 12"),
            std::string::npos);
}

TEST(Fields, JsonHasTheSameValues) {
  const auto document = parse_toml(kEverything, "sheet.toml");
  Sheet sheet;
  ASSERT_TRUE(sheet_fields().read(*document, "sheet.toml", sheet).ok());
  const auto again = parse_json(print_json(sheet_fields().write(sheet)));
  ASSERT_TRUE(again.ok()) << again.error().describe();
  EXPECT_TRUE(same(*again, sheet_fields().write(sheet)));
  Sheet other;
  ASSERT_TRUE(sheet_fields().read(*again, "", other).ok());
  EXPECT_TRUE(same(sheet_fields().write(other), sheet_fields().write(sheet)));
  EXPECT_FALSE(parse_json("[1]").ok());
  EXPECT_FALSE(parse_json("{\"name\": null}").ok());
  EXPECT_FALSE(parse_json(std::string(100000, '[')).ok());
  const std::string spaces((std::size_t{16} << 20) - 2, ' ');  // 16 MB with its braces
  EXPECT_TRUE(parse_json("{" + spaces + "}").ok());
  EXPECT_FALSE(parse_json("{ " + spaces + "}").ok());
  EXPECT_FALSE(
      parse_json("{\"a\": " + std::string(50000, '[') + std::string(50000, ']') + "}").ok());
}

TEST(Fields, DescriptionsNameDefaultsAndRanges) {
  const std::string table = describe_markdown(sheet_fields());
  EXPECT_NE(table.find("| `thickness` | `1` | above 0 and at most 10 mm | how thick it is |"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("| `look.watts` | required | above 0 W | power |"), std::string::npos);
  EXPECT_NE(table.find("| **`[[hole]]`** |"), std::string::npos);
  const std::string json = describe_json(sheet_fields());
  EXPECT_NE(json.find("\"above\": 0"), std::string::npos) << json;
  EXPECT_NE(json.find("\"front\""), std::string::npos);
}

TEST(Range, OpenAndClosedEnds) {
  EXPECT_TRUE(from(0).to(1).contains(0));
  EXPECT_TRUE(from(0).to(1).contains(1));
  EXPECT_FALSE(above(0).below(1).contains(0));
  EXPECT_FALSE(above(0).below(1).contains(1));
  EXPECT_FALSE(from(0).contains(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(Range().contains(std::nan("")));
}

}  // namespace
}  // namespace supple::settings
