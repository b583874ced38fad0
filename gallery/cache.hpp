// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/swim_stroke.hpp"
#include "supple/core/hash.hpp"
#include "supple/core/result.hpp"

#include <filesystem>

namespace supple::gallery {

/// Remembers what files were made from, so that nothing is made twice.
class GalleryCache {
 public:
  explicit GalleryCache(std::filesystem::path directory) : m_directory(std::move(directory)) {}

  /// The file is there, made from just this.
  [[nodiscard]] bool has(const std::filesystem::path& file, const Hash& key) const;
  /// The file as it lies there was made from this.
  [[nodiscard]] Result<void> keep(const std::filesystem::path& file, const Hash& key) const;
  /// Somebody changed the file since.
  [[nodiscard]] bool changed(const std::filesystem::path& file) const;

 private:
  [[nodiscard]] std::filesystem::path note(const std::filesystem::path& file) const;
  std::filesystem::path m_directory;
};

/// All that decides how the stroke is swum: what is made of it is made anew when it changes.
void add_stroke(Hasher& hasher, const bake::SwimStroke& stroke);

}  // namespace supple::gallery
