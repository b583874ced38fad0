// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/palette.hpp"

#include <gtest/gtest.h>

namespace supple::scene {
namespace {

std::string refusal(std::vector<Entry> entries) {
  const Result<Palette> palette = Palette::create(std::move(entries));
  return palette.ok() ? "accepted" : palette.error().message();
}

void expect_refused(std::vector<Entry> entries, const char* why) {
  const std::string text = refusal(std::move(entries));
  EXPECT_NE(text.find(why), std::string::npos) << text;
}

TEST(Palette, RefusesWhatCannotBePlayed) {
  expect_refused({}, "empty");
  expect_refused({{.name = "a"}, {.name = "a"}}, "two entries are called 'a'");
  expect_refused({{.name = "a", .key = "x"}, {.name = "b", .key = "x"}}, "the same key");
  expect_refused({{.name = ""}}, "no name");
  expect_refused({{.name = "a", .strengths = {1, 1}}}, "ascend");
  expect_refused({{.name = "a", .strengths = {}}}, "no strength");
  expect_refused({{.name = "a", .strengths = {-1}}}, "above 0");
  expect_refused({{.name = "kick", .followed_by = {"kik"}}}, "did you mean 'kick'");
  expect_refused({{.name = "a", .from_rest = false}}, "no entry may be the first");
  expect_refused({{.name = "a", .followed_by = {"a"}}, {.name = "b", .from_rest = false}},
                 "'b' can never act");
  expect_refused(std::vector<Entry>(65), "at most 64");
}

TEST(Palette, KnowsWhatMayFollow) {
  const Palette palette =
      *Palette::create({{.name = "open", .followed_by = {"stop"}},
                        {.name = "stop"},
                        {.name = "close", .followed_by = {"stop", "open"}, .from_rest = false}});
  EXPECT_EQ(palette.first(), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(palette.after(0), (std::vector<std::size_t>{1}));
  EXPECT_EQ(palette.after(1), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(palette.after(2), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(palette.may_follow(2, 0));
  EXPECT_FALSE(palette.may_follow(0, 2));
}

TEST(Palette, TellsWhatIsAlikeAndHowFarEntriesAre) {
  const Palette palette = *Palette::create({{.name = "a", .free = true},
                                            {.name = "b", .free = true},
                                            {.name = "wind"},
                                            {.name = "last", .followed_by = {"a"}, .free = true}});
  EXPECT_TRUE(palette.alike(0, 1));
  EXPECT_TRUE(palette.alike(2, 2));
  EXPECT_FALSE(palette.alike(0, 2));
  EXPECT_FALSE(palette.alike(0, 3));
  const Palette row = *Palette::create({{.name = "a", .followed_by = {"b"}},
                                        {.name = "b", .followed_by = {"c"}},
                                        {.name = "c", .followed_by = {"c"}}});
  EXPECT_EQ(row.steps_to(2), (std::vector<std::size_t>{2, 1, 1}));
  EXPECT_EQ(row.steps_to(1), (std::vector<std::size_t>{1, 4, 4}));
}

}  // namespace
}  // namespace supple::scene
