// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace supple::format {

/// XXH64 (xxhash.com) with seed 0, fed in pieces. Our own because the player has no dependencies; a
/// test compares it with the library's.
class Xxh64 {
 public:
  void add(const void* bytes, std::size_t size);
  [[nodiscard]] std::uint64_t value() const;

 private:
  void round(const unsigned char* stripe);

  static constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87ULL;
  static constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4FULL;
  static constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9ULL;
  static constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63ULL;
  static constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5ULL;

  std::uint64_t m_lanes[4] = {kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
  unsigned char m_pending[32] = {};
  std::size_t m_pending_size = 0;
  std::uint64_t m_total = 0;
};

[[nodiscard]] inline std::uint64_t checksum(const void* bytes, std::size_t size) {
  Xxh64 hash;
  hash.add(bytes, size);
  return hash.value();
}

}  // namespace supple::format
