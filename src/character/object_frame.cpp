// SPDX-License-Identifier: Apache-2.0
#include "supple/character/object_frame.hpp"

#include <Eigen/SVD>

namespace supple::character {
namespace {

/// The bone's world matrix in the bind pose: nodes at rest may be elsewhere, at any frame the
/// exporter happened to use.
Eigen::Matrix4d bind_world(const Character& character, std::size_t bone) {
  std::size_t root = bone;
  while (character.bones[root].parent) root = *character.bones[root].parent;
  const Bone& top = character.bones[root];
  return top.rest_world * top.inverse_bind * character.bones[bone].inverse_bind.inverse();
}

}  // namespace

Eigen::Matrix3d bone_rotation(const Eigen::Matrix4d& matrix) {
  Eigen::Matrix3d columns = matrix.topLeftCorner<3, 3>();
  columns.colwise().normalize();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(columns, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

ObjectFrame object_frame(const Character& character, std::size_t bone) {
  const Eigen::Matrix4d& world = character.bones[bone].rest_world;
  const Eigen::Matrix3d rotation = bone_rotation(world);
  Eigen::Matrix4d from_bind = world * character.bones[bone].inverse_bind;
  from_bind.topRightCorner<3, 1>() -= world.topRightCorner<3, 1>();
  ObjectFrame frame;
  frame.from_bind = character.metres_per_unit * rotation.transpose() * from_bind.topRows<3>();
  frame.rest_rotation = Eigen::Quaterniond(bone_rotation(bind_world(character, bone)));
  return frame;
}

}  // namespace supple::character
