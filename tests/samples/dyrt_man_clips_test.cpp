// SPDX-License-Identifier: Apache-2.0
#include "samples/dyrt_man_clips.hpp"

#include "samples/dyrt_man.hpp"
#include "samples/dyrt_man_rig.hpp"
#include "samples/skinned_checks.hpp"

#include <gtest/gtest.h>

namespace supple::samples {
namespace {

using geometry::Vec3;

io::SkinnedClip clip_of(std::string_view name) {
  for (io::SkinnedClip& clip : dyrt_man_clips()) {
    if (clip.name == name) return clip;
  }
  ADD_FAILURE() << "no clip " << name;
  return {};
}

/// The lowest vertex at every key, metres over the floor.
std::vector<double> lowest_points(std::string_view name) {
  const auto model = dyrt_man(2500);
  const auto asset = io::make_gltf(*model);
  std::vector<double> result;
  for (const io::GltfAnimation& animation : asset->animations) {
    if (animation.name != name) continue;
    for (int key = 0; key <= std::lround(60 * animation.duration); ++key) {
      const auto pose = io::sample(*asset, animation, key / 60.0);
      const auto points = io::posed_positions(*asset, model->bones.size(), 0, pose,
                                              io::world_matrices(*asset, pose));
      double low = std::numeric_limits<double>::infinity();
      for (const Vec3& p : points) low = std::min(low, p.y());
      result.push_back(low);
    }
  }
  return result;
}

TEST(DyrtManClips, CloseTheirLoops) {
  testing::expect_closed_loop(clip_of("walk"));
  testing::expect_closed_loop(clip_of("dance"));
  EXPECT_NEAR(clip_of("walk").times.back(), 1.1, 1e-12);
  EXPECT_NEAR(clip_of("dance").times.back(), 4, 1e-12);
}

TEST(DyrtManClips, JumpFromRestToRest) {
  const io::SkinnedClip jump = clip_of("jump");
  testing::expect_closed_loop(jump);
  const auto bones = dyrt_man_rig::skeleton();
  for (const io::SkinnedTrack& track : jump.tracks) {
    EXPECT_LT(track.rotations.front().angularDistance(bones[track.bone].rotation), 1e-6)
        << bones[track.bone].name;
  }
}

TEST(DyrtManClips, FlyAsGravityWants) {
  const io::SkinnedClip jump = clip_of("jump");
  const auto& hips = jump.tracks.at(dyrt_man_rig::Hips).translations;
  int flying = 0;
  for (std::size_t k = 1; k + 1 < jump.times.size(); ++k) {
    if (jump.times[k - 1] < kJumpTakeOff - 1e-9 || jump.times[k + 1] > kJumpLanding + 1e-9)
      continue;
    const double step = jump.times[k + 1] - jump.times[k];
    const double acceleration =
        (hips[k + 1].y() - 2 * hips[k].y() + hips[k - 1].y()) / (step * step);
    EXPECT_NEAR(acceleration, -9.81, 1e-6) << jump.times[k];
    ++flying;
  }
  EXPECT_GT(flying, 25);
}

TEST(DyrtManClips, LandHardWithDeepKnees) {
  const io::SkinnedClip jump = clip_of("jump");
  const auto& hips = jump.tracks.at(dyrt_man_rig::Hips).translations;
  const auto key = [](double t) { return static_cast<std::size_t>(std::lround(60 * t)); };
  const double rest = hips.front().y();
  EXPECT_GT(hips[key(0.95)].y(), rest + 0.25);  // in the air
  EXPECT_LT(hips[key(1.46)].y(), rest - 0.30);  // in the knees
  const double speed = (hips[key(kJumpLanding)].y() - hips[key(kJumpLanding) - 1].y()) * 60;
  EXPECT_LT(speed, -2);
}

TEST(DyrtManClips, StandOnTheFloor) {
  constexpr double kWithin = 0.02;
  for (const char* name : {"walk", "dance"}) {
    for (const double low : lowest_points(name)) EXPECT_NEAR(low, 0, kWithin) << name;
  }
}

TEST(DyrtManClips, LeaveTheFloorInFlightAlone) {
  constexpr double kWithin = 0.02;
  const std::vector<double> lows = lowest_points("jump");
  ASSERT_EQ(lows.size(), 151U);
  for (std::size_t k = 0; k < lows.size(); ++k) {
    const double t = static_cast<double>(k) / 60;
    if (t < kJumpTakeOff || t > kJumpLanding) {
      EXPECT_NEAR(lows[k], 0, kWithin) << t;
    } else {
      EXPECT_GT(lows[k], -kWithin) << t;
    }
  }
  EXPECT_GT(lows[57], 0.25);  // half-way
}

}  // namespace
}  // namespace supple::samples
