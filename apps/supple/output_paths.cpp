// SPDX-License-Identifier: Apache-2.0
#include "output_paths.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace supple::app {
namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code ignored;
  if (fs::is_character_file(a, ignored)) return false;
  if (fs::equivalent(a, b, ignored)) return true;
  return fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored);
}

}  // namespace

Result<void> keep_apart(const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const std::string& input : inputs) {
      if (same_file(outputs[i], input)) {
        return Error(ErrorCode::Usage,
                     fmt::format("'{}' is read and would be replaced; choose another name for the "
                                 "result",
                                 outputs[i]));
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (same_file(outputs[i], outputs[j])) {
        return Error(ErrorCode::Usage,
                     fmt::format("'{}' would be written twice; choose another name", outputs[i]));
      }
    }
  }
  return {};
}

Result<void> check_writable(const std::vector<std::string>& paths) {
  OutputSet attempt;  // never committed: leaves nothing behind
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    if (fs::is_directory(path)) {
      return io_error(fmt::format("cannot write '{}': it is a directory", path));
    }
    SUPPLE_TRY_VOID(attempt.stage(path, std::string_view()));
  }
  return {};
}

std::string lower_extension(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

std::string supple_path(const std::string& glb) {
  return fs::path(glb).replace_extension(".supple").string();
}

}  // namespace supple::app
