// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace supple::server {

/// What a Range field asks of a file.
struct ByteRange {
  enum class Kind {
    Whole,   ///< no range, several, or one that cannot be read: RFC 9110 says to ignore it
    Part,    ///< [first, first + length)
    Outside  ///< nothing of it exists: 416
  };
  Kind kind = Kind::Whole;
  std::uint64_t first = 0;
  std::uint64_t length = 0;
};

[[nodiscard]] ByteRange parse_range(std::string_view field, std::uint64_t size);

}  // namespace supple::server
