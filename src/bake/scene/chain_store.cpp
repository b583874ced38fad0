// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/chain_store.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <system_error>

namespace supple::bake::detail {
namespace {

constexpr const char* kSceneFile = "scene.id";

}  // namespace

Result<ChainStore> ChainStore::open(std::filesystem::path folder, const Hash& scene) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    return io_error(
        fmt::format("cannot make the folder '{}': {}", folder.string(), failure.message()));
  }
  const std::filesystem::path id = folder / kSceneFile;
  if (!std::filesystem::exists(id)) {
    SUPPLE_TRY_VOID(write_file(id, scene.hex()));
  }
  SUPPLE_TRY(const Bytes bytes, read_file(id, kMostTextBytes));
  if (as_text(bytes) != scene.hex()) {
    return bad_input(fmt::format(
        "'{}' holds samples of another scene, of other settings or of another version; remove the "
        "folder or choose another one",
        folder.string()));
  }
  return ChainStore(std::move(folder));
}

bool ChainStore::is_store(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kSceneFile);
}

std::filesystem::path ChainStore::file(std::size_t chain) const {
  return m_folder / fmt::format("chain_{:06}.bin", chain);
}

bool ChainStore::has(std::size_t chain) const {
  return std::filesystem::exists(file(chain));
}

Result<scene::Chain> ChainStore::load(std::size_t chain) const {
  SUPPLE_TRY(const Bytes bytes, read_file(file(chain)));
  return scene::load_chain(bytes).during(fmt::format("reading '{}'", file(chain).string()));
}

Result<void> ChainStore::save(std::size_t chain, const scene::Chain& recorded) const {
  return write_file(file(chain), scene::save_chain(recorded));
}

void ChainStore::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(m_folder, ignored);
}

}  // namespace supple::bake::detail
