// SPDX-License-Identifier: Apache-2.0
#include "supple/character/retarget.hpp"

#include "character/chain.hpp"
#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

/// Legs whose feet have soles below the ankle and in front of it.
Character someone(double size, double sole, double ahead) {
  Character character;
  character.name = "someone";
  const auto add = [&](const char* name, std::optional<std::size_t> parent, const Vec3& at) {
    Bone bone;
    bone.name = name;
    bone.parent = parent;
    bone.rest_world.topRightCorner<3, 1>() = size * at;
    bone.inverse_bind.topRightCorner<3, 1>() = -size * at;
    character.bones.push_back(bone);
    return character.bones.size() - 1;
  };
  const std::size_t hips = add("Hips", {}, {0, 1, 0});
  add("Head", hips, {0, 1.6, 0});
  character.influences = 1;
  for (const double side : {0.1, -0.1}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const std::size_t thigh = add((name + "UpLeg").c_str(), hips, {side, 0.95, 0});
    const std::size_t shin = add((name + "Leg").c_str(), thigh, {side, 0.5, 0});
    const std::size_t foot = add((name + "Foot").c_str(), shin, {side, 0.1, 0});
    for (const double z : {-0.05, ahead}) {
      for (const double y : {0.1, 0.1 - sole}) {
        character.positions.emplace_back(size * Vec3(side, y, z));
        character.joints.push_back(static_cast<std::uint32_t>(foot));
        character.weights.push_back(1);
      }
    }
  }
  return character;
}

/// Someone of another size, z up, who stands and hops, with toes anywhere.
Recording hops(double size, double ankle, double toe, double height) {
  Recording recording;
  recording.name = "hops";
  recording.joints = {{"Hips", {}, true},      {"Head", 0, true},     {"LeftUpLeg", 0, true},
                      {"LeftLeg", 2, true},    {"LeftFoot", 3, true}, {"LeftToes", 4, false},
                      {"RightUpLeg", 0, true}, {"RightLeg", 6, true}, {"RightFoot", 7, true}};
  recording.frame_time = 0.05;
  recording.frame_count = 60;
  recording.pose = [=](double time) {
    const double up = std::max(0.0, height * std::sin(5 * time));
    Recording::Pose pose;
    for (const Vec3& at :
         {Vec3(0, 0, 1), Vec3(0, 0, 1.7), Vec3(0.1, 0, 1), Vec3(0.1, 0, 0.5), Vec3(0.1, 0, ankle),
          Vec3(0.1, -0.15, toe), Vec3(-0.1, 0, 1), Vec3(-0.1, 0, 0.5), Vec3(-0.1, 0, ankle)}) {
      Eigen::Isometry3d joint = Eigen::Isometry3d::Identity();
      joint.translation() = size * (at + Vec3(3, 0.2 * time, 7 + up));
      pose.push_back(joint);
    }
    return pose;
  };
  recording.rest = recording.pose(0);
  return recording;
}

TEST(Retargeting, PutsSolesOnTheFloor) {
  Random random(2);
  for (int trial = 0; trial < 30; ++trial) {
    const double size = std::exp(random.uniform(-2, 4));
    const double sole = random.uniform(0, 0.2);
    const double ahead = random.uniform(0.1, 0.3);
    const Character character = someone(size, sole, ahead);
    const double height = random.uniform(0.1, 0.5);
    const Recording recording = hops(std::exp(random.uniform(-2, 4)), random.uniform(0.05, 0.2),
                                     random.uniform(-0.1, 0.05), height);
    const auto motion = retarget(recording, character, 20);
    ASSERT_TRUE(motion.ok()) << motion.error().describe();
    double lowest = 1e300;
    for (const auto& frame : motion->frames) {
      for (std::size_t v = 0; v < character.positions.size(); ++v) {
        const Matrix4d& inverse_bind = character.bones[character.joints[v]].inverse_bind;
        const Eigen::Vector4d at =
            frame[character.joints[v]] * (inverse_bind * character.positions[v].homogeneous());
        lowest = std::min(lowest, at.y());
      }
    }
    EXPECT_NEAR(lowest, size * (0.1 - sole), kMotionRounding * size) << "trial " << trial;
  }
}

}  // namespace
}  // namespace supple::character
