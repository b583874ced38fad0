// SPDX-License-Identifier: Apache-2.0
#include "supple/character/retarget.hpp"

#include "character/chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace supple::character {
namespace {

using Eigen::Matrix4d;
using geometry::Vec3;
using testing::chain_of_two;
using testing::kMotionRounding;
using testing::place;

/// In one second, the root moves to z = 1 and rotates by 90 degrees about x; the tip, 2 above it,
/// follows.
Recording bend_about_x(const std::string& root, const std::string& tip) {
  Recording recording;
  recording.name = "bend";
  recording.joints = {{root, {}, true}, {tip, 0, true}};
  recording.frame_time = 1;
  recording.frame_count = 2;
  recording.pose = [](double time) {
    const double t = std::clamp(time, 0.0, 1.0);
    const Eigen::Isometry3d hips =
        Eigen::Translation3d(0, 0, t) * Eigen::AngleAxisd(t * std::numbers::pi / 2, Vec3::UnitX());
    return Recording::Pose{hips, hips * Eigen::Translation3d(0, 2, 0)};
  };
  recording.rest = recording.pose(0);
  return recording;
}

TEST(Retargeting, CarriesRotationsOverInWorldAxesWhateverTheRestAxes) {
  Character character = chain_of_two("Hips", "Head");
  // The same position, but different axes: the motion must not depend on them.
  const Eigen::Matrix3d axes =
      Eigen::AngleAxisd(1.0, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  character.bones[0].rest_world.topLeftCorner<3, 3>() = axes;
  const auto motion = retarget(bend_about_x("hips", "HEAD"), character, 1);
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  ASSERT_EQ(motion->frames.size(), 2U);
  const Matrix4d& bent = motion->frames[1][0];
  const Eigen::Matrix3d expected =
      Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix() * axes;
  EXPECT_LT((bent.topLeftCorner<3, 3>() - expected).norm(), kMotionRounding);
  const Vec3 hips = place(bent);
  EXPECT_LT((place(motion->frames[1][1]) - hips - Vec3(0, 0, 1)).norm(), kMotionRounding);
}

TEST(Retargeting, ReportsUnmatchedJointsAndMapsThem) {
  const Character character = chain_of_two("Hips", "Antenna");
  const Recording bend = bend_about_x("Hips", "Antena");
  const auto motion = retarget(bend, character, 1);
  ASSERT_TRUE(motion.ok());
  std::string notes;
  for (const std::string& note : motion->notes) notes += note + "\n";
  EXPECT_NE(notes.find("'Antena' (did you mean 'Antenna'?)"), std::string::npos) << notes;
  const auto mapped = retarget(bend, character, 1, {{"Antena", "Antenna"}});
  ASSERT_TRUE(mapped.ok());
  const auto wrong = retarget(bend, character, 1, {{"Antena", "Anten"}});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("did you mean 'Antenna'"), std::string::npos);
  const auto nothing = retarget(bend_about_x("x1", "x2"), character, 1);
  ASSERT_FALSE(nothing.ok());
}

}  // namespace
}  // namespace supple::character
