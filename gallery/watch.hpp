// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace supple::gallery {

/// Finds the items that changed on disk. Any thread may call.
class GalleryWatch {
 public:
  void add(const std::string& item, const std::filesystem::path& file);
  /// Ignores a change that we made ourselves.
  void forget_change(const std::filesystem::path& file);
  /// Items with a file that changed, but not since the last call: a bake replaces several files one
  /// after another. Each is reported once.
  [[nodiscard]] std::vector<std::string> poll();

 private:
  struct Stamp {
    std::int64_t time = 0;
    std::uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Watched {
    std::string item;
    std::filesystem::path file;
    Stamp told;  ///< as last reported
    Stamp seen;  ///< at the last call
  };
  [[nodiscard]] static Stamp stamp(const std::filesystem::path& file);

  std::mutex m_mutex;
  std::vector<Watched> m_files;
};

}  // namespace supple::gallery
