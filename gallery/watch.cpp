// SPDX-License-Identifier: Apache-2.0
#include "gallery/watch.hpp"

#include <algorithm>
#include <set>

namespace supple::gallery {

namespace fs = std::filesystem;

GalleryWatch::Stamp GalleryWatch::stamp(const fs::path& file) {
  std::error_code failure;
  const auto time = fs::last_write_time(file, failure);
  if (failure) return {};
  const std::uintmax_t size = fs::file_size(file, failure);
  return failure ? Stamp() : Stamp{time.time_since_epoch().count(), size};
}

void GalleryWatch::add(const std::string& item, const fs::path& file) {
  const std::scoped_lock lock(m_mutex);
  const Stamp now = stamp(file);
  m_files.push_back({item, file, now, now});
}

void GalleryWatch::forget_change(const fs::path& file) {
  const std::scoped_lock lock(m_mutex);
  for (Watched& watched : m_files) {
    if (watched.file == file) watched.told = watched.seen = stamp(file);
  }
}

std::vector<std::string> GalleryWatch::poll() {
  const std::scoped_lock lock(m_mutex);
  std::set<std::string> changed;
  std::set<std::string> moving;
  for (Watched& watched : m_files) {
    const Stamp now = stamp(watched.file);
    if (now != watched.seen) moving.insert(watched.item);
    watched.seen = now;
    if (now != watched.told) changed.insert(watched.item);
  }
  std::vector<std::string> items;
  for (const std::string& item : changed) {
    if (!moving.contains(item)) items.push_back(item);
  }
  for (Watched& watched : m_files) {
    if (changed.contains(watched.item) && !moving.contains(watched.item)) {
      watched.told = watched.seen;
    }
  }
  return items;
}

}  // namespace supple::gallery
