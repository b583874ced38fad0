// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/character.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"

struct supple_asset;

namespace supple::bake {

/// A glTF file as a character whose bones are its nodes, all of them, and whose surface is what a
/// .supple moves: shells may hang on plain nodes, and their handles on any. Motions of such a
/// character drive every node. Errors: parts that the file does not have.
[[nodiscard]] Result<GltfCharacter> node_character(const io::GltfAsset& asset,
                                                   const struct ::supple_asset* moving);

/// The same for a .supple that is being made.
[[nodiscard]] Result<GltfCharacter> node_character(const io::GltfAsset& asset,
                                                   const std::vector<io::SupplePart>& parts,
                                                   double metres_per_unit);

/// Whether any object is a shell: then the nodes are what moves it.
[[nodiscard]] bool has_shells(const struct ::supple_asset* asset);

}  // namespace supple::bake
