// SPDX-License-Identifier: Apache-2.0
#include "supple/character/object_frame.hpp"

#include "character/limb.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

namespace supple::character {
namespace {

using geometry::Vec3;
using testing::limb;

TEST(ObjectFrame, UndoesTheBonesScaleAndUnit) {
  // In centimetres under a root scaled by 2 and turned: the frame must give metres in the bone's
  // axes.
  Character character = limb();
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  Eigen::Matrix4d root = Eigen::Matrix4d::Identity();
  root.topLeftCorner<3, 3>() = 2 * turn.toRotationMatrix();
  root.topRightCorner<3, 1>() = Vec3(5, -3, 1);
  for (Bone& bone : character.bones) bone.rest_world = root * bone.rest_world;
  character.metres_per_unit = 0.01;
  const ObjectFrame frame = object_frame(character, 1);
  const Vec3 joint(0, 0.25, 0);
  EXPECT_LT(frame(joint).norm(), 1e-12);
  const Vec3 offset(0.1, 0.02, -0.3);
  EXPECT_LT((frame(joint + offset) - 0.02 * offset).norm(), 1e-12);
  EXPECT_LT(frame.rest_rotation.angularDistance(turn), 1e-7);
}

TEST(ObjectFrame, GravityIsThatOfTheBoundPose) {
  // A file may store its nodes in the pose of any frame of a clip; the skin sags as it was bound.
  Character character = limb();
  Eigen::Matrix4d bent = Eigen::Matrix4d::Identity();
  bent.topLeftCorner<3, 3>() = Eigen::AngleAxisd(0.5, Vec3::UnitX()).toRotationMatrix();
  const Eigen::Matrix4d bound = character.bones[1].rest_world;
  character.bones[1].rest_world = bound * bent;
  const ObjectFrame frame = object_frame(character, 1);
  EXPECT_LT(frame.rest_rotation.angularDistance(Eigen::Quaterniond::Identity()), 1e-7);
  EXPECT_LT((frame(Vec3(0.1, 0.3, 0)) - Vec3(0.1, 0.05, 0)).norm(), 1e-12);
}

TEST(ObjectFrame, ShearedBonesHaveTheRotationOfTheirUnitColumns) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.topLeftCorner<3, 3>() = Eigen::Vector3d(1, 3, 1).asDiagonal() *
                                 Eigen::AngleAxisd(0.6, Vec3::UnitZ()).toRotationMatrix();
  const Eigen::Matrix3d rotation = bone_rotation(matrix);
  EXPECT_LT((rotation.transpose() * rotation - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  EXPECT_NEAR(rotation.determinant(), 1, 1e-12);
  // The nearest rotation to unit columns u and v in a plane halves the angle between them.
  const Vec3 u = matrix.topLeftCorner<3, 1>().normalized();
  const Vec3 v = matrix.block<3, 1>(0, 1).normalized();
  EXPECT_NEAR(rotation.col(0).dot(u), rotation.col(1).dot(v), 1e-12);
}

}  // namespace
}  // namespace supple::character
