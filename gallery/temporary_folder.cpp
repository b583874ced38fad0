// SPDX-License-Identifier: Apache-2.0
#include "gallery/temporary_folder.hpp"

#include "supple/core/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/stat.h>

namespace supple::gallery {

namespace fs = std::filesystem;

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!m_made.path().empty()) fs::remove_all(m_made.path(), ignored);
}

Result<fs::path> TemporaryFolder::make(std::string_view name) {
  if (!m_made.path().empty()) return m_made.path();
  std::error_code failure;
  const fs::path parent = fs::temp_directory_path(failure);
  const fs::path kind = (failure ? fs::path("/tmp") : parent) / name;
  sweep_leftovers(kind);
  constexpr mode_t kPrivate = 0700;
  for (;;) {
    fs::path path = temporary_name(kind);
    if (::mkdir(path.c_str(), kPrivate) == 0) {
      m_made = Unfinished(std::move(path));
      return m_made.path();
    }
    if (errno == EEXIST) continue;  // somebody made up the same name
    const std::error_code why(errno, std::generic_category());
    return io_error(
        fmt::format("cannot create a directory '{}': {}", path.string(), why.message()));
  }
}

}  // namespace supple::gallery
