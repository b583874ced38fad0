// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple.h"

#include <cstddef>
#include <type_traits>

/// Structs that cross the interface. The caller's may be shorter than ours (an older header) or
/// longer (a newer one): what both know is copied. A member that is added to a struct later begins
/// where the struct ended before, behind its padding.
namespace supple::player {

/// The first member of each struct; the others follow it.
using StructSize = std::size_t;

/// Contract: `ours` is `size` bytes, and begins with its own size.
[[nodiscard]] supple_status give_bytes(const void* ours, std::size_t size, void* theirs);
[[nodiscard]] bool take_bytes(const void* theirs, void* ours, std::size_t size);

/// Fills the caller's struct; what only he knows becomes 0.
template <class Struct>
[[nodiscard]] supple_status give(const Struct& ours, Struct* theirs) {
  static_assert(std::is_trivially_copyable_v<Struct> && offsetof(Struct, struct_size) == 0);
  return give_bytes(&ours, sizeof ours, theirs);
}

/// Reads the caller's struct; what he does not know stays as it is in `ours`. False, with a detail,
/// where it has no size.
template <class Struct>
[[nodiscard]] bool take(const Struct* theirs, Struct& ours) {
  static_assert(std::is_trivially_copyable_v<Struct> && offsetof(Struct, struct_size) == 0);
  return take_bytes(theirs, &ours, sizeof ours);
}

}  // namespace supple::player
