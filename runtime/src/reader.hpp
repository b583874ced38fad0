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

/// The first of the numbers that is not sane; null: all are.
template <class Number>
[[nodiscard]] inline const Number* find_insane(const Number* numbers, std::size_t count) {
  bool good = true;
  for (std::size_t i = 0; i < count; ++i) good &= sane(numbers[i]);
  if (good) return nullptr;
  while (sane(*numbers)) ++numbers;
  return numbers;
}

template <class Number>
[[nodiscard]] inline bool sane(const Number* numbers, std::size_t count) {
  return find_insane(numbers, count) == nullptr;
}

/// Checks every byte and every number of a file, and points the asset's views into it. Reading
/// through those views needs no further checks. Its functions are false, with a detail, where the
/// file is bad.
class FileReader {
 public:
  FileReader(const void* bytes, std::size_t size, supple_asset& asset)
      : m_bytes(static_cast<const unsigned char*>(bytes)), m_size(size), m_asset(asset) {}

  [[nodiscard]] supple_status read();

  /// For kinds of objects, which read their own sections after those that all have.
  [[nodiscard]] supple_asset& asset() { return m_asset; }
  [[nodiscard]] const format::Section* find(std::uint32_t id) const;
  [[nodiscard]] bool check_text(const std::uint32_t& offset) const;

  /// As many records as the section holds; it must be there.
  template <class Record>
  [[nodiscard]] bool list(std::uint32_t id, const Record*& data, std::uint64_t& records) const {
    const unsigned char* begin = find_records(id, sizeof(Record), records);
    data = reinterpret_cast<const Record*>(begin);
    return begin != nullptr;
  }
  /// The same where there must be so many.
  template <class Record>
  [[nodiscard]] bool view(std::uint32_t id, std::uint64_t records, const Record*& data) const {
    std::uint64_t found = 0;
    return list(id, data, found) && has_count(id, found, records);
  }

  /// False. The detail names the section, record and byte at which `at` points.
  [[nodiscard]] bool damaged(const void* at, const char* why) const;

 private:
  [[nodiscard]] supple_status check_header();
  [[nodiscard]] bool check_sections();
  [[nodiscard]] bool check_section(const format::Section& section, std::size_t& end);
  [[nodiscard]] bool is_known(const format::Section& section);
  [[nodiscard]] bool read_sections();
  [[nodiscard]] bool check_summary() const;
  [[nodiscard]] bool check_parts() const;
  [[nodiscard]] bool read_vertices();
  [[nodiscard]] bool read_spaces();
  [[nodiscard]] bool check_objects();
  [[nodiscard]] bool check_kind(const format::Object& object);
  [[nodiscard]] bool check_bone(const format::Object& object) const;
  [[nodiscard]] bool check_modes() const;
  [[nodiscard]] bool check_blocks() const;
  [[nodiscard]] bool check_entry(const format::Entry& entry, std::uint64_t& left) const;
  [[nodiscard]] bool check_shapes() const;
  [[nodiscard]] const unsigned char* find_records(std::uint32_t id, std::size_t size,
                                                  std::uint64_t& records) const;
  [[nodiscard]] bool has_count(std::uint32_t id, std::uint64_t found, std::uint64_t wanted) const;
  [[nodiscard]] bool damaged_section(std::uint32_t id, const char* why) const;

  const unsigned char* m_bytes;
  std::size_t m_size;
  supple_asset& m_asset;
  const format::Section* m_sections = nullptr;
  std::size_t m_count = 0;
  std::uint64_t m_text_size = 0;
  supple_status m_status = SUPPLE_DAMAGED;  ///< of what is wrong
};

}  // namespace supple::player
