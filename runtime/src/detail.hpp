// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "size.hpp"

#include "supple.h"

#include <cstddef>
#include <cstdint>

namespace supple::player {

/// Writes what supple_error_detail tells this thread, from the beginning. What does not fit is cut.
class Detail {
 public:
  explicit Detail(const char* words);
  Detail& operator<<(const char* words);
  Detail& operator<<(std::uint64_t number);
};

/// False, for checks that explain themselves.
[[nodiscard]] bool refuse(const char* words);

[[nodiscard]] supple_status bad_argument(const char* words);

inline constexpr const char* kNotAShell = "the object is not a shell";
inline constexpr const char* kBeyondVertices =
    "the range of vertices ends behind the file's or does not begin at a multiple of 16";

/// False: the argument of that name is null, or there is no such number of what the file has
/// `count` of.
[[nodiscard]] bool refuse_null(const char* name);
[[nodiscard]] bool refuse_number(const char* what, std::uint32_t index, std::uint32_t count);

/// Whether a pointer is one.
[[nodiscard]] inline bool given(const void* pointer, const char* name) {
  return pointer != nullptr || refuse_null(name);
}

/// Whether there is a number `index` of what the file has `count` of: "object", "vertex".
[[nodiscard]] SUPPLE_FOR_SIZE inline bool is_one_of(const char* what, std::uint32_t index,
                                                    std::uint32_t count) {
  return index < count || refuse_number(what, index, count);
}

}  // namespace supple::player
