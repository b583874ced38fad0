// SPDX-License-Identifier: Apache-2.0
#include "character/chain.hpp"
#include "supple/character/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace supple::character {
namespace {

using geometry::Vec3;
using testing::chain_of_two;
using testing::kMotionRounding;
using testing::place;

TEST(BuiltInMotion, MovesTheWholeCharacterByTheStatedAmount) {
  Character character = chain_of_two("a", "b");
  character.metres_per_unit = 0.01;
  const auto sine = built_in_motion("sine", character, 64);
  ASSERT_TRUE(sine.ok());
  double highest = 0;
  for (const auto& frame : sine->frames) {
    highest = std::max(highest, place(frame[0]).y());
    EXPECT_NEAR((place(frame[1]) - place(frame[0])).norm(), 1, kMotionRounding);
  }
  EXPECT_NEAR(highest, 5, kMotionRounding);  // 5 cm in centimetres
  EXPECT_TRUE(sine->loops);
  const auto turn = built_in_motion("turn", character, 60);
  ASSERT_TRUE(turn.ok());
  EXPECT_FALSE(turn->loops);
  EXPECT_LT((turn->frames.back()[0].col(2).head<3>() - Vec3::UnitX()).norm(), kMotionRounding);
  const auto jump = built_in_motion("jump", character, 600);
  ASSERT_TRUE(jump.ok());
  double top = 0;
  for (const auto& frame : jump->frames) top = std::max(top, place(frame[0]).y());
  EXPECT_NEAR(top, 40, 0.01);
  EXPECT_NEAR(place(jump->frames.back()[0]).y(), 0, kMotionRounding);
}

TEST(BuiltInMotion, IsContinuous) {
  const Character character = chain_of_two("a", "b");
  for (const BuiltInMotion& built_in : built_in_motions()) {
    const auto motion = built_in_motion(built_in.name, character, 1000);
    ASSERT_TRUE(motion.ok());
    for (std::size_t f = 1; f < motion->frames.size(); ++f) {
      // The take-off is at 2.8 m/s, and the turn at 5.9 rad/s, which moves two axes.
      const double step = (motion->frames[f][1] - motion->frames[f - 1][1]).norm();
      EXPECT_LT(step, 0.009) << built_in.name << " at " << motion->time(f);
    }
  }
}

TEST(BuiltInMotion, OffersNames) {
  const auto motion = built_in_motion("jumpp", chain_of_two("a", "b"), 60);
  ASSERT_FALSE(motion.ok());
  EXPECT_NE(motion.error().message().find("did you mean 'jump'"), std::string::npos);
}

}  // namespace
}  // namespace supple::character
