// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/toml.hpp"

#include "settings/sheet.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace supple::settings {
namespace {

using samples::Sheet;
using samples::sheet_fields;

/// The text after a change of what it says.
std::string edited(const std::string& text, const std::function<void(Sheet&)>& change) {
  Sheet sheet;
  const auto document = parse_toml(text, "sheet.toml");
  EXPECT_TRUE(document.ok());
  EXPECT_TRUE(sheet_fields().read(*document, "sheet.toml", sheet).ok());
  change(sheet);
  const auto result = edit_toml(sheet_fields(), text, "sheet.toml", &sheet);
  return result.ok() ? *result : result.error().describe();
}

const char* const kText = R"(# My sheet – é
layers  =  3   # not too many
tags = [ # two
  "é", # first
  "b",
]
look = {red = 0.1, green = 0.2} # dark

[edge]   # the border
width = 0.25

[[hole]] # one
number = 1 # é
)";

TEST(EditToml, TouchesOnlyValuesThatChanged) {
  EXPECT_EQ(edited(kText, [](Sheet&) {}), kText);
  std::string expected = kText;
  expected.replace(expected.find("3   #"), 1, "4");
  expected.replace(expected.find("number = 1"), 10, "number = 7");
  EXPECT_EQ(edited(kText,
                   [](Sheet& s) {
                     s.layers = 4;
                     s.holes[0].number = 7;
                   }),
            expected);
  expected = kText;
  expected.replace(expected.find("{red = 0.1, green = 0.2}"), 24, "{watts = 5}");
  EXPECT_EQ(edited(kText, [](Sheet& s) { s.look = samples::Glow{5}; }), expected);
}

TEST(EditToml, AddsKeysWhereTheyBelong) {
  std::string expected = kText;
  expected.insert(expected.find("layers"), "thickness = 2\n");
  expected.insert(expected.find("number = 1"), "note = \"n\"\n");
  EXPECT_EQ(edited(kText,
                   [](Sheet& s) {
                     s.thickness = 2;
                     s.holes[0].note = "n";
                   }),
            expected);
}

TEST(EditToml, AddsSectionsAtTheEnd) {
  EXPECT_EQ(edited("layers = 3 # c", [](Sheet& s) { s.edge.width = 0.5; }),
            "layers = 3 # c\n\n[edge]\nwidth = 0.5\n");
}

TEST(EditToml, RemovesKeys) {
  EXPECT_EQ(edited("weight = 3 # c\nlayers = 1\n", [](Sheet& s) { s.weight.reset(); }),
            "layers = 1\n");
}

TEST(EditToml, PrintsTheWholeWhereKeysCannotBeEdited) {
  const auto whole = [](const std::string& text, const std::function<void(Sheet&)>& change) {
    const std::string result = edited(text, change);
    Sheet sheet;
    const auto document = parse_toml(result, "sheet.toml");
    ASSERT_TRUE(document.ok()) << result;
    ASSERT_TRUE(sheet_fields().read(*document, "sheet.toml", sheet).ok()) << result;
    EXPECT_EQ(print_toml(sheet_fields(), sheet_fields().write(sheet)), result);
  };
  whole(kText, [](Sheet& s) { s.holes.push_back({2, ""}); });
  whole("[look]\nred = 0.5\n", [](Sheet& s) { s.look = samples::Glow{5}; });
  whole("hole = [{number = 1}]\n", [](Sheet& s) { s.holes[0].note = "n"; });
}

TEST(EditToml, RefusesATextThatIsWrong) {
  const Sheet sheet;
  EXPECT_FALSE(edit_toml(sheet_fields(), "layers = 99", "sheet.toml", &sheet).ok());
}

}  // namespace
}  // namespace supple::settings
