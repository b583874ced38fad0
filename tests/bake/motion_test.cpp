// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/motion.hpp"

#include "bake/rigs.hpp"
#include "character/chain.hpp"
#include "supple/core/files.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <cmath>
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

TEST(MotionFromClip, FollowsTheClipAndKnowsLoops) {
  const auto fox = testing::load_rig("khronos/Fox/Fox.glb");
  if (!fox) GTEST_SKIP() << "skipped: no khronos/Fox/Fox.glb";
  const auto walk = find_clip(fox->asset, "Walk");
  ASSERT_TRUE(walk.ok());
  const Motion motion = motion_from_clip(fox->asset, fox->source, *walk, 60);
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
