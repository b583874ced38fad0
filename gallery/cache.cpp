// SPDX-License-Identifier: Apache-2.0
#include "gallery/cache.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;

/// "" if it cannot be read.
std::string content_hash(const fs::path& file) {
  auto bytes = read_file(file);
  return bytes.ok() ? Hasher().add(*bytes).finish().hex() : "";
}

std::string read_note(const fs::path& note) {
  auto bytes = read_file(note);
  return bytes.ok() ? std::string(as_text(*bytes)) : "";
}

}  // namespace

fs::path GalleryCache::note(const fs::path& file) const {
  return m_directory / (file.filename().string() + ".key");
}

bool GalleryCache::has(const fs::path& file, const Hash& key) const {
  const std::string known = read_note(note(file));
  return known.starts_with(key.hex()) && !changed(file);
}

bool GalleryCache::changed(const fs::path& file) const {
  const std::string known = read_note(note(file));
  return known.empty() || !known.ends_with(fmt::format(" {}\n", content_hash(file)));
}

Result<void> GalleryCache::keep(const fs::path& file, const Hash& key) const {
  std::error_code failure;
  fs::create_directories(m_directory, failure);
  if (failure) {
    return io_error(fmt::format("cannot create the directory '{}': {}", m_directory.string(),
                                failure.message()));
  }
  return write_file(note(file), fmt::format("{} {}\n", key.hex(), content_hash(file)));
}

void add_stroke(Hasher& hasher, const bake::SwimStroke& stroke) {
  hasher.add(bake::print_swim_stroke(stroke));
}

}  // namespace supple::gallery
