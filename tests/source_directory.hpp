// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace supple::testing {

/// The project's root. A function, so that one file alone is compiled with the path in it and the
/// compiler cache serves every clone.
[[nodiscard]] std::filesystem::path source_directory();

/// Characters by others, beside the project; may be absent.
[[nodiscard]] std::filesystem::path assets();

}  // namespace supple::testing
