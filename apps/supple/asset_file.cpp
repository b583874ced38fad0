// SPDX-License-Identifier: Apache-2.0
#include "asset_file.hpp"

#include <fmt/format.h>

namespace supple::app {

Result<AssetFile> open_asset(const std::filesystem::path& path) {
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16, "the player reads at multiples of 16");
  AssetFile file;
  SUPPLE_TRY(file.bytes, read_file(path));
  supple_asset* asset = nullptr;
  const supple_status status = supple_asset_open(file.bytes.data(), file.bytes.size(), &asset);
  file.asset.reset(asset);
  if (status != SUPPLE_OK) {
    return bad_input(fmt::format("'{}': {}", path.string(), supple_status_text(status)));
  }
  if (supple_asset_describe(asset, &file.info) != SUPPLE_OK) {
    return bad_input(fmt::format("'{}' cannot be described", path.string()));
  }
  return file;
}

std::uint64_t mesh_hash(const io::GltfAsset& asset, const bake::GltfCharacter& source) {
  return bake::supple_asset(asset, source, {}, "").mesh_hash;
}

}  // namespace supple::app
