// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <string_view>

namespace supple::bake {

/// Refuses text that would exhaust the stack of its parser or memory: the parser follows a dotted
/// key by recursion, and frees what it made of it by recursion too. Refuses also a table's header
/// that begins with no name, which the parser takes for granted.
[[nodiscard]] Result<void> guard_toml(std::string_view text, std::string_view name);

}  // namespace supple::bake
