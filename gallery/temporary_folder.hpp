// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/core/unfinished.hpp"

#include <filesystem>
#include <string_view>

namespace supple::gallery {

/// A directory for files of this run, which only this user can read; removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Makes it at the first call. `name` is the beginning of the directory's name.
  [[nodiscard]] Result<std::filesystem::path> make(std::string_view name);

 private:
  Unfinished m_made;
};

}  // namespace supple::gallery
