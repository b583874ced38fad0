// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace supple::testing {

/// The project's root. A function, so that one file alone is compiled with paths in it and the
/// compiler cache serves every clone.
[[nodiscard]] std::filesystem::path source_directory();

/// The path of the built `supple` program. The file exists only if the test depends on the target
/// supple_cli.
[[nodiscard]] std::filesystem::path built_program();

/// Characters by others, beside the project; may be absent.
[[nodiscard]] std::filesystem::path assets();

}  // namespace supple::testing
