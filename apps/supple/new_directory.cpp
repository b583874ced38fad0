// SPDX-License-Identifier: Apache-2.0
#include "new_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace supple::app {

namespace fs = std::filesystem;

NewDirectory::~NewDirectory() {
  std::error_code ignored;
  // Not a directory that somebody else has put something into: remove() takes empty ones alone.
  for (auto path = m_made.rbegin(); path != m_made.rend(); ++path) fs::remove(*path, ignored);
}

Result<void> NewDirectory::make(const fs::path& path) {
  std::error_code failure;
  std::vector<fs::path> missing;
  for (fs::path at = fs::absolute(path, failure).lexically_normal(); !fs::exists(at, failure);) {
    if (failure || !at.has_relative_path()) break;
    missing.push_back(at);  // NOLINT: a few
    at = at.parent_path();
  }
  std::reverse(missing.begin(), missing.end());
  for (const fs::path& one : missing) {
    if (one.filename().empty()) continue;  // of a path with a slash at its end
    if (fs::create_directory(one, failure)) m_made.push_back(one);
    if (failure) break;
  }
  if (!failure && !fs::is_directory(path, failure) && !failure) {
    failure = std::make_error_code(std::errc::not_a_directory);
  }
  if (!failure) return {};
  return io_error(
      fmt::format("cannot make the directory '{}': {}", path.string(), failure.message()));
}

}  // namespace supple::app
