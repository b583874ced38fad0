// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace supple::io::detail {

/// The value at `from`, in the given byte order; no alignment needed.
template <class T>
[[nodiscard]] T load(const std::byte* from, std::endian order) {
  static_assert(std::is_arithmetic_v<T>);
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  if (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

/// Appends a value in little-endian order.
template <class T>
void append_little(Bytes& out, T value) {
  static_assert(std::is_arithmetic_v<T>);
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  if (std::endian::native != std::endian::little) std::reverse(bytes.begin(), bytes.end());
  out.insert(out.end(), bytes.begin(), bytes.end());
}

inline void append_text(Bytes& out, std::string_view text) {
  const auto bytes = as_bytes(text);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// The number types that files declare.
enum class Scalar { Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float32, Float64 };

[[nodiscard]] constexpr std::size_t size_of(Scalar type) {
  constexpr std::array<std::size_t, 10> kSizes{1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}
[[nodiscard]] constexpr bool is_integer(Scalar type) {
  return type != Scalar::Float32 && type != Scalar::Float64;
}

/// Calls `use` with a value of the C++ type behind `type`.
template <class Use>
decltype(auto) with_type(Scalar type, Use&& use) {
  switch (type) {
    case Scalar::Int8:
      return use(std::int8_t{});
    case Scalar::UInt8:
      return use(std::uint8_t{});
    case Scalar::Int16:
      return use(std::int16_t{});
    case Scalar::UInt16:
      return use(std::uint16_t{});
    case Scalar::Int32:
      return use(std::int32_t{});
    case Scalar::UInt32:
      return use(std::uint32_t{});
    case Scalar::Int64:
      return use(std::int64_t{});
    case Scalar::UInt64:
      return use(std::uint64_t{});
    case Scalar::Float32:
      return use(float{});
    case Scalar::Float64:
      break;
  }
  return use(double{});
}

/// One number of a declared type, converted. Integers beyond 2^63 - 1 wrap to negative ones,
/// which no index check accepts.
template <class To>
[[nodiscard]] To load_as(Scalar type, const std::byte* from, std::endian order) {
  return with_type(type,
                   [&](auto kind) { return static_cast<To>(load<decltype(kind)>(from, order)); });
}

}  // namespace supple::io::detail
