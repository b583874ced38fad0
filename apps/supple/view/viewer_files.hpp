// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <string>

namespace supple::app {

/// Where the viewer's files are: the directory named, else SUPPLE_VIEWER's, else that beside the
/// program. One without an index.html is an error that tells how to get it.
[[nodiscard]] Result<std::filesystem::path> find_viewer(const std::string& named);

}  // namespace supple::app
