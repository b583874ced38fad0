// SPDX-License-Identifier: Apache-2.0
#include "gallery/export.hpp"

#include "gallery/character.hpp"
#include "gallery/settings_edit.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;

/// Marks folders written by an export: after this line comes one line per file.
constexpr const char* kMark = "supple-export.txt";
constexpr std::string_view kMarkText =
    "Written by 'supple view --export', which replaces these files the next time:\n";
constexpr std::size_t kMarkLimit = 16 << 20;

Error failed(const char* what, const fs::path& path, const std::error_code& failure) {
  return io_error(fmt::format("cannot {} '{}': {}", what, path.string(), failure.message()));
}

/// The files below a directory, relative to it.
Result<std::vector<fs::path>> list_below(const fs::path& directory, bool folders) {
  std::vector<fs::path> paths;
  std::error_code failure;
  fs::recursive_directory_iterator entries(directory, failure);
  for (; !failure && entries != fs::recursive_directory_iterator(); entries.increment(failure)) {
    const bool folder = fs::is_directory(entries->symlink_status(failure));
    if (folder == folders) paths.push_back(entries->path().lexically_relative(directory));
  }
  if (failure) return failed("read", directory, failure);
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::string> mark_text(const fs::path& directory) {
  SUPPLE_TRY(const std::vector<fs::path> files, list_below(directory, false));
  std::string text(kMarkText);
  for (const fs::path& file : files) text += file.generic_string() + "\n";
  return text;
}

/// Whether an export wrote everything in a folder, according to the list it left there.
Result<bool> holds_only_ours(const fs::path& directory) {
  const Result<Bytes> mark = read_file(directory / kMark, kMarkLimit);
  std::set<fs::path> known{kMark, "files"};
  if (mark.ok() && as_text(*mark).starts_with(kMarkText)) {
    std::istringstream lines{std::string(as_text(*mark).substr(kMarkText.size()))};
    for (std::string line; std::getline(lines, line);) {
      for (fs::path path = line; known.insert(path).second;) path = path.parent_path();
    }
  } else {
    known.clear();
  }
  for (const bool folders : {false, true}) {
    SUPPLE_TRY(const std::vector<fs::path> present, list_below(directory, folders));
    const bool all = std::all_of(present.begin(), present.end(),
                                 [&](const fs::path& path) { return known.contains(path); });
    if (!all) return false;
  }
  return true;
}

Result<void> check_replaceable(const fs::path& directory) {
  std::error_code failure;
  if (!fs::exists(fs::symlink_status(directory, failure))) return {};
  if (!fs::is_directory(directory, failure)) {
    return io_error(fmt::format("cannot write '{}': it is not a directory", directory.string()));
  }
  SUPPLE_TRY(const bool ours, holds_only_ours(directory));
  if (ours) return {};
  return Error(ErrorCode::Usage,
               fmt::format("'{}' contains files not written by an export, and an export replaces "
                           "the whole directory; give a new or empty one",
                           directory.string()));
}

/// An export into the folder it copies would never end, or write half a viewer.
Result<void> check_apart(const fs::path& target, const fs::path& viewer) {
  std::error_code failure;
  const fs::path root = fs::canonical(viewer, failure);
  const fs::path place = fs::weakly_canonical(fs::absolute(target, failure), failure);
  const auto border = std::mismatch(root.begin(), root.end(), place.begin(), place.end()).first;
  if (!failure && border != root.end()) return {};
  return Error(ErrorCode::Usage,
               fmt::format("'{}' is inside the viewer's own folder '{}'; give another directory",
                           target.string(), viewer.string()));
}

/// A directory that is removed unless it is moved to its target.
class Staging {
 public:
  explicit Staging(const fs::path& target) : m_target(target), m_path(temporary_name(target)) {}
  ~Staging() {
    std::error_code ignored;
    if (m_made) fs::remove_all(m_path, ignored);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  [[nodiscard]] const fs::path& path() const { return m_path; }

  /// Never uses a directory or link of that name that already exists.
  [[nodiscard]] Result<void> make() {
    sweep_leftovers(m_target);
    std::error_code failure;
    if (m_path.has_parent_path()) fs::create_directories(m_path.parent_path(), failure);
    if (!failure) m_made = fs::create_directory(m_path, failure);
    if (failure) return failed("write", m_target, failure);
    if (m_made) {
      m_unfinished = Unfinished(m_path);
      return {};
    }
    return io_error(
        fmt::format("cannot write '{}': it exists already; remove it", m_path.string()));
  }

  [[nodiscard]] Result<void> put_in_place() const {
    SUPPLE_TRY_VOID(check_replaceable(m_target));  // it may have been filled in the meantime
    std::error_code failure;
    const fs::path old = backup_name(m_target);
    const bool replaces = fs::exists(m_target, failure);
    if (replaces) fs::rename(m_target, old, failure);
    if (failure) return failed("replace", m_target, failure);
    fs::rename(m_path, m_target, failure);
    if (failure) {
      std::error_code ignored;
      if (replaces) fs::rename(old, m_target, ignored);
      return failed("write", m_target, failure);
    }
    if (replaces) {
      const Unfinished rest(old);
      fs::remove_all(old, failure);
    }
    return {};
  }

 private:
  fs::path m_target;
  fs::path m_path;
  Unfinished m_unfinished;
  bool m_made = false;
};

Result<void> copy_to(const fs::path& from, const fs::path& to) {
  SUPPLE_TRY_VOID(check_interrupt());
  std::error_code failure;
  fs::create_directories(to.parent_path(), failure);
  if (!failure) fs::copy_file(from, to, failure);
  if (!failure) return {};
  return io_error(fmt::format("cannot write a copy of '{}': {}", from.string(), failure.message()));
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

/// The values of an item's settings, which a static page cannot read on its own. Invalid settings
/// are skipped with a warning.
Result<fs::path> write_values(const GalleryItem& item, const fs::path& to) {
  if (item.settings.empty()) return fs::path();
  SUPPLE_TRY(const Bytes bytes, read_file(item.settings));
  const auto values =
      settings_values(command_of(item.flesh), as_text(bytes), item.settings.filename().string());
  if (!values.ok()) {
    log::warn("{} is not read by the page: {}", item.settings.string(), values.error().describe());
    return fs::path();
  }
  fs::path address = fmt::format("files/{}.settings.json", item.id);
  SUPPLE_TRY_VOID(write_file(to / address, *values));
  return address;
}

/// Writes everything to an empty directory.
Result<void> fill(const fs::path& directory, const Gallery& gallery, const fs::path& viewer) {
  std::error_code failure;
  fs::create_directory(directory / "files", failure);
  if (failure) return failed("make the directory", "files", failure);
  SUPPLE_TRY_VOID(copy_tree(viewer, directory));
  Gallery shown = gallery;
  for (GalleryItem& item : shown.items) {
    SUPPLE_TRY_VOID(copy_item(item, directory));
    SUPPLE_TRY(const fs::path values, write_values(item, directory));
    item = published(item);
    item.values = values;
  }
  if (!shown.items.empty()) {
    SUPPLE_TRY_VOID(write_file(directory / "manifest.json", write_manifest(shown)));
  }
  SUPPLE_TRY(const std::string mark, mark_text(directory));
  return write_file(directory / kMark, mark);
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
  SUPPLE_TRY_VOID(check_apart(target, viewer));
  SUPPLE_TRY_VOID(check_replaceable(target));
  Staging staging(target);
  SUPPLE_TRY_VOID(staging.make());
  SUPPLE_TRY_VOID(
      fill(staging.path(), gallery, viewer).during(fmt::format("writing '{}'", target.string())));
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY_VOID(staging.put_in_place());
  return summarise(target);
}

}  // namespace supple::gallery
