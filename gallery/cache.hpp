// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/swim_stroke.hpp"
#include "supple/core/hash.hpp"
#include "supple/core/result.hpp"

#include <filesystem>

namespace supple::gallery {

/// Remembers the inputs of each file, so that nothing is made twice.
class GalleryCache {
 public:
  explicit GalleryCache(std::filesystem::path directory) : m_directory(std::move(directory)) {}

  /// Whether the file exists and was made from exactly these inputs.
  [[nodiscard]] bool has(const std::filesystem::path& file, const Hash& key) const;
  /// Records that the file, as it is now, was made from these inputs.
  [[nodiscard]] Result<void> keep(const std::filesystem::path& file, const Hash& key) const;
  /// Whether the file was changed since.
  [[nodiscard]] bool changed(const std::filesystem::path& file) const;

 private:
  [[nodiscard]] std::filesystem::path note(const std::filesystem::path& file) const;
  std::filesystem::path m_directory;
};

/// Everything that affects how the stroke is swum: when it changes, files made from it are made
/// again.
void add_stroke(Hasher& hasher, const bake::SwimStroke& stroke);

}  // namespace supple::gallery
