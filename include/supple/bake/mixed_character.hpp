// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/prepared_shells.hpp"
#include "supple/bake/settings.hpp"
#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/flesh/flesh_object.hpp"
#include "supple/io/gltf.hpp"
#include "supple/shell/shell_object.hpp"

#include <string>
#include <vector>

namespace supple::bake {

/// A character with shells beside its flesh. A vertex of a shell moves only with that shell and is
/// not part of the flesh.
struct MixedCharacter {
  PreparedShells shells;  ///< its source has the parts of all: the skin's first, in their order
  character::Character flesh;  ///< the character without the vertices of shells
  std::vector<geometry::Index>
      vertex_of_flesh;  ///< per vertex of `flesh`: its index among all, ascending
};

/// `source` is the whole skin of the file. Errors: those of prepare_shells; a piece of flesh whose
/// surface_material or mask chooses vertices of a shell; shells that take all of the skin.
[[nodiscard]] Result<MixedCharacter> mixed_character(const io::GltfAsset& asset,
                                                     const GltfCharacter& source,
                                                     const BakeSettings& settings);

/// Flesh baked from `scene.flesh`, with its vertices renumbered among all.
[[nodiscard]] std::vector<flesh::FleshObject> among_all(const MixedCharacter& scene,
                                                        std::vector<flesh::FleshObject> flesh);

/// Converts both kinds to the player's file: first the flesh, baked from `scene.flesh`. Without
/// shells, it is the file of the skin alone.
[[nodiscard]] soft::Asset mixed_asset(const GltfCharacter& source, const MixedCharacter& scene,
                                      std::vector<flesh::FleshObject> flesh,
                                      const std::vector<shell::ShellObject>& shells,
                                      const std::string& generator);

}  // namespace supple::bake
