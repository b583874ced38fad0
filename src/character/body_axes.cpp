// SPDX-License-Identifier: Apache-2.0
#include "supple/character/body_axes.hpp"

namespace supple::character {
namespace {

using geometry::Vec3;

Vec3 nearest_axis(const Vec3& direction) {
  Eigen::Index axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  return direction[axis] < 0 ? Vec3(-Vec3::Unit(axis)) : Vec3(Vec3::Unit(axis));
}

}  // namespace

std::optional<Eigen::Matrix3d> body_axes(const Vec3& to_left, const Vec3& to_head) {
  if (!(to_left.norm() > 0) || !(to_head.norm() > 0)) return std::nullopt;
  const Vec3 up = nearest_axis(to_head);
  Vec3 left = to_left - up * up.dot(to_left);
  if (!(left.norm() > 0.1 * to_left.norm())) return std::nullopt;
  left.normalize();
  constexpr double kSnap = 0.94;  // cosine of 20 degrees
  if (const Vec3 axis = nearest_axis(left); axis.dot(left) > kSnap) left = axis;
  Eigen::Matrix3d axes;
  axes << left, up, left.cross(up);
  return axes;
}

}  // namespace supple::character
