// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/asset_file.hpp"

#include "supple/core/files.hpp"

namespace supple::bake {

Result<AssetFile> open_asset(const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, read_file(path));
  SUPPLE_TRY(BakedFile file, BakedFile::open(bytes, path.string()));
  AssetFile result{std::move(file), bytes.size(), {}};
  supple_asset_describe(result.asset(), &result.info);
  return result;
}

std::uint64_t mesh_hash(const GltfCharacter& source) {
  return moving_surface(source, "").mesh_hash;
}

}  // namespace supple::bake
