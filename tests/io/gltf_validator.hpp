// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"

#include "source_directory.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace supple::io::testing {

/// Khronos' validator, from npm; the empty string where it is not installed.
inline std::string validator() {
  const std::filesystem::path web = supple::testing::source_directory() / "web";
  if (!std::filesystem::exists(web / "node_modules/gltf-validator")) return {};
  if (std::system("node --version > /dev/null 2>&1") != 0) return {};
  return "node '" + (web / "scripts/validate-gltf.mjs").string() + "'";
}

#define SKIP_WITHOUT_VALIDATOR()                  \
  if (::supple::io::testing::validator().empty()) \
  GTEST_SKIP() << "SKIPPED: no node or no gltf-validator in web/"

inline ::testing::AssertionResult is_valid(const Bytes& bytes,
                                           const std::filesystem::path& baseline = {}) {
  const supple::testing::TemporaryDirectory directory;
  const std::filesystem::path path = directory / "file.glb";
  if (!write_file(path, bytes).ok()) return ::testing::AssertionFailure() << "cannot write";
  std::string command = validator();
  if (!baseline.empty()) command += " --baseline '" + baseline.string() + "'";
  const int status = std::system((command + " '" + path.string() + "'").c_str());
  if (status == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "gltf-validator complains";
}

}  // namespace supple::io::testing
