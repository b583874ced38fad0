// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <string>
#include <vector>

namespace supple::app {

/// An error of usage if a file to be written is one of those to be read, or is written twice.
/// Empty names are skipped; devices may appear as often as they like.
[[nodiscard]] Result<void> keep_apart(const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs);

/// Fails where a file could not be written, before hours are spent on what it should hold. Empty
/// names are skipped.
[[nodiscard]] Result<void> check_writable(const std::vector<std::string>& paths);

/// ".glb" of "A.GLB".
[[nodiscard]] std::string lower_extension(const std::string& path);

/// OUT.supple beside OUT.glb.
[[nodiscard]] std::string supple_path(const std::string& glb);

}  // namespace supple::app
