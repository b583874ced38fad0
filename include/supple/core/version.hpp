// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace supple {

/// The number in `supple --version`.
[[nodiscard]] std::string_view version();

/// What files that we write say of where they came from: "supple 0.1.0".
[[nodiscard]] std::string generator();

}  // namespace supple
