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
  /// A file named by the user: links are followed. Empty if it is not a plain file.
  [[nodiscard]] static std::optional<ServedFile> open(const std::filesystem::path& path);
  /// A file below `root`, opened directory by directory without following links, so that no link,
  /// not even one created meanwhile, leads out of the tree. Hidden files are ignored.
  [[nodiscard]] static std::optional<ServedFile> open_below(const std::filesystem::path& root,
                                                            std::string_view path);
  ~ServedFile();
  ServedFile(ServedFile&& other) noexcept;
  ServedFile& operator=(ServedFile&& other) noexcept;

  [[nodiscard]] std::uint64_t size() const { return m_size; }
  /// Changes when the file does; in quotes, as ETag requires.
  [[nodiscard]] const std::string& tag() const { return m_tag; }
  /// Number of bytes read; 0 at the end of the file or on failure.
  [[nodiscard]] std::size_t read(std::uint64_t offset, std::span<char> bytes) const;

 private:
  explicit ServedFile(int descriptor) : m_descriptor(descriptor) {}
  [[nodiscard]] static std::optional<ServedFile> adopt(int descriptor);

  int m_descriptor;
  std::uint64_t m_size = 0;
  std::string m_tag;
};

}  // namespace supple::server
