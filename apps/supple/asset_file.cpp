// SPDX-License-Identifier: Apache-2.0
#include "asset_file.hpp"

#include "supple/core/files.hpp"

namespace supple::app {

Result<AssetFile> open_asset(const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, read_file(path));
  SUPPLE_TRY(bake::BakedFile file, bake::BakedFile::open(bytes, path.string()));
  AssetFile result{std::move(file), bytes.size(), {}};
  supple_asset_describe(result.asset(), &result.info);
  return result;
}

std::uint64_t mesh_hash(const io::GltfAsset& asset, const bake::GltfCharacter& source) {
  return bake::supple_asset(asset, source, {}, "").mesh_hash;
}

}  // namespace supple::app
