// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/character.hpp"
#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <supple.h>

#include <filesystem>
#include <memory>

namespace supple::app {

/// A .supple file as the player sees it.
struct AssetFile {
  struct Closer {
    void operator()(supple_asset* asset) const { supple_asset_close(asset); }
  };
  Bytes bytes;  ///< the asset reads them in place
  std::unique_ptr<supple_asset, Closer> asset;
  supple_asset_info info{};
};

/// What is truncated, damaged or too new is bad input, in the player's words.
[[nodiscard]] Result<AssetFile> open_asset(const std::filesystem::path& path);

/// The hash that ties a .supple to a character's mesh.
[[nodiscard]] std::uint64_t mesh_hash(const io::GltfAsset& asset,
                                      const bake::GltfCharacter& source);

}  // namespace supple::app
