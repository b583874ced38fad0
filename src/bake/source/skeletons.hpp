// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace supple::bake::detail {

/// Bones that belong together, and the meshes bound to them.
struct Skeleton {
  std::string name;                ///< of its highest bone, unique in the file
  std::size_t vertices = 0;        ///< bound to it
  std::size_t of = 1;              ///< how many the file has
  std::vector<std::size_t> skins;  ///< in the order of the nodes that use them
  std::vector<std::size_t> nodes;  ///< that draw a mesh with one of the skins, ascending
};

/// Two skins are on one skeleton if they share a joint, if a joint of one is above a joint of the
/// other, or if the file names the same root for both. Only skins that a mesh uses count.
[[nodiscard]] std::vector<Skeleton> find_skeletons(const io::GltfAsset& asset);

/// The one that the settings name, or the one with the most vertices, with a warning that lists
/// all. Errors: no skinned mesh, no skeleton of that name.
[[nodiscard]] Result<Skeleton> choose_skeleton(const io::GltfAsset& asset,
                                               const CharacterSettings& wanted,
                                               std::vector<std::string>& warnings);

/// How one of the skins fits onto the bones.
struct JoinedSkin {
  std::vector<std::uint32_t> bone_of_joint;
  /// Per joint: from the skin's bind space to that of the character. Empty: all skins have one.
  std::vector<Eigen::Matrix4d> to_bind;
};

/// The joints of several skins as one list of bones with one bind space: that of the skins if they
/// agree, else that of the world at rest.
struct JoinedSkins {
  std::vector<std::size_t> nodes;  ///< per bone: the joints of the first skin, then further ones
  std::vector<Eigen::Matrix4d> inverse_binds;  ///< per bone
  std::vector<JoinedSkin> skins;               ///< in the order of `skins`
};

/// world * inverse bind of a joint stays the same product: a matrix that one skin has in addition,
/// such as the transform of its mesh, goes to `to_bind`. Errors: mirrored or flattened joints.
[[nodiscard]] Result<JoinedSkins> join_skins(const io::GltfAsset& asset,
                                             const std::vector<std::size_t>& skins);

}  // namespace supple::bake::detail
