// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"

#include <string>
#include <vector>

struct supple_asset;

namespace supple::bake {

/// A glTF file as a character whose bones are all of its nodes and whose surface is what a .supple
/// moves: shells may be attached to plain nodes, and their handles to any node. Motions of such a
/// character drive every node. Parts missing from the file are an error.
[[nodiscard]] Result<GltfCharacter> node_character(const io::GltfAsset& asset,
                                                   const struct ::supple_asset* moving);

/// The same for a .supple that is being written.
[[nodiscard]] Result<GltfCharacter> node_character(const io::GltfAsset& asset,
                                                   const std::vector<soft::Part>& parts,
                                                   double metres_per_unit);

/// The character that moves a .supple: the nodes if it has shells, else the
/// bones of its skeleton.
[[nodiscard]] Result<GltfCharacter> moved_character(const io::GltfAsset& asset,
                                                    const struct ::supple_asset* moving);

/// The node's own name, or "node N".
[[nodiscard]] std::string node_name(const io::GltfAsset& asset, std::size_t node);

/// Whether any object is a shell: then nodes move it.
[[nodiscard]] bool has_shells(const struct ::supple_asset* asset);
/// Whether any object is a scene: then nothing but its palette moves it.
[[nodiscard]] bool has_scene(const struct ::supple_asset* asset);

}  // namespace supple::bake
