// SPDX-License-Identifier: Apache-2.0
#include "bake/export/bone_channels.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <cmath>

namespace supple::bake::detail {
namespace {

using Eigen::Matrix4d;
using geometry::Vec3;

struct Local {
  Vec3 translation;
  Eigen::Quaterniond rotation;
};

Local take_apart(const Matrix4d& matrix) {
  Eigen::Matrix3d axes = matrix.topLeftCorner<3, 3>();
  axes.colwise().normalize();
  return {matrix.topRightCorner<3, 1>(), Eigen::Quaterniond(axes).normalized()};
}

/// Nodes with a joint among those below them or themselves, each after its parent.
std::vector<std::size_t> above_joints(const io::GltfAsset& asset,
                                      const std::vector<std::size_t>& joints) {
  std::vector<bool> above(asset.nodes.size(), false);
  for (const std::size_t joint : joints) {
    for (std::optional<std::size_t> at = joint; at && !above[*at]; at = asset.nodes[*at].parent) {
      above[*at] = true;
    }
  }
  std::vector<std::size_t> nodes;
  for (const std::size_t node : asset.parents_first) {
    if (above[node]) nodes.push_back(node);
  }
  return nodes;
}

/// Local transforms of the joints in every frame; nodes that are not joints stay at rest.
std::vector<std::vector<Local>> local_transforms(const io::GltfAsset& asset,
                                                 const std::vector<std::size_t>& joints,
                                                 const Motion& motion) {
  std::vector<std::optional<std::size_t>> bone_of(asset.nodes.size());
  for (std::size_t b = 0; b < joints.size(); ++b) bone_of[joints[b]] = b;
  std::vector<std::vector<Local>> locals(joints.size());
  std::vector<Matrix4d> world(asset.nodes.size());
  const std::vector<std::size_t> nodes = above_joints(asset, joints);
  for (const auto& frame : motion.frames) {
    for (const std::size_t node : nodes) {
      const auto& parent = asset.nodes[node].parent;
      const Matrix4d above = parent ? world[*parent] : Matrix4d(Matrix4d::Identity());
      if (bone_of[node]) {
        world[node] = frame[*bone_of[node]];
        locals[*bone_of[node]].push_back(take_apart(above.inverse() * world[node]));
      } else {
        world[node] = above * asset.nodes[node].local.to_matrix();
      }
    }
  }
  return locals;
}

/// A quaternion and its negative are the same rotation: neighbouring keys must have the same sign,
/// or interpolation takes the long way.
void make_continuous(std::vector<Local>& keys) {
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].rotation.dot(keys[i - 1].rotation) < 0) keys[i].rotation.coeffs() *= -1;
  }
}

}  // namespace

Result<void> add_bone_channels(io::GltfEditor& editor, std::size_t animation,
                               const io::GltfAsset& asset, const GltfCharacter& source,
                               const Motion& motion) {
  const std::vector<std::size_t>& joints = source.nodes;
  SUPPLE_CHECK_OP(motion.bones.size(), ==, joints.size());
  std::vector<std::vector<Local>> locals = local_transforms(asset, joints, motion);
  std::vector<double> times;
  for (std::size_t f = 0; f < motion.frames.size(); ++f) times.push_back(motion.time(f));
  for (std::size_t b = 0; b < joints.size(); ++b) {
    const io::GltfTransform& rest = asset.nodes[joints[b]].local;
    make_continuous(locals[b]);
    io::GltfSampler translation{io::GltfInterpolation::Linear, 3, times, {}};
    io::GltfSampler rotation{io::GltfInterpolation::Linear, 4, times, {}};
    constexpr double kStill = 1e-6;
    bool moves = false;
    bool turns = false;
    for (const Local& local : locals[b]) {
      const Vec3& t = local.translation;
      const Eigen::Quaterniond& q = local.rotation;
      moves = moves || (t - rest.translation).norm() > kStill * (1 + rest.translation.norm());
      turns = turns || rest.rotation.angularDistance(q) > kStill;
      translation.values.insert(translation.values.end(), {t.x(), t.y(), t.z()});
      rotation.values.insert(rotation.values.end(), {q.x(), q.y(), q.z(), q.w()});
    }
    if ((moves || turns) && rest.matrix) {
      return bad_input(
          fmt::format("bone '{}' has a matrix, which glTF cannot animate; export the character "
                      "with translation, rotation and scale",
                      motion.bones[b]));
    }
    if (moves) {
      SUPPLE_TRY_VOID(
          editor.set_channel(animation, joints[b], io::GltfPath::Translation, translation));
    }
    if (turns) {
      SUPPLE_TRY_VOID(editor.set_channel(animation, joints[b], io::GltfPath::Rotation, rotation));
    }
  }
  return {};
}

}  // namespace supple::bake::detail
