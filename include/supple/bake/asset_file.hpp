// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/playback.hpp"
#include "supple/core/result.hpp"

#include <supple.h>

#include <filesystem>

namespace supple::bake {

/// A .supple file as the player sees it.
struct AssetFile {
  BakedFile file;
  std::size_t bytes = 0;
  supple_asset_info info{};

  [[nodiscard]] const supple_asset* asset() const { return file.asset(); }
};

/// What is truncated, damaged or too new is bad input, in the player's words.
[[nodiscard]] Result<AssetFile> open_asset(const std::filesystem::path& path);

/// The hash that ties a .supple to a character's mesh.
[[nodiscard]] std::uint64_t mesh_hash(const io::GltfAsset& asset, const GltfCharacter& source);

}  // namespace supple::bake
