// SPDX-License-Identifier: Apache-2.0
#include "gallery_export.hpp"

#include "gallery_character.hpp"

#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace supple::app {
namespace {

namespace fs = std::filesystem;

/// Tells our own folders from those of others.
constexpr const char* kMark = "supple-export.txt";
constexpr std::string_view kMarkText =
    "Written by 'supple view --export', which replaces this whole folder the next time.\n";

Error failed(const char* what, const fs::path& path, const std::error_code& failure) {
  return io_error(fmt::format("cannot {} '{}': {}", what, path.string(), failure.message()));
}

Result<void> check_replaceable(const fs::path& directory) {
  std::error_code failure;
  if (!fs::exists(directory, failure)) return {};
  if (!fs::is_directory(directory, failure)) {
    return io_error(fmt::format("cannot write '{}': it is no directory", directory.string()));
  }
  const bool ours = fs::is_regular_file(directory / kMark, failure);
  if (ours || fs::is_empty(directory, failure)) return {};
  return Error(ErrorCode::Usage,
               fmt::format("'{}' holds other files, and an export replaces the whole directory; "
                           "give one that is new or empty",
                           directory.string()));
}

/// A directory that goes away unless it is put in place.
class Staging {
 public:
  explicit Staging(const fs::path& target)
      : m_target(target), m_path(target.string() + fmt::format(".part-{}", ::getpid())) {}
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  [[nodiscard]] const fs::path& path() const { return m_path; }

  [[nodiscard]] Result<void> put_in_place() const {
    std::error_code failure;
    const fs::path old = m_target.string() + fmt::format(".old-{}", ::getpid());
    const bool replaces = fs::exists(m_target, failure);
    if (replaces) fs::rename(m_target, old, failure);
    if (failure) return failed("replace", m_target, failure);
    fs::rename(m_path, m_target, failure);
    if (failure) {
      std::error_code ignored;
      if (replaces) fs::rename(old, m_target, ignored);
      return failed("write", m_target, failure);
    }
    if (replaces) fs::remove_all(old, failure);
    return {};
  }

 private:
  fs::path m_target;
  fs::path m_path;
};

Result<void> copy_to(const fs::path& from, const fs::path& to) {
  SUPPLE_TRY_VOID(check_interrupt());
  std::error_code failure;
  fs::create_directories(to.parent_path(), failure);
  if (!failure) fs::copy_file(from, to, failure);
  if (failure) return failed("copy", from, failure);
  return {};
}

Result<void> copy_tree(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::recursive_directory_iterator entries(from, failure);
  for (; !failure && entries != fs::recursive_directory_iterator(); entries.increment(failure)) {
    if (!entries->is_regular_file(failure)) continue;
    SUPPLE_TRY_VOID(copy_to(entries->path(), to / entries->path().lexically_relative(from)));
  }
  if (failure) return failed("read", from, failure);
  return {};
}

Result<void> copy_item(const GalleryItem& item, const fs::path& to) {
  SUPPLE_TRY(const bool pack, needs_packing(item.character));
  const fs::path character = to / published(item).character;
  if (pack) {
    SUPPLE_TRY(const Bytes bytes, pack_character(item.character));
    SUPPLE_TRY_VOID(write_file(character, bytes));
  } else {
    SUPPLE_TRY_VOID(copy_to(item.character, character));
  }
  for (const auto& [address, file] : published_files(item))
    SUPPLE_TRY_VOID(copy_to(file, to / address));
  return {};
}

ExportSummary summarise(const fs::path& directory) {
  ExportSummary summary;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(directory, ignored)) {
    if (!entry.is_regular_file(ignored)) continue;
    ++summary.files;
    summary.bytes += entry.file_size(ignored);
  }
  return summary;
}

}  // namespace

Result<ExportSummary> export_gallery(const Gallery& gallery, const fs::path& viewer,
                                     const fs::path& directory) {
  fs::path target = directory.lexically_normal();
  if (target.filename().empty()) target = target.parent_path();  // "site/"
  SUPPLE_TRY_VOID(check_replaceable(target));
  const Staging staging(target);
  std::error_code failure;
  fs::create_directories(staging.path() / "files", failure);
  if (failure) return failed("write", target, failure);
  SUPPLE_TRY_VOID(copy_tree(viewer, staging.path()));
  Gallery shown = gallery;
  for (GalleryItem& item : shown.items) {
    SUPPLE_TRY_VOID(copy_item(item, staging.path()));
    item = published(item);
  }
  if (!shown.items.empty()) {
    SUPPLE_TRY_VOID(write_file(staging.path() / "manifest.json", write_manifest(shown)));
  }
  SUPPLE_TRY_VOID(write_file(staging.path() / kMark, kMarkText));
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY_VOID(staging.put_in_place());
  return summarise(target);
}

}  // namespace supple::app
