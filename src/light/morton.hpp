// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace supple::light {

/// Spreads the lowest 21 bits so that two zeros follow each.
[[nodiscard]] inline std::uint64_t spread_by_three(std::uint64_t x) {
  x &= 0x1fffffU;
  x = (x | x << 32U) & 0x1f00000000ffffU;
  x = (x | x << 16U) & 0x1f0000ff0000ffU;
  x = (x | x << 8U) & 0x100f00f00f00f00fU;
  x = (x | x << 4U) & 0x10c30c30c30c30c3U;
  return (x | x << 2U) & 0x1249249249249249U;
}

/// Numbers along a curve that visits neighbours in space one soon after the other.
[[nodiscard]] inline std::uint64_t morton(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return spread_by_three(x) | spread_by_three(y) << 1U | spread_by_three(z) << 2U;
}

}  // namespace supple::light
