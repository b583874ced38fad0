// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/flesh/flesh_object.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/supple_file.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace supple::bake {

/// A 3 x 4 matrix that takes positions of a primitive to the character's bind space.
using BindMap = Eigen::Matrix<double, 3, 4>;

/// A vertex as its primitive has it.
struct OwnVertex {
  geometry::Vec3 position;
  BindMap to_bind;
};

/// All skins on one skeleton of a glTF file as one surface, and the mapping back to the file. If
/// the skins were bound in different spaces, such as those of their meshes, the character's bind
/// space is the world at rest.
struct GltfCharacter {
  character::Character character;
  std::vector<std::size_t> skinned_nodes;  ///< nodes that draw the parts' meshes with the skins
  std::vector<std::size_t> nodes;          ///< of the file, for each bone of the character
  std::vector<soft::Part> parts;           ///< each primitive once, in the order of the file
  std::size_t skeletons = 1;               ///< in the file; this character has one of them
  std::vector<OwnVertex> own;  ///< per vertex; empty: the primitives are in bind space as they are
  std::vector<std::string> warnings;  ///< what was repaired or assumed: weights normalised, units

  /// A direction in the space of the vertex's primitive, in the character's bind space.
  [[nodiscard]] geometry::Vec3 in_bind_space(std::size_t vertex,
                                             const geometry::Vec3& direction) const;
};

struct CharacterSettings {
  double metres_per_unit = 0;  ///< 0: 1 as glTF says, or 0.01 if the character would be a giant
  std::string skeleton;        ///< the name of its highest bone; "": the one with most vertices
  std::optional<std::size_t> node;  ///< instead: the skeleton with this node
};

/// All skins on one skeleton are one character. No skin and mirrored or flattened bones are errors.
[[nodiscard]] Result<GltfCharacter> character_from_gltf(const io::GltfAsset& asset,
                                                        const CharacterSettings& settings = {});

/// The content of the player's file without objects: parts and the hash of their mesh.
[[nodiscard]] soft::Asset moving_surface(const GltfCharacter& source, const std::string& generator);

/// Converts flesh to the player's file, with shapes in the spaces of their primitives; `source`
/// gives names, nodes and the mesh's hash.
[[nodiscard]] soft::Asset flesh_asset(const GltfCharacter& source,
                                      const std::vector<flesh::FleshObject>& objects,
                                      const std::string& generator);

}  // namespace supple::bake
