// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/playback.hpp"
#include "supple/core/result.hpp"

#include <supple.h>

#include <filesystem>

namespace supple::bake {

/// A .supple file opened by the player.
struct AssetFile {
  BakedFile file;
  std::size_t bytes = 0;
  supple_asset_info info{};

  [[nodiscard]] const supple_asset* asset() const { return file.asset(); }
};

/// A truncated, damaged or too new file is bad input; the message is the player's.
[[nodiscard]] Result<AssetFile> open_asset(const std::filesystem::path& path);

/// The hash that ties a .supple to a character's mesh.
[[nodiscard]] std::uint64_t mesh_hash(const GltfCharacter& source);

}  // namespace supple::bake
