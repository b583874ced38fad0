// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/hash.hpp"
#include "supple/core/result.hpp"
#include "supple/scene/recording.hpp"

#include <filesystem>
#include <string>

namespace supple::bake::detail {

/// Sampled chains in a folder, a file each, written whole or not at all: what exists is not sampled
/// again. Chains may be added from several threads.
class ChainStore {
 public:
  /// A folder that belongs to another scene is refused.
  [[nodiscard]] static Result<ChainStore> open(std::filesystem::path folder, const Hash& scene);

  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
  /// Whether the folder holds samples of some scene.
  [[nodiscard]] static bool is_store(const std::filesystem::path& folder);
  /// Removes the files of a store, and the folder if it has no others.
  static void remove_from(const std::filesystem::path& folder);

  [[nodiscard]] bool has(std::size_t chain) const;
  [[nodiscard]] Result<scene::Chain> load(std::size_t chain) const;
  [[nodiscard]] Result<void> save(std::size_t chain, const scene::Chain& recorded) const;

 private:
  explicit ChainStore(std::filesystem::path folder) : m_folder(std::move(folder)) {}
  [[nodiscard]] std::filesystem::path file(std::size_t chain) const;
  std::filesystem::path m_folder;
};

}  // namespace supple::bake::detail
