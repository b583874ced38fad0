// SPDX-License-Identifier: Apache-2.0
#include "supple/core/check.hpp"

#include <gtest/gtest.h>

namespace supple {
namespace {

TEST(Check, PassesSilently) {
  SUPPLE_CHECK(1 < 2);
  SUPPLE_CHECK_OP(1, <, 2);
}

TEST(CheckDeathTest, AbortsWithExpressionAndBothValues) {
  const int a = 41;
  const int b = 42;
  EXPECT_DEATH(SUPPLE_CHECK(a == b), "check_test.cpp:.*check failed: a == b");
  EXPECT_DEATH(SUPPLE_CHECK_OP(a, ==, b), "a == b: 41 against 42");
}

}  // namespace
}  // namespace supple
