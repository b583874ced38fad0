// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"

#include <cstring>

namespace supple::player {

/// Far from anything physical, and far from overflow when a few of them are multiplied.
inline constexpr double kLargest = 1e30;

[[nodiscard]] inline bool sane(double x) {
  return x >= -kLargest && x <= kLargest;
}

template <class Number>
[[nodiscard]] inline bool sane(const Number* numbers, std::size_t count) {
  bool good = true;
  for (std::size_t i = 0; i < count; ++i) good &= sane(numbers[i]);
  return good;
}

/// A view of the bytes with the table already checked: where a section is and how many records.
struct Table {
  const unsigned char* bytes;
  const format::Section* sections;
  std::size_t count;

  [[nodiscard]] const format::Section* find(std::uint32_t id) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (sections[i].id == id) return &sections[i];
    }
    return nullptr;
  }

  /// False if the section is missing or does not hold exactly `records`.
  template <class T>
  [[nodiscard]] bool view(std::uint32_t id, std::uint64_t records, const T*& data) const {
    std::uint64_t found = 0;
    return list(id, data, found) && found == records;
  }

  /// The same for as many records as there are.
  template <class T>
  [[nodiscard]] bool list(std::uint32_t id, const T*& data, std::uint64_t& records) const {
    const format::Section* section = find(id);
    if (section == nullptr || section->size % sizeof(T) != 0) return false;
    records = section->size / sizeof(T);
    data = reinterpret_cast<const T*>(bytes + section->offset);
    return true;
  }
};

/// True if a text begins there and is not too long.
[[nodiscard]] inline bool check_text(const char* text, std::uint32_t offset, std::uint64_t size) {
  if (offset >= size) return false;
  const std::uint64_t left = size - offset;
  const std::size_t most = left < format::kLongestText ? left : format::kLongestText;
  return std::memchr(text + offset, '\0', most) != nullptr;
}

/// The sections that shells have, after everything else was found good.
[[nodiscard]] bool read_shells(const Table& table, supple_asset& asset);

/// Checks every byte and every number of a file, and points the asset's views into it. Whoever
/// reads through those views afterwards needs no check of his own.
[[nodiscard]] supple_status read(const void* bytes, std::size_t size, supple_asset& asset);

}  // namespace supple::player
