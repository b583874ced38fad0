// SPDX-License-Identifier: Apache-2.0
#include "supple/character/motion.hpp"

#include "supple/character/pose_chain.hpp"
#include "supple/core/check.hpp"

#include <algorithm>
#include <cmath>

namespace supple::character {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using geometry::Vec3;

std::vector<std::size_t> parents_first(const Character& character) {
  const std::size_t count = character.bones.size();
  std::vector<std::vector<std::size_t>> children(count);
  std::vector<std::size_t> order;
  for (std::size_t b = 0; b < count; ++b) {
    const auto& parent = character.bones[b].parent;
    if (parent) {
      children[*parent].push_back(b);
    } else {
      order.push_back(b);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& next = children[order[i]];
    order.insert(order.end(), next.begin(), next.end());
  }
  SUPPLE_CHECK_OP(order.size(), ==, count);
  return order;
}

std::vector<Matrix4d> turned_pose(const Character& character, const std::vector<std::size_t>& order,
                                  const std::vector<std::optional<Matrix3d>>& turns,
                                  const std::vector<std::optional<Vec3>>& places) {
  std::vector<Matrix4d> world(order.size());
  std::vector<Matrix3d> turned(order.size(), Matrix3d::Identity());
  const auto rest = [&](std::size_t bone) {
    return Vec3(character.bones[bone].rest_world.topRightCorner<3, 1>());
  };
  for (const std::size_t b : order) {
    const Bone& bone = character.bones[b];
    world[b] = bone.rest_world;
    if (bone.parent) {
      turned[b] = turned[*bone.parent];
      world[b].topRightCorner<3, 1>() =
          world[*bone.parent].topRightCorner<3, 1>() + turned[b] * (rest(b) - rest(*bone.parent));
    }
    if (turns[b]) turned[b] = *turns[b];
    if (places[b]) world[b].topRightCorner<3, 1>() = *places[b];
    world[b].topLeftCorner<3, 3>() = turned[b] * bone.rest_world.topLeftCorner<3, 3>();
  }
  return world;
}

void sample_motion(Motion& motion, const Character& character, double rate,
                   const std::function<std::vector<Matrix4d>(double)>& pose) {
  SUPPLE_CHECK(rate > 0);
  for (const Bone& bone : character.bones) motion.bones.push_back(bone.name);
  // Whole steps that divide the clip, so that its last moment is a frame at any rate.
  const auto steps =
      motion.duration > 0
          ? std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(motion.duration * rate)))
          : 0;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double t = steps == 0 ? 0 : static_cast<double>(i) / static_cast<double>(steps);
    motion.frames.push_back(pose(motion.duration * t));
  }
  motion.loops = closes(motion);
}

double pose_difference(const std::vector<Matrix4d>& a, const std::vector<Matrix4d>& b) {
  Vec3 low = Vec3::Constant(1e300);
  Vec3 high = -low;
  for (const Matrix4d& matrix : a) {
    low = low.cwiseMin(matrix.topRightCorner<3, 1>());
    high = high.cwiseMax(matrix.topRightCorner<3, 1>());
  }
  // A skeleton of one bone has no size; use the length of its axes instead.
  const double size = std::max((high - low).norm(), a[0].topLeftCorner<3, 3>().norm() * 0.1);
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    // A small turn moves two of three unit axes by its angle.
    const double axes = a[i].topLeftCorner<3, 3>().norm() / std::sqrt(3.0);
    const Matrix4d apart = a[i] - b[i];
    largest = std::max({largest, apart.topRightCorner<3, 1>().norm() / size,
                        apart.topLeftCorner<3, 3>().norm() / (std::sqrt(2.0) * axes)});
  }
  return largest;
}

bool closes(const Motion& motion) {
  constexpr double kSame = 1e-3;
  constexpr double kLargestGap = 0.2;
  const double gap = pose_difference(motion.frames.front(), motion.frames.back());
  if (gap <= kSame) return true;
  if (gap > kLargestGap || !(motion.step() > 0)) return false;
  const auto key =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(1.0 / 24 / motion.step())));
  for (std::size_t f = key; f < motion.frames.size(); ++f) {
    if (pose_difference(motion.frames[f - key], motion.frames[f]) >= gap) return true;
  }
  return false;
}

Motion still_motion(const Character& character, std::string name, double seconds, double rate) {
  Motion motion;
  motion.name = std::move(name);
  motion.duration = seconds;
  std::vector<Matrix4d> rest;
  rest.reserve(character.bones.size());
  motion.bones.reserve(character.bones.size());
  for (const Bone& bone : character.bones) {
    motion.bones.push_back(bone.name);
    rest.push_back(bone.rest_world);
  }
  const double steps = seconds > 0 ? std::max(1.0, std::round(seconds * rate)) : 0;
  motion.frames.assign(static_cast<std::size_t>(steps) + 1, rest);
  return motion;
}

}  // namespace supple::character
