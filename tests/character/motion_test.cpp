// SPDX-License-Identifier: Apache-2.0
#include "supple/character/motion.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <functional>
#include <numbers>

namespace supple::character {
namespace {

using Eigen::Affine3d;
using Eigen::Matrix4d;
using geometry::Vec3;

constexpr double kTurn = 2 * std::numbers::pi;

/// A root, a trunk and a leg that swings; `whole` carries all of it along.
Motion gait(double seconds, double rate, double size, const std::function<Affine3d(double)>& whole,
            double cycles = 1) {
  Motion motion;
  motion.name = "gait";
  motion.bones = {"root", "trunk", "leg"};
  motion.duration = seconds;
  const auto steps = static_cast<int>(std::lround(seconds * rate));
  for (int i = 0; i <= steps; ++i) {
    const double t = seconds * i / steps;
    const double phase = kTurn * cycles * t / seconds;
    const Affine3d root = whole(t);
    const Affine3d trunk =
        root * Eigen::Translation3d(0, size * (1 + 0.03 * std::cos(2 * phase)), 0);
    const Affine3d leg = trunk * Eigen::AngleAxisd(0.5 * std::sin(phase), Vec3::UnitX()) *
                         Eigen::Translation3d(0, -0.5 * size, 0);
    motion.frames.push_back({root.matrix(), trunk.matrix(), leg.matrix()});
  }
  find_loop(motion);
  return motion;
}

Affine3d on_the_spot(double) {
  return Affine3d::Identity();
}

TEST(Loop, RootMotionDoesNotHideIt) {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const double seconds = random.uniform(0.5, 2);
    const double rate = random.uniform(24, 120);
    const double size = std::exp(random.uniform(std::log(0.1), std::log(100)));
    const Vec3 velocity =
        size * Vec3(random.uniform(-3, 3), random.uniform(-0.3, 0.3), random.uniform(-3, 3));
    const double yaw = trial % 2 == 0 ? 0 : random.uniform(-1, 1);  // rad/s
    const Affine3d start(Eigen::Translation3d(size * random.uniform(-9, 9), 0, size) *
                         Eigen::AngleAxisd(random.uniform(-3, 3), Vec3::UnitY()));
    const auto along = [&](double t) {
      // A screw: at every moment the same velocity in its own axes.
      Affine3d screw = Affine3d::Identity();
      screw.linear() = Eigen::AngleAxisd(yaw * t, Vec3::UnitY()).toRotationMatrix();
      constexpr int kParts = 64;
      for (int i = 0; i < kParts; ++i) {
        const double s = t * (i + 0.5) / kParts;
        screw.translation() += t / kParts * (Eigen::AngleAxisd(yaw * s, Vec3::UnitY()) * velocity);
      }
      return Affine3d(start * screw);
    };
    const Motion motion = gait(seconds, rate, size, along);
    ASSERT_TRUE(motion.loops) << "trial " << trial;
    // One cycle later the character is where the travel says.
    const Matrix4d next = motion.travel * motion.frames.front()[2];
    EXPECT_LT((next - motion.frames.back()[2]).norm(), 1e-6 * size + 1e-9);
  }
}

TEST(Loop, OnTheSpotHasNoTravel) {
  const Motion motion = gait(1, 60, 1.7, on_the_spot);
  EXPECT_TRUE(motion.loops);
  EXPECT_TRUE(motion.travel.isIdentity());
}

TEST(Loop, WhoStartsAndStopsOrSpeedsUpDoesNotRepeatIt) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const double way = random.uniform(0.5, 5);
    const auto smooth = [](double s) { return s * s * (3 - 2 * s); };
    const Motion stops = gait(2, 60, 1, [&](double t) {
      return Affine3d(Eigen::Translation3d(0, 0, way * smooth(t / 2)));
    });
    EXPECT_FALSE(stops.loops) << way;
    const Motion speeds_up = gait(2, 60, 1, [&](double t) {
      return Affine3d(Eigen::Translation3d(way * (t + 0.5 * t * t), 0, 0));
    });
    EXPECT_FALSE(speeds_up.loops) << way;
    const Motion turns = gait(2, 60, 1, [&](double t) {
      return Affine3d(Eigen::AngleAxisd(way / 2 * smooth(t / 2), Vec3::UnitY()));
    });
    EXPECT_FALSE(turns.loops) << way;
    const Motion half = gait(
        2, 60, 1, [&](double t) { return Affine3d(Eigen::Translation3d(0, 0, way * t)); }, 1.25);
    EXPECT_FALSE(half.loops) << way;
  }
}

TEST(Loop, CanBeChosen) {
  Motion motion = gait(1, 60, 1, on_the_spot);
  find_loop(motion, Looping::No);
  EXPECT_FALSE(motion.loops);
  motion = gait(1, 60, 1, on_the_spot, 0.25);
  EXPECT_FALSE(motion.loops);
  find_loop(motion, Looping::Yes);
  EXPECT_TRUE(motion.loops);
}

TEST(Loop, BeginsAtTheFirstFrameThatMoves) {
  Motion motion = gait(1, 60, 1, on_the_spot);
  const auto first = motion.frames.front();
  motion.frames.insert(motion.frames.begin(), 7, first);
  motion.first_frame = 7;
  find_loop(motion);
  EXPECT_TRUE(motion.loops);
}

}  // namespace
}  // namespace supple::character
