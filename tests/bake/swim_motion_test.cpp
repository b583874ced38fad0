// SPDX-License-Identifier: Apache-2.0
#include "bake/rigs.hpp"

#include "supple/bake/swim_motion.hpp"
#include "supple/io/gltf_character.hpp"

#include "samples/dyrt_man_rig.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <numbers>

namespace supple::bake::testing {
namespace {

using geometry::Vec3;

/// A recording of poses that were never swum: the swimmer as it starts.
swim::Recording poses(const swim::Body& body, const std::vector<std::vector<double>>& angles) {
  swim::Recording recording;
  recording.stroke = "poses";
  for (std::size_t f = 0; f < angles.size(); ++f) {
    swim::StartState start;
    start.position = {0.5 * static_cast<double>(f), 0.1, -0.2};
    start.angles = angles[f];
    const auto swimmer = swim::Swimmer::create(body, {}, start);
    EXPECT_TRUE(swimmer.ok()) << swimmer.error().describe();
    swim::Recording::Frame frame;
    frame.time = static_cast<double>(f) / 10;
    for (std::size_t s = 0; s < body.segments.size(); ++s) {
      frame.segments.push_back(swimmer->segment(s));
    }
    frame.centre = swimmer->centre_of_mass();
    recording.frames.push_back(std::move(frame));
  }
  return recording;
}

/// Every joint within the middle of its range, all different and for every frame.
std::vector<double> mixed_angles(const swim::Body& body, int frame) {
  std::vector<double> angles;
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const double t = 0.5 + 0.35 * std::sin(0.4 * frame + 1.3 * static_cast<double>(j));
    angles.push_back(body.joints[j].low + t * (body.joints[j].high - body.joints[j].low));
  }
  return angles;
}

swim::Body default_body() {
  auto body = swim::build_body({});
  EXPECT_TRUE(body.ok()) << body.error().describe();
  return *std::move(body);
}

character::Character dyrt_skeleton() {
  character::Character character;
  character.name = "man";
  const auto bones = supple::samples::dyrt_man_rig::skeleton();
  const auto rest = io::rest_world(bones);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    character::Bone bone;
    bone.name = bones[b].name;
    bone.parent = bones[b].parent;
    bone.rest_world = rest[b].matrix();
    character.bones.push_back(bone);
  }
  return character;
}

/// A different rig: T pose, custom names, centimetres, looking along -Z.
character::Character tpose_skeleton() {
  character::Character character;
  character.name = "t-pose";
  character.metres_per_unit = 0.01;
  const auto add = [&](const char* name, int parent, double x, double y, double z) {
    character::Bone bone;
    bone.name = std::string("mixamorig:") + name;
    if (parent >= 0) bone.parent = static_cast<std::size_t>(parent);
    bone.rest_world.topRightCorner<3, 1>() = Vec3(-x, y, -z);
    character.bones.push_back(bone);
  };
  add("Hips", -1, 0, 100, 0);
  add("Spine", 0, 0, 110, 0);
  add("Spine1", 1, 0, 122, 0);
  add("Spine2", 2, 0, 135, 0);
  add("Neck", 3, 0, 150, 0);
  add("Head", 4, 0, 160, 2);
  int at = 6;
  for (const auto& [side, sign] : {std::pair{"Left", 1.0}, {"Right", -1.0}}) {
    const auto name = [&, side = side](const char* part) { return std::string(side) + part; };
    add(name("Shoulder").c_str(), 3, sign * 5, 145, 0);
    add(name("Arm").c_str(), at, sign * 18, 145, 0);
    add(name("ForeArm").c_str(), at + 1, sign * 46, 145, 0);
    add(name("Hand").c_str(), at + 2, sign * 72, 145, 0);
    add(name("UpLeg").c_str(), 0, sign * 9, 95, 0);
    add(name("Leg").c_str(), at + 4, sign * 9, 52, 0);
    add(name("Foot").c_str(), at + 5, sign * 9, 9, 0);
    add(name("ToeBase").c_str(), at + 6, sign * 9, 2, 14);
    at += 8;
  }
  return character;
}

struct Pair {
  const char* segment;
  const char* from;
  const char* to;
  double along;  ///< the segment's x points this way from the first bone to the second
};

Vec3 bone_place(const Motion& motion, std::size_t frame, const std::string& bone) {
  for (std::size_t b = 0; b < motion.bones.size(); ++b) {
    if (motion.bones[b] == bone) return motion.frames[frame][b].topRightCorner<3, 1>();
  }
  ADD_FAILURE() << "no bone " << bone;
  return Vec3::Zero();
}

void expect_directions(const Motion& motion, const swim::Recording& recording,
                       const swim::Body& body, const std::vector<Pair>& pairs) {
  ASSERT_EQ(motion.frames.size(), recording.frames.size());
  for (std::size_t f = 0; f < motion.frames.size(); ++f) {
    for (const Pair& pair : pairs) {
      const Vec3 ours =
          (bone_place(motion, f, pair.to) - bone_place(motion, f, pair.from)).normalized();
      const Vec3 theirs =
          pair.along * recording.frames[f].segments[*body.find_segment(pair.segment)].axes.col(0);
      EXPECT_LT((ours - theirs).norm(), 1e-6) << pair.segment << " in frame " << f;
    }
  }
}

const std::vector<Pair>& dyrt_pairs() {
  static const std::vector<Pair> pairs{{"right_upper_arm", "RightUpperArm", "RightForeArm", 1},
                                       {"right_forearm", "RightForeArm", "RightHand", 1},
                                       {"left_upper_arm", "LeftUpperArm", "LeftForeArm", 1},
                                       {"left_forearm", "LeftForeArm", "LeftHand", 1},
                                       {"right_thigh", "RightThigh", "RightShin", -1},
                                       {"right_shin", "RightShin", "RightFoot", -1},
                                       {"left_thigh", "LeftThigh", "LeftShin", -1},
                                       {"left_shin", "LeftShin", "LeftFoot", -1}};
  return pairs;
}

TEST(SwimMotion, LimbsPointWhereTheSwimmersDo) {
  const swim::Body body = default_body();
  std::vector<std::vector<double>> angles;
  for (int f = 0; f < 12; ++f) angles.push_back(mixed_angles(body, f));
  const swim::Recording recording = poses(body, angles);
  const character::Character man = dyrt_skeleton();
  const auto motion = motion_from_swim(recording, body, man, {10, {}, false});
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  expect_directions(*motion, recording, body, dyrt_pairs());
}

TEST(SwimMotion, OtherRigsSwimTheSameWay) {
  const swim::Body body = default_body();
  const swim::Recording recording =
      poses(body, {mixed_angles(body, 0), mixed_angles(body, 1), mixed_angles(body, 2)});
  const character::Character rig = tpose_skeleton();
  const auto motion = motion_from_swim(recording, body, rig, {10, {}, false});
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  expect_directions(*motion, recording, body,
                    {{"right_upper_arm", "mixamorig:RightArm", "mixamorig:RightForeArm", 1},
                     {"left_forearm", "mixamorig:LeftForeArm", "mixamorig:LeftHand", 1},
                     {"right_thigh", "mixamorig:RightUpLeg", "mixamorig:RightLeg", -1},
                     {"left_shin", "mixamorig:LeftLeg", "mixamorig:LeftFoot", -1}});
  // As large as itself: hips move by the swimmer's way times the ratio of legs, in centimetres.
  const double leg = body.segments[*body.find_segment("right_shin")].anchor.norm() +
                     body.segments[*body.find_segment("right_foot")].anchor.norm();
  const double length = (bone_place(*motion, 1, "mixamorig:RightLeg") -
                         bone_place(*motion, 1, "mixamorig:RightUpLeg"))
                            .norm();
  EXPECT_NEAR(length, 43, 1e-9) << "bones keep their length";
  const auto middle = [&](std::size_t f) -> Vec3 {
    return 0.5 * (bone_place(*motion, f, "mixamorig:RightUpLeg") +
                  bone_place(*motion, f, "mixamorig:LeftUpLeg"));
  };
  const auto& anchor = body.segments[*body.find_segment("right_thigh")].anchor;
  const auto theirs = [&](std::size_t f) -> Vec3 {
    const swim::SegmentMotion& pelvis = recording.frames[f].segments[0];
    return pelvis.origin + pelvis.axes * Vec3(anchor.x(), anchor.y(), 0);
  };
  EXPECT_LT((middle(2) - middle(0) - 86 / leg * (theirs(2) - theirs(0))).norm(), 1e-6);
}

TEST(SwimMotion, LiesOnItsBellyArmsAheadPalmsOutAndToesPointed) {
  const swim::Body body = default_body();
  const swim::Recording recording = poses(body, {std::vector<double>(body.joints.size(), 0.0)});
  const character::Character man = dyrt_skeleton();
  const auto motion = motion_from_swim(recording, body, man);
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  ASSERT_EQ(motion->frames.size(), 1U);
  const auto at = [&](const char* bone) { return bone_place(*motion, 0, bone); };
  const auto turned = [&](const char* name, const Vec3& rest_direction) -> Vec3 {
    for (std::size_t b = 0; b < man.bones.size(); ++b) {
      if (man.bones[b].name != name) continue;
      const Eigen::Matrix3d turn = motion->frames[0][b].topLeftCorner<3, 3>() *
                                   man.bones[b].rest_world.topLeftCorner<3, 3>().transpose();
      return turn * rest_direction;
    }
    return Vec3::Zero();
  };
  EXPECT_GT(at("Head").x(), at("Hips").x() + 0.4) << "head first";
  EXPECT_LT(turned("Chest", Vec3::UnitZ()).y(), -0.999) << "belly down";
  EXPECT_GT(at("LeftHand").x(), at("Head").x() + 0.2);
  EXPECT_LT(at("LeftThigh").z(), at("RightThigh").z()) << "right hand towards +Z";
  EXPECT_LT((at("LeftToe") - at("LeftFoot")).normalized().x(), -0.97) << "toes pointed";
  EXPECT_GT(turned("LeftFoot", -Vec3::UnitY()).y(), 0.5) << "soles up";
  // The man's palms look inward and back as he stands; raised sideways they look outward.
  EXPECT_LT(turned("LeftHand", Vec3(-1, -0.3, 0).normalized()).z(), -0.5);
  EXPECT_GT(turned("RightHand", Vec3(1, -0.3, 0).normalized()).z(), 0.5);
}

/// The angle by which a bone is turned against its parent about its own length.
double wrung(const Motion& motion, const character::Character& man, std::size_t frame,
             std::size_t parent, std::size_t bone, const Vec3& along) {
  const auto turn = [&](std::size_t b) -> Eigen::Matrix3d {
    return motion.frames[frame][b].topLeftCorner<3, 3>() *
           man.bones[b].rest_world.topLeftCorner<3, 3>().transpose();
  };
  const Eigen::Quaterniond relative(Eigen::Matrix3d(turn(parent).transpose() * turn(bone)));
  return 2 * std::atan2(relative.vec().dot(along.normalized()), relative.w());
}

TEST(SwimMotion, NoJointIsWrungAndNothingJumps) {
  const swim::Body body = default_body();
  std::vector<std::vector<double>> angles;
  for (int f = 0; f <= 60; ++f) {
    // A pull: from overhead to the thighs, hands feathered at both ends.
    std::vector<double> now(body.joints.size(), 0.0);
    const double t = f / 60.0;
    for (const char* side : {"right_", "left_"}) {
      const auto joint = [&](const char* name) -> double& {
        return now[*body.find_joint(std::string(side) + name)];
      };
      joint("shoulder") = 2.4 * t;
      joint("elbow") = 1.2 * std::sin(std::numbers::pi * t);
      joint("wrist") =
          std::numbers::pi / 2 * std::cos(std::numbers::pi * t) * std::cos(std::numbers::pi * t);
    }
    angles.push_back(now);
  }
  const swim::Recording recording = poses(body, angles);
  const character::Character man = dyrt_skeleton();
  const auto motion = motion_from_swim(recording, body, man, {10, {}, false});
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  using namespace supple::samples::dyrt_man_rig;
  constexpr double kDegrees = 180 / std::numbers::pi;
  for (std::size_t f = 0; f < motion->frames.size(); ++f) {
    for (const std::size_t side : {std::size_t{0}, kToRight}) {
      const auto rest = [&](std::size_t b) -> Vec3 {
        return man.bones[b + side].rest_world.topRightCorner<3, 1>();
      };
      const Vec3 forearm = rest(LeftHand) - rest(LeftForeArm);
      EXPECT_LT(
          kDegrees * std::abs(wrung(*motion, man, f, LeftForeArm + side, LeftHand + side, forearm)),
          75)
          << "wrist in frame " << f;
      EXPECT_LT(kDegrees * std::abs(wrung(*motion, man, f, LeftUpperArm + side, LeftForeArm + side,
                                          forearm)),
                75)
          << "elbow in frame " << f;
    }
    if (f == 0) continue;
    for (std::size_t b = 0; b < man.bones.size(); ++b) {
      const Eigen::Quaterniond before(
          Eigen::Matrix3d(motion->frames[f - 1][b].topLeftCorner<3, 3>()));
      const Eigen::Quaterniond now(Eigen::Matrix3d(motion->frames[f][b].topLeftCorner<3, 3>()));
      EXPECT_LT(kDegrees * before.angularDistance(now), 15) << man.bones[b].name << " at " << f;
    }
  }
}

TEST(SwimMotion, InPlaceTakesTheAdvanceAwayAndNothingElse) {
  const swim::Body body = default_body();
  const std::vector<double> still(body.joints.size(), 0.0);
  const swim::Recording recording = poses(body, {still, still, still});
  const character::Character man = dyrt_skeleton();
  const auto there = motion_from_swim(recording, body, man, {10, {}, false});
  const auto here = motion_from_swim(recording, body, man, {10, {}, true});
  ASSERT_TRUE(there.ok() && here.ok());
  EXPECT_GT((bone_place(*there, 2, "Head") - bone_place(*there, 0, "Head")).x(), 0.8);
  EXPECT_LT((bone_place(*here, 2, "Head") - bone_place(*here, 0, "Head")).norm(), 1e-9);
  EXPECT_TRUE(here->loops);
}

TEST(SwimMotion, AShippedStrokeIsALevelLoopOnTheSpot) {
  const character::Character man = dyrt_skeleton();
  const auto motion = swimming_motion("breaststroke", man);
  ASSERT_TRUE(motion.ok()) << motion.error().describe();
  EXPECT_TRUE(motion->loops);
  EXPECT_GT(motion->duration, 1);
  const std::size_t last = motion->frames.size() - 1;
  EXPECT_LT((bone_place(*motion, last, "Hips") - bone_place(*motion, 0, "Hips")).norm(), 0.1);
  Vec3 along = Vec3::Zero();
  for (std::size_t f = 0; f <= last; ++f) {
    along += bone_place(*motion, f, "Neck") - bone_place(*motion, f, "Hips");
  }
  along.normalize();
  EXPECT_GT(along.x(), 0.95) << "head first";
  EXPECT_LT(std::abs(along.y()), 0.3) << "level";
}

TEST(SwimMotion, SaysWhichPartsAreMissingAndTakesAMap) {
  const swim::Body body = default_body();
  const swim::Recording recording = poses(body, {std::vector<double>(body.joints.size(), 0.0)});
  character::Character man = dyrt_skeleton();
  man.bones[supple::samples::dyrt_man_rig::LeftThigh].name = "stilt";
  const auto lost = motion_from_swim(recording, body, man);
  ASSERT_FALSE(lost.ok());
  EXPECT_NE(lost.error().describe().find("left_thigh = NAME OF THE BONE"), std::string::npos)
      << lost.error().describe();
  SwimMotionSettings settings;
  settings.map = {{"left_thigh", "stilt"}};
  EXPECT_TRUE(motion_from_swim(recording, body, man, settings).ok());
  settings.map = {{"left_tigh", "stilt"}};
  const auto typo = motion_from_swim(recording, body, man, settings);
  ASSERT_FALSE(typo.ok());
  EXPECT_NE(typo.error().describe().find("did you mean 'left_thigh'"), std::string::npos)
      << typo.error().describe();
}

TEST(SwimMotion, OtherPeoplesCharactersSwimHeadFirst) {
  const swim::Body body = default_body();
  const swim::Recording recording = poses(body, {std::vector<double>(body.joints.size(), 0.0)});
  std::size_t seen = 0;
  for (const char* file : {"khronos/CesiumMan/CesiumMan.glb", "makehuman/human.glb",
                           "khronos/RiggedFigure/RiggedFigure.glb", "kaykit/Knight.glb"}) {
    const auto path = assets() / file;
    if (!std::filesystem::exists(path)) continue;
    const auto asset = io::read_gltf(path);
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    const GltfCharacter source = plain_character(*asset);
    const auto motion = motion_from_swim(recording, body, source.character);
    ASSERT_TRUE(motion.ok()) << file << ": " << motion.error().describe();
    ++seen;
    // The highest bone at rest goes first, the lowest comes last.
    const auto& bones = source.character.bones;
    const auto by_height = [&](const character::Bone& a, const character::Bone& b) {
      return a.rest_world(1, 3) < b.rest_world(1, 3);
    };
    const auto [low, high] = std::minmax_element(bones.begin(), bones.end(), by_height);
    const auto x = [&](auto bone) { return motion->frames[0][bone - bones.begin()](0, 3); };
    EXPECT_GT(x(high) - x(low), 0.5 * (high->rest_world(1, 3) - low->rest_world(1, 3))) << file;
  }
  if (seen == 0) {
    std::cerr << "SKIPPED: no rigs of others in " << assets() << "\n";
    GTEST_SKIP();
  }
}

}  // namespace
}  // namespace supple::bake::testing
