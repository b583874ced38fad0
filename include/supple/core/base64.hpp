// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace supple {

/// RFC 4648, with padding.
[[nodiscard]] std::string encode_base64(std::span<const std::byte> bytes);

}  // namespace supple
