// SPDX-License-Identifier: Apache-2.0
#include "gallery/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace supple::gallery {

namespace fs = std::filesystem;

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!m_path.empty()) fs::remove_all(m_path, ignored);
}

Result<fs::path> TemporaryFolder::make(std::string_view name) {
  if (!m_path.empty()) return m_path;
  std::error_code failure;
  const fs::path parent = fs::temp_directory_path(failure);
  std::string pattern =
      ((failure ? fs::path("/tmp") : parent) / fmt::format("{}-XXXXXX", name)).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    const std::error_code why(errno, std::generic_category());
    return io_error(fmt::format("cannot create a directory '{}': {}", pattern, why.message()));
  }
  m_path = pattern;
  return m_path;
}

}  // namespace supple::gallery
