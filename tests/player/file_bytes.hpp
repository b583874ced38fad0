// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/format/checksum.hpp"
#include "supple/format/layout.hpp"

#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <cstring>

/// Files that are changed byte by byte.
namespace supple::player::testing {

inline Bytes small_file(bool coriolis = true) {
  MeshSpec spec;
  spec.vertices = 37;
  spec.objects = {{2, 0, 3}, {1, 20, 1}};
  spec.coriolis = coriolis;
  auto written = io::write_supple(random_asset(spec));
  SUPPLE_CHECK(written.ok());
  return std::move(written->bytes);
}

inline supple_status status_of(const Bytes& bytes) {
  const AlignedBytes aligned(bytes);
  supple_asset* asset = nullptr;
  const supple_status status = supple_asset_open(aligned.data(), aligned.size(), &asset);
  EXPECT_EQ(asset == nullptr, status != SUPPLE_OK);
  supple_asset_close(asset);
  return status;
}

/// Checksums made right again, so that the check behind them is reached.
inline void mend(Bytes& bytes) {
  format::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    std::byte* at = bytes.data() + sizeof header + i * sizeof(format::Section);
    format::Section section;
    std::memcpy(&section, at, sizeof section);
    section.checksum = format::checksum(bytes.data() + section.offset, section.size);
    std::memcpy(at, &section, sizeof section);
  }
  header.checksum = 0;
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = format::checksum(
      bytes.data(), sizeof header + header.section_count * sizeof(format::Section));
  std::memcpy(bytes.data(), &header, sizeof header);
}

/// Where a section's bytes begin.
inline std::size_t place_of(const Bytes& bytes, std::uint32_t id) {
  format::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    format::Section section;
    std::memcpy(&section, bytes.data() + sizeof header + i * sizeof section, sizeof section);
    if (section.id == id) return section.offset;
  }
  ADD_FAILURE() << "no such section";
  return 0;
}

/// Header and table as they are, for changes; store() writes them back and mends the file.
struct OpenTable {
  format::Header header{};
  std::vector<format::Section> sections;

  explicit OpenTable(const Bytes& file) {
    std::memcpy(&header, file.data(), sizeof header);
    sections.resize(header.section_count);
    std::memcpy(sections.data(), file.data() + sizeof header,
                sections.size() * sizeof(format::Section));
  }
  [[nodiscard]] format::Section& at(std::uint32_t id) {
    for (format::Section& section : sections) {
      if (section.id == id) return section;
    }
    SUPPLE_CHECK(false);
    return sections.front();
  }
  void store(Bytes& file) {
    header.section_count = static_cast<std::uint32_t>(sections.size());
    header.file_size = file.size();
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, sections.data(),
                sections.size() * sizeof(format::Section));
    mend(file);
  }
};

/// The same file with more sections behind it.
inline Bytes with_more(const Bytes& file,
                       const std::vector<std::pair<format::Section, Bytes>>& more) {
  OpenTable table(file);
  const std::size_t old_begin = table.sections.front().offset;
  const std::size_t count = table.sections.size() + more.size();
  const std::size_t end = sizeof table.header + count * sizeof(format::Section);
  const std::size_t begin = (end + 63) / 64 * 64;
  for (format::Section& section : table.sections) section.offset += begin - old_begin;
  Bytes bytes(begin);
  bytes.insert(bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(old_begin), file.end());
  for (auto [section, contents] : more) {
    section.offset = bytes.size();
    section.size = contents.size();
    contents.resize((contents.size() + 63) / 64 * 64);
    bytes.insert(bytes.end(), contents.begin(), contents.end());
    table.sections.push_back(section);
  }
  table.store(bytes);
  return bytes;
}

}  // namespace supple::player::testing
