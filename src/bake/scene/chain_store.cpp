// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/chain_store.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <string_view>
#include <system_error>
#include <vector>

namespace supple::bake::detail {
namespace {

constexpr const char* kSceneFile = "scene.id";

/// Whether a file of this name is the store's: chain_000001.bin, refined_000001.id or the scene's,
/// or the temporary file that a killed run left of one.
bool is_of_store(std::string_view name) {
  name = name.substr(0, name.find(".part-"));
  const auto numbered = [&](std::string_view before, std::string_view after) {
    if (!name.starts_with(before) || !name.ends_with(after)) return false;
    const std::string_view number =
        name.substr(before.size(), name.size() - before.size() - after.size());
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return name == kSceneFile || numbered("chain_", ".bin") || numbered("refined_", ".id");
}

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

void ChainStore::remove_from(const std::filesystem::path& folder) {
  if (!is_store(folder)) return;
  std::error_code ignored;
  std::vector<std::filesystem::path> ours;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (is_of_store(name)) ours.push_back(entry.path());
  }
  for (const std::filesystem::path& path : ours) std::filesystem::remove(path, ignored);
  std::filesystem::remove(folder, ignored);  // fails, as it should, if it has other files
}

}  // namespace supple::bake::detail
