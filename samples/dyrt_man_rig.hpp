// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"
#include "supple/io/gltf_character.hpp"

#include <vector>

/// The DyRT man's skeleton: its position in the body and the skin weights.
namespace supple::samples::dyrt_man_rig {

enum Bone : std::size_t {
  Hips,
  Spine,
  Chest,
  Neck,
  Head,
  LeftShoulder,
  LeftUpperArm,
  LeftForeArm,
  LeftHand,
  LeftThigh,
  LeftShin,
  LeftFoot,
  LeftToe,
  RightShoulder,
  RightUpperArm,
  RightForeArm,
  RightHand,
  RightThigh,
  RightShin,
  RightFoot,
  RightToe,
  BoneCount
};

/// From a bone of the left side to its partner.
inline constexpr std::size_t kToRight = RightShoulder - LeftShoulder;

/// Bones lie along their own +Y.
[[nodiscard]] std::vector<io::SkinnedBone> skeleton();

/// Four smooth weights per vertex; limbs of one side never move the other's.
[[nodiscard]] std::vector<io::SkinnedVertex> skin_weights(const geometry::TriMesh& mesh);

}  // namespace supple::samples::dyrt_man_rig
