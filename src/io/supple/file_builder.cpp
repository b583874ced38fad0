// SPDX-License-Identifier: Apache-2.0
#include "io/supple/file_builder.hpp"

#include "supple/format/checksum.hpp"

namespace supple::io {
namespace {

std::size_t aligned_size(std::size_t size) {
  return (size + format::kAlignment - 1) / format::kAlignment * format::kAlignment;
}

}  // namespace

std::vector<FileSection> sections_of(std::span<const std::byte> file) {
  format::Header header{};
  std::memcpy(&header, file.data(), sizeof header);
  std::vector<FileSection> sections;
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    format::Section record{};
    std::memcpy(&record, file.data() + sizeof header + i * sizeof record, sizeof record);
    sections.push_back(
        {record.id, record.version, record.flags, file.subspan(record.offset, record.size)});
  }
  return sections;
}

void FileBuilder::add(const FileSection& section) {
  m_sections.push_back({section.id, section.version, section.flags,
                        Bytes(section.bytes.begin(), section.bytes.end())});
}

Bytes FileBuilder::finish() const {
  const std::size_t table_size = m_sections.size() * sizeof(format::Section);
  std::vector<format::Section> table;
  std::size_t end = aligned_size(sizeof(format::Header) + table_size);
  for (const auto& [id, version, flags, bytes] : m_sections) {
    table.push_back(
        {id, version, flags, end, bytes.size(), format::checksum(bytes.data(), bytes.size())});
    end = aligned_size(end + bytes.size());
  }
  Bytes file(end);
  format::Header header{};
  header.magic = format::kMagic;
  header.version_major = format::kVersionMajor;
  header.version_minor = format::kVersionMinor;
  header.section_count = static_cast<std::uint32_t>(table.size());
  header.file_size = end;
  format::Xxh64 hash;
  hash.add(&header, sizeof header);
  hash.add(table.data(), table_size);
  header.checksum = hash.value();
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, table.data(), table_size);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Bytes& bytes = m_sections[i].bytes;
    if (!bytes.empty()) std::memcpy(file.data() + table[i].offset, bytes.data(), bytes.size());
  }
  return file;
}

}  // namespace supple::io
