// SPDX-License-Identifier: Apache-2.0
// What a person does every day stays below the soft limit of flesh that was chosen automatically.
#include "bake/default_bake.hpp"
#include "bake/rigs.hpp"
#include "supple/bake/playback.hpp"
#include "supple/character/pose_chain.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace supple::bake {
namespace {

using geometry::Vec3;
using testing::bake_man;
using testing::bake_quickly;

constexpr double kMostly = 0.05;  // of the frames may be at the limit
constexpr double kAlike = 0.1;    // relative: the layers of the automatic choice differ a little

/// 3 m/s: steps of 0.36 s, the body bounces by 9 cm from flight to stance, thighs swing by 35
/// degrees each way and knees bend to 90.
Motion run_of(const character::Character& character) {
  Motion motion;
  motion.name = "run";
  motion.duration = 0.72 * 4;
  const auto order = character::parents_first(character);
  const auto sampled = character::sample_motion(motion, character, 60, [&](double t) {
    const double phase = 2 * std::numbers::pi * t / 0.72;
    std::vector<std::optional<Eigen::Matrix3d>> turns(character.bones.size());
    std::vector<std::optional<Vec3>> places(character.bones.size());
    const auto bone = [&](const std::string& name) { return character.find_bone(name).value(); };
    for (const double side : {1.0, -1.0}) {
      const std::string name = side > 0 ? "Left" : "Right";
      const double swing = -0.2 + side * 0.6 * std::sin(phase);
      const double knee = 0.8 + 0.7 * side * std::cos(phase);
      const auto about_x = [](double angle) {
        return Eigen::Matrix3d(Eigen::AngleAxisd(angle, Vec3::UnitX()));
      };
      turns[bone(name + "Thigh")] = about_x(swing);
      turns[bone(name + "Shin")] = about_x(swing + knee);
    }
    const Vec3 hips = character.bones[bone("Hips")].rest_world.topRightCorner<3, 1>();
    places[bone("Hips")] = hips + Vec3(0, 0.045 * std::cos(2 * phase), 3 * t);
    return character::turned_pose(character, order, turns, places);
  });
  EXPECT_TRUE(sampled.ok());
  return motion;
}

void expect_below_limit(const BakeRun& run, const Motion& motion) {
  const auto file = BakedFile::open(run.supple.bytes, "test.supple");
  ASSERT_TRUE(file.ok());
  const auto tracks = play(*file, motion);
  ASSERT_TRUE(tracks.ok()) << tracks.error().describe();
  ASSERT_FALSE(tracks->flesh.empty());
  for (const FleshExtremes& flesh : tracks->flesh) {
    std::printf("%-8s %-16s up to %4.1f mm of %4.1f, at the limit in %4.1f %% of the frames\n",
                motion.name.c_str(), flesh.name.c_str(), 1e3 * flesh.largest, 1e3 * flesh.limit,
                100 * flesh.at_limit);
    EXPECT_LE(flesh.at_limit, kMostly) << motion.name << ", " << flesh.name;
    EXPECT_GT(flesh.largest, 1e-3) << "it should still be seen";
  }
  EXPECT_LE(tracks->at_limit(), kMostly);
  for (const std::string& warning : tracks->warnings) {
    EXPECT_EQ(warning.find("limit"), std::string::npos) << warning;
  }
  // Ten times as much is beyond it, and that is said.
  PlaySettings tenfold;
  tenfold.gain = 10;
  const auto more = play(*file, motion, tenfold);
  ASSERT_TRUE(more.ok());
  if (more->at_limit() > kMostly) {
    bool said = false;
    for (const std::string& warning : more->warnings) {
      said = said || warning.find("is at its limit of") != std::string::npos;
    }
    EXPECT_TRUE(said);
  }
}

TEST(SoftLimit, AManWalksRunsAndJumpsBelowIt) {
  const auto run = bake_man();
  ASSERT_TRUE(run);
  const GltfCharacter& source = run->input.moved();
  for (const char* what : {"walk", "sine", "jump"}) {
    const auto motion = load_motion({what, "", 60}, source.character, nullptr, nullptr);
    ASSERT_TRUE(motion.ok());
    expect_below_limit(*run, *motion);
  }
  expect_below_limit(*run, run_of(source.character));
}

/// An object of which only the bone is given hangs, and is limited, as the automatic choice:
/// without a sag it would hang 129 mm over a limit of 23 mm.
TEST(SoftLimit, MinimalObjectsEqualTheAutomaticChoice) {
  const auto chosen = bake_man();
  ASSERT_TRUE(chosen);
  std::string minimal;
  for (const auto& object : chosen->input.settings.objects) {
    if (object.region.bones.size() != 1) continue;
    minimal += fmt::format("[[object]]\nname = \"{}\"\nbones = [\"{}\"]\n", object.name,
                           object.region.bones[0]);
  }
  ASSERT_FALSE(minimal.empty());
  const auto run = bake_man(minimal);
  ASSERT_TRUE(run);
  for (const flesh::FleshObject& object : run->objects) {
    const auto same = std::ranges::find(chosen->objects, object.name, &flesh::FleshObject::name);
    ASSERT_NE(same, chosen->objects.end()) << object.name;
    std::printf("%-16s sags %4.1f mm of %4.1f mm (chosen: %4.1f of %4.1f)\n", object.name.c_str(),
                1e3 * object.sag, 1e3 * object.limit, 1e3 * same->sag, 1e3 * same->limit);
    EXPECT_NEAR(object.sag / same->sag, 1, kAlike) << object.name;
    EXPECT_NEAR(object.limit / same->limit, 1, kAlike) << object.name;
  }
  expect_below_limit(*run, run_of(run->input.moved().character));
}

TEST(SoftLimit, RecordedPeopleStayBelowIt) {
  const auto person = testing::assets() / "makehuman/human.glb";
  const auto recordings = testing::assets() / "cmu_bvh";
  if (!std::filesystem::exists(person) || !std::filesystem::exists(recordings / "02_01.bvh")) {
    GTEST_SKIP() << "skipped: no " << person << " or recordings in " << recordings;
  }
  BakeRequest request;
  request.character = person.string();
  const auto run = bake_quickly(std::move(request));
  ASSERT_TRUE(run);
  for (const char* name : {"02_01.bvh", "16_01.bvh"}) {
    const auto motion = load_motion({(recordings / name).string(), "", 60},
                                    run->input.moved().character, nullptr, nullptr);
    ASSERT_TRUE(motion.ok()) << motion.error().describe();
    expect_below_limit(*run, *motion);
  }
}

}  // namespace
}  // namespace supple::bake
