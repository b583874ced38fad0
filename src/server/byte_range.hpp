// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace supple::server {

/// The part of a file that a Range field requests.
struct ByteRange {
  enum class Kind {
    Whole,   ///< no range, several, or an invalid one, which RFC 9110 says to ignore
    Part,    ///< [first, first + length)
    Outside  ///< entirely beyond the file: 416
  };
  Kind kind = Kind::Whole;
  std::uint64_t first = 0;
  std::uint64_t length = 0;
};

[[nodiscard]] ByteRange parse_range(std::string_view field, std::uint64_t size);

}  // namespace supple::server
