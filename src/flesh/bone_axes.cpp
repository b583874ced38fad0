// SPDX-License-Identifier: Apache-2.0
#include "flesh/bone_axes.hpp"

#include "supple/geometry/tri_mesh.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace supple::flesh {

using geometry::Vec3;

Vec3 closest_on(const BoneAxis& axis, const Vec3& point) {
  const Vec3 along = axis.to - axis.from;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0 ? std::clamp((point - axis.from).dot(along) / length2, 0.0, 1.0) : 0;
  return axis.from + t * along;
}

Vec3 joint_position(const character::Character& character, std::size_t bone) {
  const Eigen::Matrix4d bind = character.bones[bone].inverse_bind.inverse();
  return bind.topRightCorner<3, 1>();
}

namespace {

/// The end of a bone without children: four fifths of the way to the far end of its skin.
Vec3 end_of_leaf(const character::Character& character, const std::vector<double>& areas,
                 std::size_t bone, const Vec3& joint) {
  Vec3 mean = Vec3::Zero();
  double total = 0;
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    for (std::size_t k = 0; k < character.influences; ++k) {
      const std::size_t at = v * character.influences + k;
      if (character.joints[at] != bone) continue;
      mean += areas[v] * character.weights[at] * (character.positions[v] - joint);
      total += areas[v] * character.weights[at];
    }
  }
  if (!(total > 0) || !(mean.norm() > 0)) return joint;
  const Vec3 direction = mean.normalized();
  double reach = 0;
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    for (std::size_t k = 0; k < character.influences; ++k) {
      const std::size_t at = v * character.influences + k;
      if (character.joints[at] == bone && character.weights[at] > 0.5) {
        reach = std::max(reach, direction.dot(character.positions[v] - joint));
      }
    }
  }
  return joint + 0.8 * reach * direction;
}

}  // namespace

std::vector<BoneAxis> bone_axes(const character::Character& character,
                                const std::vector<double>& areas,
                                const std::vector<std::size_t>& bones) {
  const double size = geometry::bounding_box(character.positions).diagonal();
  std::vector<BoneAxis> axes;
  for (const std::size_t bone : bones) {
    const Vec3 joint = joint_position(character, bone);
    bool leaf = true;
    for (std::size_t child = 0; child < character.bones.size(); ++child) {
      if (character.bones[child].parent != bone) continue;
      const Vec3 to = joint_position(character, child);
      // Rigs have helper bones at the position of their parent, and controllers far away.
      if ((to - joint).norm() < 1e-3 * size || (to - joint).norm() > 0.5 * size) continue;
      axes.push_back({bone, joint, to});
      leaf = false;
    }
    if (leaf) axes.push_back({bone, joint, end_of_leaf(character, areas, bone, joint)});
  }
  return axes;
}

}  // namespace supple::flesh
