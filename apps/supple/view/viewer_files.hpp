// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <string>

namespace supple::app {

/// Finds the viewer's files: in the given directory, else in SUPPLE_VIEWER, else beside the
/// program. A directory without an index.html is an error that says how to get one.
[[nodiscard]] Result<std::filesystem::path> find_viewer(const std::string& named);

}  // namespace supple::app
