// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace supple {

/// A seeded random stream: the same numbers on every machine. Streams with different numbers are
/// independent, so each task takes its own and the order of tasks does not matter.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : m_state(mix(seed ^ mix(stream + 0x9e3779b97f4a7c15U))) {}

  /// The stream of Steele, Lea and Flood's reference generator started at `state`.
  [[nodiscard]] static Random from_state(std::uint64_t state) {
    Random random(0);
    random.m_state = state;
    return random;
  }

  /// SplitMix64: full period 2^64, passes BigCrush; speed matters more here than period.
  [[nodiscard]] std::uint64_t next() { return mix(m_state += 0x9e3779b97f4a7c15U); }

  /// Uniform in [0, 1), 53 random bits.
  [[nodiscard]] double uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }
  [[nodiscard]] double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform in [0, count), up to a bias of count / 2^64; count > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t count) { return next() % count; }

 private:
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::uint64_t m_state;
};

}  // namespace supple
