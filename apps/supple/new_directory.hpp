// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <vector>

namespace supple::app {

/// A directory that is made for files, with those above it. Those that were not there before go
/// again, unless something lies in them by then or keep() is called.
class NewDirectory {
 public:
  NewDirectory() = default;
  ~NewDirectory();
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;

  [[nodiscard]] Result<void> make(const std::filesystem::path& path);
  void keep() { m_made.clear(); }

 private:
  std::vector<std::filesystem::path> m_made;  ///< the outermost first
};

}  // namespace supple::app
