// SPDX-License-Identifier: Apache-2.0
#include "flesh/limb.hpp"
#include "supple/flesh/tissue.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <Eigen/Geometry>

namespace supple::flesh {
namespace {

using geometry::Vec3;
using testing::limb;
using testing::thigh;

TEST(Region, BonesGiveTheirWeights) {
  const character::Character character = limb();
  const auto region = select_region(character, thigh());
  ASSERT_TRUE(region.ok()) << region.error().describe();
  EXPECT_EQ(region->driver, 1U);
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    EXPECT_NEAR(region->weights[v], character.weights[4 * v + 1], 1e-12);
  }
  ObjectSettings both = thigh();
  both.region.bones = {"Thigh", "Shin"};
  const auto two = select_region(character, both);
  ASSERT_TRUE(two.ok());
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    EXPECT_NEAR(two->weights[v], 1 - character.weights[4 * v], 1e-12);
  }
}

TEST(Region, MasksAndBonesLimitEachOther) {
  character::Character character = limb();
  auto& mask = character.masks["_FRONT"];
  for (const Vec3& p : character.positions) mask.push_back(p.z() > 0 ? 1 : 0);
  ObjectSettings settings = thigh();
  settings.region.mask = "_FRONT";
  const auto region = select_region(character, settings);
  ASSERT_TRUE(region.ok()) << region.error().describe();
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    EXPECT_EQ(region->weights[v] > 0,
              character.positions[v].z() > 0 && character.weights[4 * v + 1] > 0);
  }
  settings.region.bones.clear();
  settings.driver = "Shin";
  const auto driven = select_region(character, settings);
  ASSERT_TRUE(driven.ok());
  EXPECT_EQ(driven->driver, 2U);
}

TEST(Region, VerticesThatMeetHaveOneWeight) {
  character::Character character = limb();
  // A texture seam: the last vertex again, with other weights.
  character.positions.push_back(character.positions.front());
  character.normals.push_back(character.normals.front());
  for (const std::uint32_t joint : {0U, 1U, 2U, 0U}) character.joints.push_back(joint);
  for (const double w : {0.0, 1.0, 0.0, 0.0}) character.weights.push_back(w);
  const auto region = select_region(character, thigh());
  ASSERT_TRUE(region.ok());
  EXPECT_EQ(region->weights.front(), region->weights.back());
  EXPECT_LT(region->weights.back(), 1.0);
}

TEST(Region, ErrorsNameWhatIsWrong) {
  const character::Character character = limb();
  ObjectSettings settings = thigh();
  settings.region.bones = {"Tigh"};
  auto wrong = select_region(character, settings);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("'Thigh'"), std::string::npos);
  settings.region.bones = {};
  settings.region.material = "skim";
  wrong = select_region(character, settings);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("skin"), std::string::npos);
  settings.region.material = "";
  settings.region.mask = "_BELLY";
  wrong = select_region(character, settings);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("_BELLY"), std::string::npos);
  settings = thigh();
  settings.border = 1.5;
  wrong = select_region(character, settings);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("no vertices"), std::string::npos);
}

TEST(ObjectFrame, UndoesTheBonesScaleAndUnit) {
  // In centimetres under a root scaled by 2 and turned: metres in the bone's axes must come out.
  character::Character character = limb();
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  Eigen::Matrix4d root = Eigen::Matrix4d::Identity();
  root.topLeftCorner<3, 3>() = 2 * turn.toRotationMatrix();
  root.topRightCorner<3, 1>() = Vec3(5, -3, 1);
  for (character::Bone& bone : character.bones) bone.rest_world = root * bone.rest_world;
  character.metres_per_unit = 0.01;
  const character::ObjectFrame frame = character::object_frame(character, 1);
  const Vec3 joint(0, 0.25, 0);
  EXPECT_LT(frame(joint).norm(), 1e-12);
  const Vec3 offset(0.1, 0.02, -0.3);
  EXPECT_LT((frame(joint + offset) - 0.02 * offset).norm(), 1e-12);
  EXPECT_LT(frame.rest_rotation.angularDistance(turn), 1e-7);
}

TEST(ObjectFrame, GravityIsThatOfTheBoundPose) {
  // Nodes at rest may stand in any frame of a clip; the skin sags as it was bound.
  character::Character character = limb();
  Eigen::Matrix4d bent = Eigen::Matrix4d::Identity();
  bent.topLeftCorner<3, 3>() = Eigen::AngleAxisd(0.5, Vec3::UnitX()).toRotationMatrix();
  const Eigen::Matrix4d bound = character.bones[1].rest_world;
  character.bones[1].rest_world = bound * bent;
  const character::ObjectFrame frame = character::object_frame(character, 1);
  EXPECT_LT(frame.rest_rotation.angularDistance(Eigen::Quaterniond::Identity()), 1e-7);
  EXPECT_LT((frame(Vec3(0.1, 0.3, 0)) - Vec3(0.1, 0.05, 0)).norm(), 1e-12);
}

TEST(ObjectFrame, ShearedBonesHaveTheRotationOfTheirUnitColumns) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.topLeftCorner<3, 3>() = Eigen::Vector3d(1, 3, 1).asDiagonal() *
                                 Eigen::AngleAxisd(0.6, Vec3::UnitZ()).toRotationMatrix();
  const Eigen::Matrix3d rotation = character::bone_rotation(matrix);
  EXPECT_LT((rotation.transpose() * rotation - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  EXPECT_NEAR(rotation.determinant(), 1, 1e-12);
  // The nearest rotation to unit columns u and v in a plane halves the angle between them.
  const Vec3 u = matrix.topLeftCorner<3, 1>().normalized();
  const Vec3 v = matrix.block<3, 1>(0, 1).normalized();
  EXPECT_NEAR(rotation.col(0).dot(u), rotation.col(1).dot(v), 1e-12);
}

}  // namespace
}  // namespace supple::flesh
