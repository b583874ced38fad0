// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/motion.hpp"

#include "bake/rigs.hpp"
#include "character/chain.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/random.hpp"
#include "temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace supple::bake {
namespace {

using character::testing::chain_of_two;
using character::testing::kMotionRounding;
using character::testing::place;
using Eigen::Matrix4d;
using geometry::Vec3;
using supple::testing::TemporaryDirectory;

double angle_at(const std::vector<Matrix4d>& pose, std::size_t a, std::size_t b, std::size_t c) {
  const Vec3 up = place(pose[a]) - place(pose[b]);
  const Vec3 down = place(pose[c]) - place(pose[b]);
  return std::acos(up.normalized().dot(down.normalized())) * 180 / std::numbers::pi;
}

TEST(MotionFromTable, PlacesBonesAndLetsTheOthersFollow) {
  const character::Character character = chain_of_two("a", "b");
  const std::string text =
      "time,a.px,a.py,a.pz,a.qx,a.qy,a.qz,a.qw\n"
      "1,0,0,0,0,0,0,1\n"
      "2,2,0,0,0,0,0.7071067811865476,0.7071067811865476\n";
  const auto table = io::read_transform_table(as_bytes(text), "t.csv");
  ASSERT_TRUE(table.ok());
  const auto motion = motion_from_table(*table, character, 2);
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  ASSERT_EQ(motion->frames.size(), 3U);
  EXPECT_DOUBLE_EQ(motion->duration, 1);
  EXPECT_LT((place(motion->frames[2][1]) - Vec3(1, 0, 0)).norm(), kMotionRounding);
  const double half = std::sqrt(0.5);  // the middle: an eighth turn about z, carried to x = 1
  EXPECT_LT((place(motion->frames[1][1]) - Vec3(1 - half, half, 0)).norm(), kMotionRounding);
  EXPECT_FALSE(motion->loops);
}

io::Bvh bend_about_x(const std::string& root, const std::string& tip) {
  const std::string text = "HIERARCHY\nROOT " + root +
                           "\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
                           "Yrotation Xrotation\nJOINT " +
                           tip +
                           "\n{\nOFFSET 0 2 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n}\n}\n"
                           "MOTION\nFrames: 2\nFrame Time: 1\n0 0 0 0 0 0 0 0 0\n"
                           "0 0 1 0 0 90 0 0 0\n";
  auto bvh = io::read_bvh(as_bytes(text), "bend.bvh");
  EXPECT_TRUE(bvh.ok());
  return *std::move(bvh);
}

TEST(MotionFromBvh, CarriesRotationsOverInWorldAxesWhateverTheRestAxes) {
  character::Character character = chain_of_two("Hips", "Head");
  // The same place, other axes: what moves must not depend on them.
  const Eigen::Matrix3d axes =
      Eigen::AngleAxisd(1.0, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  character.bones[0].rest_world.topLeftCorner<3, 3>() = axes;
  const auto motion = motion_from_bvh(bend_about_x("hips", "HEAD"), character, 1);
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  ASSERT_EQ(motion->frames.size(), 2U);
  const Matrix4d& bent = motion->frames[1][0];
  const Eigen::Matrix3d expected =
      Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix() * axes;
  EXPECT_LT((bent.topLeftCorner<3, 3>() - expected).norm(), kMotionRounding);
  const Vec3 hips = place(bent);
  EXPECT_LT((place(motion->frames[1][1]) - hips - Vec3(0, 0, 1)).norm(), kMotionRounding);
}

TEST(MotionFromBvh, ReportsUnmatchedJointsAndMapsThem) {
  const character::Character character = chain_of_two("Hips", "Antenna");
  const io::Bvh bvh = bend_about_x("Hips", "Antena");
  const auto motion = motion_from_bvh(bvh, character, 1);
  ASSERT_TRUE(motion.ok());
  std::string notes;
  for (const std::string& note : motion->notes) notes += note + "\n";
  EXPECT_NE(notes.find("'Antena' (did you mean 'Antenna'?)"), std::string::npos) << notes;
  const auto mapped = motion_from_bvh(bvh, character, 1, {{"Antena", "Antenna"}});
  ASSERT_TRUE(mapped.ok());
  const auto wrong = motion_from_bvh(bvh, character, 1, {{"Antena", "Anten"}});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("did you mean 'Antenna'"), std::string::npos);
  const auto nothing = motion_from_bvh(bend_about_x("x1", "x2"), character, 1);
  ASSERT_FALSE(nothing.ok());
}

/// A person's joints with random offsets. Frames of a T-pose far away, which may be held, come
/// before `motion`, rotations in degrees per frame that change smoothly; in frame `glitch` they do
/// not.
struct PersonFile {
  std::size_t held = 1;
  std::size_t frames = 90;
  std::size_t glitch = 0;

  [[nodiscard]] io::Bvh read(std::uint64_t seed, bool with_calibration) const {
    Random random(seed);
    constexpr std::array kNames{"Hips",     "Spine",    "Head",         "LeftArm",   "LeftForeArm",
                                "LeftHand", "RightArm", "RightForeArm", "RightHand", "LeftUpLeg",
                                "LeftLeg",  "LeftFoot", "RightUpLeg",   "RightLeg",  "RightFoot"};
    constexpr std::array<const char*, 15> kOffsets{
        "0 0 0",   "0 10 0", "0 40 0",  "15 30 0", "30 0 0",  "25 0 0",  "-15 30 0", "-30 0 0",
        "-25 0 0", "10 0 0", "0 -42 0", "0 -40 0", "-10 0 0", "0 -42 0", "0 -40 0"};
    constexpr std::array<std::size_t, 15> kDepths{0, 1, 2, 2, 3, 4, 2, 3, 4, 1, 2, 3, 1, 2, 3};
    std::string text = "HIERARCHY\n";
    for (std::size_t j = 0; j < kNames.size(); ++j) {
      for (std::size_t up = j == 0 ? 0 : kDepths[j - 1] + 1; up > kDepths[j]; --up) text += "}\n";
      text += fmt::format("{} {}\n{{\nOFFSET {}\nCHANNELS {} Zrotation Yrotation Xrotation\n",
                          j == 0 ? "ROOT" : "JOINT", kNames[j], kOffsets[j],
                          j == 0 ? "6 Xposition Yposition Zposition" : "3");
    }
    for (std::size_t up = kDepths.back() + 1; up > 0; --up) text += "}\n";
    const std::size_t before = with_calibration ? held : 0;
    text += fmt::format("MOTION\nFrames: {}\nFrame Time: 0.008333\n", before + frames);
    for (std::size_t f = 0; f < before; ++f) {
      text += "500 300 -200";
      for (std::size_t c = 0; c < 3 * kNames.size(); ++c) text += " 0";
      text += "\n";
    }
    std::vector<double> phases(3 * kNames.size());
    for (double& phase : phases) phase = random.uniform(0, 6);
    for (std::size_t f = 0; f < frames; ++f) {
      const double t = 0.008333 * static_cast<double>(f);
      text += fmt::format("{} {} {}", 100 * t, 85 + 3 * std::sin(12 * t), 0);
      for (std::size_t c = 0; c < phases.size(); ++c) {
        // Arms hang: far from the T-pose.
        const double still = c == 9 ? -70 : c == 18 ? 70 : 0;
        const double jump = glitch > 0 && f == glitch && c > 8 ? 60 : 0;
        text += fmt::format(" {}", still + jump + 20 * std::sin(6 * t + phases[c]));
      }
      text += "\n";
    }
    auto bvh = io::read_bvh(as_bytes(text), "person.bvh");
    EXPECT_TRUE(bvh.ok()) << bvh.error().describe();
    return *std::move(bvh);
  }
};

/// What the recording's T-pose has to do with the motion: nothing, whether it is held for a while
/// or the motion itself jumps soon after.
TEST(MotionFromBvh, LeavesCalibrationPosesOutWhateverFollows) {
  const character::Character character = chain_of_two("Hips", "LeftArm");
  Random random(21);
  for (int trial = 0; trial < 24; ++trial) {
    PersonFile file;
    file.held = trial < 8 ? 1 : 1 + random.below(7);
    file.glitch = trial % 2 == 0 ? 0 : 2 + random.below(7);
    const auto seed = static_cast<std::uint64_t>(trial);
    const auto expected = motion_from_bvh(file.read(seed, false), character, 60);
    const auto motion = motion_from_bvh(file.read(seed, true), character, 60);
    ASSERT_TRUE(expected.ok() && motion.ok());
    ASSERT_EQ(motion->frames.size(), expected->frames.size()) << "trial " << trial;
    for (std::size_t f = 0; f < motion->frames.size(); ++f) {
      ASSERT_LT((motion->frames[f][1] - expected->frames[f][1]).norm(), kMotionRounding);
    }
    EXPECT_NE(motion->notes.front().find("calibration pose"), std::string::npos);
    EXPECT_EQ(expected->notes.front().find("calibration pose"), std::string::npos);
  }
}

struct Walker {
  const char* file;
  std::array<const char*, 3> left_leg;
  std::array<const char*, 3> right_leg;
  const char* hips;
};
class RetargetingOf : public ::testing::TestWithParam<Walker> {};

/// CMU 02_01 is a walk of 2.9 s: a man walks about 4 m, his knees bend to about 120 degrees
/// and come close to straight, and his hips keep their height within a few per cent.
TEST_P(RetargetingOf, AWalkLooksLikeOne) {
  const auto rig = testing::load_rig(GetParam().file);
  const auto file = testing::assets() / "cmu_bvh/02_01.bvh";
  if (!rig || !std::filesystem::exists(file)) {
    GTEST_SKIP() << "skipped: no " << GetParam().file << " or " << file;
  }
  const auto bvh = io::read_bvh(file);
  ASSERT_TRUE(bvh.ok());
  const auto motion = motion_from_bvh(*bvh, rig->source.character, 60);
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  for (const std::string& note : motion->notes) std::cout << note << '\n';

  const std::size_t hips = rig->bone(GetParam().hips);
  const auto& rest = rig->source.character.bones;
  const Vec3 start = place(motion->frames.front()[hips]);
  const Vec3 way = place(motion->frames.back()[hips]) - start;
  const Vec3 forward = Vec3(way.x(), 0, way.z()).normalized();
  double leg = 0;
  for (const auto& names : {GetParam().left_leg, GetParam().right_leg}) {
    const std::size_t thigh = rig->bone(names[0]);
    const std::size_t shin = rig->bone(names[1]);
    const std::size_t foot = rig->bone(names[2]);
    leg = (place(rest[thigh].rest_world) - place(rest[shin].rest_world)).norm() +
          (place(rest[shin].rest_world) - place(rest[foot].rest_world)).norm();
    double most = 0;
    double least = 180;
    for (const auto& frame : motion->frames) {
      const double knee = angle_at(frame, thigh, shin, foot);
      most = std::max(most, knee);
      least = std::min(least, knee);
      // A knee is never behind the line from hip to ankle.
      const Vec3 middle = 0.5 * (place(frame[thigh]) + place(frame[foot]));
      EXPECT_GT((place(frame[shin]) - middle).dot(forward), -0.03 * leg);
      EXPECT_GT(place(frame[thigh]).y(), place(frame[shin]).y());
      EXPECT_GT(place(frame[shin]).y(), place(frame[foot]).y());
    }
    EXPECT_GT(most, 165);
    EXPECT_LT(least, 135);
    EXPECT_GT(least, 90);
  }
  EXPECT_GT(Vec3(way.x(), 0, way.z()).norm(), 3 * leg);
  EXPECT_LT(Vec3(way.x(), 0, way.z()).norm(), 6 * leg);
  for (const auto& frame : motion->frames) {
    const double height = place(frame[hips]).y();
    EXPECT_NEAR(height, place(rest[hips].rest_world).y(), 0.12 * leg);
  }
  EXPECT_FALSE(motion->loops);
  EXPECT_NEAR(start.x(), place(rest[hips].rest_world).x(), kMotionRounding);
}

INSTANTIATE_TEST_SUITE_P(Rigs, RetargetingOf,
                         ::testing::Values(Walker{"makehuman/human.glb",
                                                  {"upperleg01.L", "lowerleg01.L", "foot.L"},
                                                  {"upperleg01.R", "lowerleg01.R", "foot.R"},
                                                  "root"},
                                           Walker{
                                               "khronos/CesiumMan/CesiumMan.glb",
                                               {"leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3"},
                                               {"leg_joint_R_1", "leg_joint_R_2", "leg_joint_R_3"},
                                               "Skeleton_torso_joint_1"}));

/// The lowest vertex of a skinned character, by the whole skin.
double lowest_vertex(const character::Character& character, const std::vector<Matrix4d>& pose) {
  double low = 1e300;
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    double y = 0;
    for (std::size_t k = 0; k < character.influences; ++k) {
      const std::size_t at = v * character.influences + k;
      if (character.weights[at] == 0) continue;
      const std::size_t bone = character.joints[at];
      y +=
          character.weights[at] *
          (pose[bone] * (character.bones[bone].inverse_bind * character.positions[v].homogeneous()))
              .y();
    }
    low = std::min(low, y);
  }
  return low;
}

class StandingOn : public ::testing::TestWithParam<const char*> {};

TEST_P(StandingOn, SolesWalkOnTheFloor) {
  const auto path = testing::assets() / GetParam();
  const auto file = testing::assets() / "cmu_bvh/02_01.bvh";
  if (!std::filesystem::exists(path) || !std::filesystem::exists(file)) {
    GTEST_SKIP() << "skipped: no " << path << " or " << file;
  }
  const auto asset = io::read_gltf(path);
  ASSERT_TRUE(asset.ok());
  const auto source = character_from_gltf(*asset);
  const auto bvh = io::read_bvh(file);
  ASSERT_TRUE(source.ok() && bvh.ok());
  const character::Character& character = source->character;
  const auto motion = motion_from_bvh(*bvh, character, 20);
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  std::vector<Matrix4d> rest;
  for (const character::Bone& bone : character.bones) rest.push_back(bone.rest_world);
  const double floor = lowest_vertex(character, rest);
  std::vector<double> heights;
  for (const auto& frame : motion->frames) {
    heights.push_back((lowest_vertex(character, frame) - floor) * character.metres_per_unit);
  }
  std::sort(heights.begin(), heights.end());
  std::printf("soles: %.1f to %.1f mm above the floor, median %.1f mm\n", 1e3 * heights.front(),
              1e3 * heights.back(), 1e3 * heights[heights.size() / 2]);
  // Toes that the recording does not bend dip in when the foot rolls off.
  EXPECT_GT(heights.front(), -0.05);
  EXPECT_LT(heights[heights.size() / 2], 0.02);
  EXPECT_LT(heights.back(), 0.05);
}

INSTANTIATE_TEST_SUITE_P(Rigs, StandingOn,
                         ::testing::Values("makehuman/human.glb",
                                           "khronos/CesiumMan/CesiumMan.glb"));

TEST(MotionFromClip, FollowsTheClipAndKnowsLoops) {
  const auto fox = testing::load_rig("khronos/Fox/Fox.glb");
  if (!fox) GTEST_SKIP() << "skipped: no khronos/Fox/Fox.glb";
  const auto walk = find_clip(fox->asset, "Walk");
  ASSERT_TRUE(walk.ok());
  const Motion motion = motion_from_clip(fox->asset, fox->source, *walk, 60).value();
  EXPECT_TRUE(motion.loops);
  EXPECT_NEAR(motion.step(), 1.0 / 60, 0.002);
  const std::size_t middle = motion.frames.size() / 2;
  const auto world = io::world_matrices(
      fox->asset, io::sample(fox->asset, fox->asset.animations[*walk], motion.time(middle)));
  const std::size_t bone = 5;
  EXPECT_TRUE(motion.frames[middle][bone].isApprox(world[fox->asset.skins[0].joints[bone]]));
  EXPECT_EQ(find_clip(fox->asset, "2").value(), 1U);
  EXPECT_FALSE(find_clip(fox->asset, "Wlak").ok());
}

/// A stray last key: the file is as small as before, and its poses would fill any memory.
TEST(MotionFromClip, ClipsTooLongForTheMemoryAreErrors) {
  Random random(10);
  GltfCharacter source;
  source.character = chain_of_two("a", "b");
  source.nodes = {0, 1};
  for (int trial = 0; trial < 20; ++trial) {
    io::GltfAsset asset;
    asset.nodes.resize(2);
    asset.parents_first = {0, 1};
    io::GltfAnimation clip;
    clip.name = "run";
    clip.duration = trial == 0 ? 1e300 : std::pow(10, random.uniform(5.5, 30));
    clip.samplers.push_back(
        {io::GltfInterpolation::Linear, 3, {0, clip.duration}, {0, 0, 0, 0, 0, 3}});
    clip.channels.push_back({0, io::GltfPath::Translation, 0});
    asset.animations.push_back(clip);
    const double rate = random.uniform(24, 240);
    const auto motion = motion_from_clip(asset, source, 0, rate);
    ASSERT_FALSE(motion.ok()) << clip.duration;
    EXPECT_EQ(motion.error().code(), ErrorCode::BadInput);
    EXPECT_NE(motion.error().message().find("'run'"), std::string::npos);
  }
  EXPECT_FALSE(character::still_motion(source.character, "gravity", 1e9).ok());
}

TEST(MotionFromClip, SamplingAnswersAnInterrupt) {
  const character::Character character = chain_of_two("a", "b");
  set_interrupted(true);
  const auto motion = character::built_in_motion("walk", character, 60);
  set_interrupted(false);
  ASSERT_FALSE(motion.ok());
  EXPECT_EQ(motion.error().code(), ErrorCode::Interrupted);
}

TEST(MotionFromClip, BeginsWithTheFirstKey) {
  Random random(6);
  for (int trial = 0; trial < 20; ++trial) {
    const double first = trial == 0 ? 0 : random.uniform(0, 1);
    const double length = random.uniform(0.4, 2);
    io::GltfAsset asset;
    asset.nodes.resize(1);
    asset.parents_first = {0};
    io::GltfAnimation clip;
    clip.samplers.push_back(
        {io::GltfInterpolation::Linear, 3, {first, first + length}, {0, 0, 0, 0, 0, 3}});
    clip.channels.push_back({0, io::GltfPath::Translation, 0});
    clip.duration = first + length;
    asset.animations.push_back(clip);
    GltfCharacter source;
    source.character = chain_of_two("a", "b");
    source.character.bones.resize(1);
    source.nodes = {0};
    const Motion motion = motion_from_clip(asset, source, 0, 60).value();
    // The frames before hold still; the first one and all after it move at the clip's speed.
    EXPECT_GE(motion.time(motion.first_frame), first - 1e-9);
    EXPECT_LT(motion.time(motion.first_frame), first + motion.step());
    const double step = 3 / length * motion.step();
    for (std::size_t f = motion.first_frame; f + 1 < motion.frames.size(); ++f) {
      const Vec3 moved = place(motion.frames[f + 1][0]) - place(motion.frames[f][0]);
      ASSERT_NEAR(moved.z(), step, 1e-9) << "trial " << trial << ", frame " << f;
    }
  }
}

TEST(LoadMotion, UnderstandsWhatUsersAskFor) {
  const auto fox = testing::load_rig("khronos/Fox/Fox.glb");
  if (!fox) GTEST_SKIP() << "skipped: no khronos/Fox/Fox.glb";
  const auto ask = [&](const std::string& what, const std::string& map = "") {
    return load_motion({what, map, 30}, fox->source.character, &fox->asset, &fox->source);
  };
  EXPECT_EQ(ask("Run")->name, "Run");
  EXPECT_EQ(ask("clip:Walk")->name, "Walk");
  EXPECT_EQ(ask("walk")->name, "walk");  // built in; names of clips are exact
  EXPECT_FALSE(ask("clip:walk").ok());
  EXPECT_FALSE(ask("Survay").ok());
  EXPECT_NE(ask("Survay").error().message().find("did you mean 'Survey'"), std::string::npos);
  EXPECT_EQ(ask("none.bvh").error().code(), ErrorCode::Io);
  EXPECT_FALSE(ask("jump", "map.txt").ok());
  const auto looping = [&](character::Looping choice) {
    return load_motion({"Walk", "", 30, choice}, fox->source.character, &fox->asset, &fox->source)
        ->loops;
  };
  EXPECT_TRUE(looping(character::Looping::Auto));
  EXPECT_FALSE(looping(character::Looping::No));
  const TemporaryDirectory directory;
  const std::string file = directory.write(
      "tail.csv",
      "time,b_Tail01_012.px,b_Tail01_012.py,b_Tail01_012.pz,b_Tail01_012.qx,b_Tail01_012.qy,"
      "b_Tail01_012.qz,b_Tail01_012.qw\n0,0,0,0,0,0,0,1\n1,0,0,1,0,0,0,1\n");
  const auto tail = ask(file);
  ASSERT_TRUE(tail.ok()) << tail.error().describe();
  EXPECT_EQ(tail->frames.size(), 31U);
}

}  // namespace
}  // namespace supple::bake
