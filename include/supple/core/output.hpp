// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/core/unfinished.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace supple {

struct WrittenFile {
  std::string path;
  std::size_t bytes = 0;
};

/// Several files that appear all together or not at all: stage each, then commit once.
///
/// A commit writes all bytes to temporary names beside the files, so that a full disk is detected
/// before any file has changed, and then renames them. A commit that fails half-way restores the
/// previous files. A process that is killed meanwhile leaves temporary names behind; the next
/// commit of the same files removes them. Links are followed; devices and pipes (/dev/stdout) are
/// written in place, last.
///
/// Directories that `make_directory` makes are removed again unless the files are committed.
class OutputSet {
 public:
  OutputSet() = default;
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;

  [[nodiscard]] Result<void> stage(const std::filesystem::path& path,
                                   std::span<const std::byte> bytes);
  [[nodiscard]] Result<void> stage(const std::filesystem::path& path, std::string_view text);
  /// Makes a directory for files, with those above it.
  [[nodiscard]] Result<void> make_directory(const std::filesystem::path& path);
  [[nodiscard]] Result<void> commit();
  /// What was staged so far, in its order; it stays known after the commit.
  [[nodiscard]] const std::vector<WrittenFile>& files() const { return m_files; }

 private:
  struct Staged {
    std::filesystem::path final;
    Unfinished temporary;  ///< during a commit, but not for devices
    Unfinished backup;     ///< the previous file during a commit
    Bytes bytes;
    bool device = false;
    bool renamed = false;
  };
  [[nodiscard]] Result<void> put_all_in_place();
  [[nodiscard]] Result<void> write_devices();
  [[nodiscard]] static Result<void> put_in_place(Staged& staged);
  void roll_back();
  void clear();

  std::vector<Unfinished> m_directories;  ///< made here, the outermost first
  std::vector<Staged> m_staged;
  std::vector<WrittenFile> m_files;
};

/// Names beside a file or folder, for the new contents while they are written and for the previous
/// ones until then; no other thread or process uses them.
[[nodiscard]] std::filesystem::path temporary_name(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path backup_name(const std::filesystem::path& path);
/// Removes what processes that have ended left under such names. If they had moved the file or
/// folder itself away, it comes back. A commit does this for its files.
void sweep_leftovers(const std::filesystem::path& path);

/// Where a path leads to through symbolic links, whether or not the last one leads anywhere.
[[nodiscard]] Result<std::filesystem::path> follow_links(const std::filesystem::path& path);

/// An error of usage if a file to be written is one of those to be read, or is written twice.
/// Empty names are skipped; devices may appear as often as they like.
[[nodiscard]] Result<void> keep_apart(const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs);

/// Fails where a file could not be written, before hours are spent on what it should hold. Removes
/// what killed processes left of it. Empty names are skipped.
[[nodiscard]] Result<void> check_writable(const std::vector<std::string>& paths);

/// ".glb" of "A.GLB".
[[nodiscard]] std::string lower_extension(const std::filesystem::path& path);

}  // namespace supple
