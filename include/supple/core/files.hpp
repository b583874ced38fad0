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

/// Reads a whole file. Directories, missing files and files larger than `limit` bytes are errors.
[[nodiscard]] Result<Bytes> read_file(const std::filesystem::path& path,
                                      std::size_t limit = std::size_t{16} << 30);
/// The same for untrusted paths, which must never block: pipes and devices are errors too.
[[nodiscard]] Result<Bytes> read_plain_file(const std::filesystem::path& path,
                                            std::size_t limit = std::size_t{16} << 30);

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

/// Several files that appear all together or not at all: stage each, then commit once.
///
/// Staging writes the bytes to temporary names beside the files, so a full disk is detected before
/// any file has changed. A commit that fails half-way restores the previous files. Links are
/// followed; devices and pipes (/dev/stdout) are written in place, last.
class OutputSet {
 public:
  OutputSet() = default;
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;

  [[nodiscard]] Result<void> stage(const std::filesystem::path& path,
                                   std::span<const std::byte> bytes);
  [[nodiscard]] Result<void> stage(const std::filesystem::path& path, std::string_view text);
  [[nodiscard]] Result<void> commit();

 private:
  struct Staged {
    std::filesystem::path final;
    std::filesystem::path temporary;  ///< empty for devices
    std::filesystem::path backup;     ///< the previous file during a commit
    Bytes bytes;                      ///< for devices only
    bool device = false;
    bool renamed = false;
  };
  [[nodiscard]] static Result<void> put_in_place(Staged& staged);
  void roll_back();
  void clear();

  std::vector<Staged> m_staged;
};

}  // namespace supple
