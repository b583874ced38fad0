// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace supple::server {

/// A plain file, open for reading. Moves, does not copy.
class ServedFile {
 public:
  /// A file that somebody named: links are followed. Nothing if it is no plain file.
  [[nodiscard]] static std::optional<ServedFile> open(const std::filesystem::path& path);
  /// A file below `root`, one opened directory after another, and no link on the way: neither a
  /// link that is there nor one that appears meanwhile leads out of the tree. Hidden files do not
  /// exist.
  [[nodiscard]] static std::optional<ServedFile> open_below(const std::filesystem::path& root,
                                                            std::string_view path);
  ~ServedFile();
  ServedFile(ServedFile&& other) noexcept;
  ServedFile& operator=(ServedFile&& other) noexcept;

  [[nodiscard]] std::uint64_t size() const { return m_size; }
  /// Changes when the file does: in quotes, as ETag wants it.
  [[nodiscard]] const std::string& tag() const { return m_tag; }
  /// How many bytes were read; 0 at the end of the file or if it cannot be read.
  [[nodiscard]] std::size_t read(std::uint64_t offset, std::span<char> bytes) const;

 private:
  explicit ServedFile(int descriptor) : m_descriptor(descriptor) {}
  [[nodiscard]] static std::optional<ServedFile> adopt(int descriptor);

  int m_descriptor;
  std::uint64_t m_size = 0;
  std::string m_tag;
};

}  // namespace supple::server
