// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace supple {

using Bytes = std::vector<std::byte>;

/// Reads a whole file; never blocks and never reads without end. Missing files, directories, pipes,
/// devices and files larger than `limit` bytes are errors.
[[nodiscard]] Result<Bytes> read_file(const std::filesystem::path& path,
                                      std::size_t limit = std::size_t{16} << 30);
/// The same refusals, for files that a library opens: opening a pipe would wait for a writer.
[[nodiscard]] Result<void> check_plain_file(const std::filesystem::path& path);
/// The most for files that people write.
inline constexpr std::size_t kMostTextBytes = std::size_t{64} << 20;

/// Writes a whole file or nothing: to a temporary name beside it, flushed, then renamed. A replaced
/// file keeps its permissions.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path,
                                      std::span<const std::byte> bytes);
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view text);

[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline std::span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace supple
