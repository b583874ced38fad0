// SPDX-License-Identifier: Apache-2.0
#include "supple/core/suggest.hpp"

#include <gtest/gtest.h>

namespace supple {
namespace {

TEST(Suggest, DistanceCountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("modes", "modes"), 0U);
  EXPECT_EQ(edit_distance("mdoes", "modes"), 1U);  // a swap is one slip
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3U);
}

TEST(Suggest, ProposesOnlyWhatIsNear) {
  EXPECT_EQ(did_you_mean("bkae", {"modes", "bake"}), ": did you mean 'bake'?");
  EXPECT_EQ(did_you_mean("zzzzz", {"modes", "bake"}), "");
  EXPECT_EQ(did_you_mean(std::string(100000, 'm'), {"modes"}), "");
}

}  // namespace
}  // namespace supple
