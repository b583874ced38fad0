// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/format/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace supple::io {

inline constexpr std::uint16_t kOptional = 0;  // flags of a section that a reader may pass over

/// A section of a file that a player opens.
struct FileSection {
  std::uint32_t id = 0;
  std::uint16_t version = 0;
  std::uint16_t flags = 0;
  std::span<const std::byte> bytes;
};
[[nodiscard]] std::vector<FileSection> sections_of(std::span<const std::byte> file);

/// Sections in the order in which they are added, then header and table in front of them.
class FileBuilder {
 public:
  template <class T>
  void add(std::uint32_t id, const std::vector<T>& records,
           std::uint16_t flags = format::kRequired) {
    Bytes bytes(records.size() * sizeof(T));
    if (!records.empty()) std::memcpy(bytes.data(), records.data(), bytes.size());
    m_sections.push_back({id, 0, flags, std::move(bytes)});
  }
  /// A copy of another file's section.
  void add(const FileSection& section);

  [[nodiscard]] Bytes finish() const;

 private:
  struct Contents {
    std::uint32_t id;
    std::uint16_t version;
    std::uint16_t flags;
    Bytes bytes;
  };
  std::vector<Contents> m_sections;
};

}  // namespace supple::io
