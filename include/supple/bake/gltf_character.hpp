// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/flesh/flesh_object.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/supple_file.hpp"

#include <string>
#include <vector>

namespace supple::bake {

/// The skinned primitives of a glTF file as one surface, and the mapping back to the file.
struct GltfCharacter {
  character::Character character;
  std::size_t skin = 0;
  std::vector<std::size_t> skinned_nodes;  ///< nodes that draw the parts' meshes with the skin
  std::vector<std::size_t> nodes;          ///< of the file, for each bone of the character
  std::vector<soft::Part> parts;           ///< each primitive once, in the order of the file
  std::vector<std::string> warnings;  ///< what was repaired or assumed: weights normalised, units
};

struct UnitSettings {
  double metres_per_unit = 0;  ///< 0: 1 as glTF says, or 0.01 if the character would be a giant
};

/// No skin, several skins, compressed meshes and mirrored bones are errors.
[[nodiscard]] Result<GltfCharacter> character_from_gltf(const io::GltfAsset& asset,
                                                        const UnitSettings& units = {});

/// The content of the player's file without objects: parts and the hash of their mesh.
[[nodiscard]] soft::Asset moving_surface(const GltfCharacter& source, const std::string& generator);

/// Converts flesh to the player's file; `source` gives names, nodes and the mesh's hash.
[[nodiscard]] soft::Asset flesh_asset(const io::GltfAsset& asset, const GltfCharacter& source,
                                      const std::vector<flesh::FleshObject>& objects,
                                      const std::string& generator);

}  // namespace supple::bake
