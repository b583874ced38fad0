// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <string_view>

namespace supple::settings {

/// Refuses text that would exhaust the stack of its parser or memory: the parser follows a dotted
/// key by recursion, and frees what it made of it by recursion too. Refuses also what the parser
/// takes for granted and what its own checks would end the program for: a table's header that
/// begins with no name, brackets that do not go in pairs, and letters beyond ASCII outside of
/// strings and comments.
[[nodiscard]] Result<void> guard_toml(std::string_view text, std::string_view name);

}  // namespace supple::settings
