// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace supple {

/// A 128-bit content hash (XXH3) to identify content and detect damage; not for security.
struct Hash {
  std::array<std::uint64_t, 2> words{};
  auto operator<=>(const Hash&) const = default;
  [[nodiscard]] std::string hex() const;
};

/// Collects bytes in order. Add the length of each variable-sized part, so that the boundaries
/// between parts matter.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& add(std::span<const std::byte> bytes);
  Hasher& add(std::string_view text);
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) Hasher& add(const T& value) {
    return add(std::as_bytes(std::span<const T, 1>(&value, 1)));
  }
  template <class T>
  requires std::is_trivially_copyable_v<T> Hasher& add(const std::vector<T>& values) {
    add(values.size());
    return add(std::as_bytes(std::span<const T>(values)));
  }
  [[nodiscard]] Hash finish() const;

 private:
  void* m_state;  // XXH3_state_t, kept out of the header
};

}  // namespace supple
