// SPDX-License-Identifier: Apache-2.0
#include "supple/core/result.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace supple {
namespace {

Result<int> parse_digit(char c) {
  if (c < '0' || c > '9') return bad_input(std::string("'") + c + "' is no digit");
  return c - '0';
}

Result<int> sum_of_digits(const std::string& text) {
  int sum = 0;
  for (const char c : text) {
    SUPPLE_TRY(const int digit, parse_digit(c));
    sum += digit;
  }
  return sum;
}

Result<void> require_digits(const std::string& text) {
  for (const char c : text) SUPPLE_TRY_VOID(parse_digit(c).ok() ? Result<void>() : bad_input("x"));
  return {};
}

TEST(Result, TryBindsValuesAndReturnsTheFirstError) {
  ASSERT_TRUE(sum_of_digits("1234").ok());
  EXPECT_EQ(*sum_of_digits("1234"), 10);
  const Result<int> failed = sum_of_digits("1x2y");
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message(), "'x' is no digit");
  EXPECT_EQ(failed.error().code(), ErrorCode::BadInput);
}

TEST(Result, TryVoidReturnsTheError) {
  EXPECT_TRUE(require_digits("12").ok());
  EXPECT_FALSE(require_digits("1a").ok());
}

TEST(Result, CarriesValuesThatOnlyMove) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  const std::unique_ptr<int> value = *std::move(result);
  EXPECT_EQ(*value, 7);
}

TEST(Result, DuringAddsContextToErrorsOnly) {
  EXPECT_EQ(*sum_of_digits("12").during("reading"), 3);
  const Result<int> failed = sum_of_digits("z").during("reading");
  ASSERT_EQ(failed.error().context().size(), 1U);
  EXPECT_EQ(failed.error().context()[0], "reading");
}

TEST(Result, CodesAreTheExitStatusesOfTheCommandLine) {
  EXPECT_EQ(static_cast<int>(ErrorCode::Usage), 2);
  EXPECT_EQ(static_cast<int>(bad_input("x").code()), 3);
  EXPECT_EQ(static_cast<int>(not_converged("x").code()), 4);
  EXPECT_EQ(static_cast<int>(io_error("x").code()), 5);
}

TEST(ResultDeathTest, WrongAccessAbortsAndShowsTheError) {
  EXPECT_DEATH(static_cast<void>(parse_digit('q').value()), "'q' is no digit");
  EXPECT_DEATH(static_cast<void>(parse_digit('1').error()), "error of a good result");
  EXPECT_DEATH(static_cast<void>(Result<void>().error()), "error of a good result");
}

TEST(Error, DescribesFromTheOutsideIn) {
  const Error error = bad_input("unknown set 'FIX'")
                          .at("deck.inp", 12, 3)
                          .during("flesh 'left_thigh'")
                          .during("baking 'hero.glb'");
  EXPECT_EQ(error.describe(),
            "deck.inp:12:3: unknown set 'FIX'\n  while baking 'hero.glb', flesh 'left_thigh'");
}

TEST(Error, LeavesOutWhatIsNotKnownOfThePlace) {
  EXPECT_EQ(bad_input("m").describe(), "m");
  EXPECT_EQ(bad_input("m").at("f").describe(), "f: m");
  EXPECT_EQ(bad_input("m").at("f", 4).describe(), "f:4: m");
  EXPECT_EQ(bad_input("m").at(Place{}).describe(), "m");
}

TEST(Error, KeepsTheInnermostPlace) {
  const Error error = bad_input("m").at("inner", 1).at("outer", 2);
  ASSERT_TRUE(error.place().has_value());
  EXPECT_EQ(error.place()->file, "inner");
  EXPECT_EQ(error.place()->line, 1U);
}

}  // namespace
}  // namespace supple
