// SPDX-License-Identifier: Apache-2.0
#include "supple/core/output.hpp"

#include "core/commit_lock.hpp"
#include "core/descriptor.hpp"
#include "supple/core/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <set>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace supple {
namespace {

namespace fs = std::filesystem;

/// "b.glb.part-", for temporary names beside 'a/b.glb'.
std::string temporary_prefix(const fs::path& path, const char* suffix) {
  constexpr std::size_t kStemMax = 200;  // file systems allow 255 bytes, including the suffix
  return fmt::format("{}.{}-", path.filename().string().substr(0, kStemMax), suffix);
}

/// Processes of several machines may share a folder: eight digits of this machine's name.
const std::string& machine_tag() {
  static const std::string tag = [] {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return Hasher().add(std::string_view(name.data())).finish().hex().substr(0, 8);
  }();
  return tag;
}

/// A name beside `path` that no other thread or process uses.
fs::path unused_name(const fs::path& path, const char* suffix) {
  static std::atomic<unsigned> counter{0};
  return path.parent_path() / fmt::format("{}{}-{}-{}", temporary_prefix(path, suffix),
                                          machine_tag(), ::getpid(), counter++);
}

/// Whether the process that chose this temporary name, with the given prefix, has ended. Those of
/// other machines count as running.
bool is_abandoned(const std::string& name, const std::string& prefix) {
  const std::string start = prefix + machine_tag() + "-";
  if (!name.starts_with(start)) return false;
  const char* digits = name.data() + start.size();
  const char* end = name.data() + name.size();
  pid_t process = 0;
  const auto [rest, failure] = std::from_chars(digits, end, process);
  if (failure != std::errc() || rest == end || *rest != '-' || process <= 0) return false;
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

/// Makes renames durable. Some file systems cannot; that is their affair.
void flush_directory(const fs::path& directory) {
  const Descriptor folder(
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
}

/// 0 or an errno.
int write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return 0;
}

Result<fs::path> write_temporary(const fs::path& path, std::span<const std::byte> bytes) {
  // Private files stay private: at no moment can more people read them than before.
  struct stat previous {};
  const bool replaces = ::stat(path.c_str(), &previous) == 0;
  fs::path name;
  int fd = -1;
  do {  // a killed process with the same id may have left a file behind
    name = temporary_name(path);
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
  } while (fd < 0 && errno == EEXIST);
  Descriptor file(fd);
  if (fd < 0) return system_error("write", path, errno);
  int code = write_all(fd, bytes);
  if (code == 0 && replaces && ::fchmod(fd, previous.st_mode & 0777U) != 0) code = errno;
  if (code == 0 && ::fsync(fd) != 0) code = errno;
  if (file.close() != 0 && code == 0) code = errno;
  if (code == 0) return name;
  ::unlink(name.c_str());
  return system_error("write", path, code);
}

/// Where the bytes for a path go.
struct Destination {
  fs::path file;
  bool is_device = false;  ///< renaming over a device would replace it by a plain file
};

Result<Destination> find_destination(const fs::path& path) {
  if (path.empty()) return io_error("cannot write to an empty name");
  SUPPLE_TRY(const fs::path file, follow_links(path));
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (fs::is_directory(status)) {
    return io_error(fmt::format("cannot write '{}': it is a directory", path.string()));
  }
  const fs::path parent = file.parent_path();
  if (!parent.empty() && fs::status(parent, ignored).type() == fs::file_type::not_found) {
    return io_error(fmt::format("cannot write '{}': there is no directory '{}'", path.string(),
                                parent.string()));
  }
  return Destination{file, fs::exists(status) && !fs::is_regular_file(status)};
}

Result<void> write_device(const fs::path& path, std::span<const std::byte> bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return system_error("write", path, errno);
  if (const int code = write_all(file.get(), bytes); code != 0) {
    return system_error("write", path, code);
  }
  if (file.close() != 0) return system_error("write", path, errno);
  return {};
}

/// Keeps the file at `path` under a second name so that it can be restored; returns an empty name
/// if there is no such file.
Result<fs::path> keep_previous(const fs::path& path) {
  fs::path name = backup_name(path);
  struct stat previous {};
  if (::lstat(path.c_str(), &previous) == 0 && S_ISDIR(previous.st_mode)) {
    return system_error("write", path, EISDIR);
  }
  if (::link(path.c_str(), name.c_str()) == 0) return name;
  if (errno == ENOENT) return fs::path();
  // Not every file system has hard links; without them the file is missing for a moment.
  if (::rename(path.c_str(), name.c_str()) == 0) return name;
  return system_error("write", path, errno);
}

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code ignored;
  if (fs::is_character_file(a, ignored)) return false;
  if (fs::equivalent(a, b, ignored)) return true;
  const fs::path one = fs::weakly_canonical(a, ignored);
  const fs::path other = fs::weakly_canonical(b, ignored);
  if (one.empty() || other.empty()) return a == b;  // a name that is too long, a circle of links
  return one == other;
}

}  // namespace

Result<fs::path> follow_links(const fs::path& path) {
  constexpr int kMostLinks = 40;  // as in Linux
  fs::path at = path;
  std::error_code failure;
  for (int i = 0; i < kMostLinks; ++i) {
    if (!fs::is_symlink(at, failure)) return at;
    const fs::path target = fs::read_symlink(at, failure);
    if (failure) break;
    at = target.is_absolute() ? target : at.parent_path() / target;
  }
  return io_error(fmt::format("cannot write '{}': {}", path.string(),
                              failure ? failure.message() : "too many levels of symbolic links"));
}

fs::path temporary_name(const fs::path& path) {
  return unused_name(path, "part");
}

fs::path backup_name(const fs::path& path) {
  return unused_name(path, "old");
}

void sweep_leftovers(const fs::path& path) {
  const std::string part = temporary_prefix(path, "part");
  const std::string old = temporary_prefix(path, "old");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code gone;
  for (auto entry = fs::directory_iterator(folder, gone);
       !gone && entry != fs::directory_iterator(); entry.increment(gone)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (is_abandoned(name, old) && !fs::exists(path, ignored)) {
      fs::rename(entry->path(), path, ignored);
    } else if (is_abandoned(name, part) || is_abandoned(name, old)) {
      fs::remove_all(entry->path(), ignored);
    }
  }
}

Result<void> write_file(const fs::path& path, std::span<const std::byte> bytes) {
  OutputSet output;
  SUPPLE_TRY_VOID(output.stage(path, bytes));
  return output.commit();
}

Result<void> write_file(const fs::path& path, std::string_view text) {
  return write_file(path, as_bytes(text));
}

OutputSet::~OutputSet() {
  clear();
}

Result<void> OutputSet::stage(const fs::path& path, std::span<const std::byte> bytes) {
  SUPPLE_TRY(const Destination place, find_destination(path));
  Staged staged;
  staged.final = place.file;
  staged.device = place.is_device;
  staged.bytes.assign(bytes.begin(), bytes.end());
  m_staged.push_back(std::move(staged));
  m_files.push_back({path.string(), bytes.size()});
  return {};
}

Result<void> OutputSet::stage(const fs::path& path, std::string_view text) {
  return stage(path, as_bytes(text));
}

Result<void> OutputSet::make_directory(const fs::path& path) {
  std::error_code failure;
  std::vector<fs::path> missing;
  for (fs::path at = fs::absolute(path, failure).lexically_normal(); !fs::exists(at, failure);) {
    if (failure || !at.has_relative_path()) break;
    missing.push_back(at);  // NOLINT: a few
    at = at.parent_path();
  }
  std::reverse(missing.begin(), missing.end());
  for (const fs::path& one : missing) {
    if (one.filename().empty()) continue;  // of a path with a slash at its end
    if (fs::create_directory(one, failure)) {
      m_directories.emplace_back(one, Unfinished::Contents::Keep);
    }
    if (failure) break;
  }
  if (!failure && !fs::is_directory(path, failure) && !failure) {
    failure = std::make_error_code(std::errc::not_a_directory);
  }
  if (!failure) return {};
  return io_error(
      fmt::format("cannot make the directory '{}': {}", path.string(), failure.message()));
}

Result<void> OutputSet::put_in_place(Staged& staged) {
  SUPPLE_TRY(fs::path backup, keep_previous(staged.final));
  staged.backup = Unfinished(std::move(backup));
  if (::rename(staged.temporary.path().c_str(), staged.final.c_str()) != 0) {
    return system_error("write", staged.final, errno);
  }
  staged.renamed = true;
  return {};
}

Result<void> OutputSet::put_all_in_place() {
  for (Staged& staged : m_staged) {
    if (staged.device) continue;
    sweep_leftovers(staged.final);
    SUPPLE_TRY(fs::path temporary, write_temporary(staged.final, staged.bytes));
    staged.temporary = Unfinished(std::move(temporary));
  }
  std::set<fs::path> directories;
  for (Staged& staged : m_staged) {
    if (staged.device) continue;
    SUPPLE_TRY_VOID(put_in_place(staged));
    directories.insert(staged.final.parent_path());
  }
  for (const fs::path& directory : directories) flush_directory(directory);
  return {};
}

Result<void> OutputSet::write_devices() {
  for (const Staged& staged : m_staged) {
    if (staged.device) SUPPLE_TRY_VOID(write_device(staged.final, staged.bytes));
  }
  return {};
}

Result<void> OutputSet::commit() {
  std::unique_lock lock = lock_commits();
  Result<void> outcome = put_all_in_place();
  lock.unlock();  // a pipe without a reader would block
  if (outcome.ok()) outcome = write_devices();
  lock.lock();
  if (!outcome.ok()) roll_back();
  if (outcome.ok()) m_directories.clear();  // they stay
  clear();
  return outcome;
}

void OutputSet::roll_back() {
  // Backwards, so that a path staged twice ends with what was there before the first.
  for (auto staged = m_staged.rbegin(); staged != m_staged.rend(); ++staged) {
    if (!staged->backup.path().empty()) {
      // POSIX: a rename between two links to the same file does nothing and succeeds; `clear`
      // then removes the spare name.
      ::rename(staged->backup.path().c_str(), staged->final.c_str());
    } else if (staged->renamed) {
      ::unlink(staged->final.c_str());
    }
  }
}

void OutputSet::clear() {
  for (const Staged& staged : m_staged) {
    const fs::path& temporary = staged.temporary.path();
    const fs::path& backup = staged.backup.path();
    if (!temporary.empty() && !staged.renamed) ::unlink(temporary.c_str());
    if (!backup.empty()) ::unlink(backup.c_str());
  }
  m_staged.clear();
  std::error_code ignored;
  // remove() takes empty directories only: what others have put there stays.
  for (auto made = m_directories.rbegin(); made != m_directories.rend(); ++made) {
    fs::remove(made->path(), ignored);
  }
  m_directories.clear();
}

Result<void> keep_apart(const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const std::string& input : inputs) {
      if (same_file(outputs[i], input)) {
        return Error(ErrorCode::Usage,
                     fmt::format("'{}' is read and would be replaced; choose another name for the "
                                 "result",
                                 outputs[i]));
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (same_file(outputs[i], outputs[j])) {
        return Error(ErrorCode::Usage,
                     fmt::format("'{}' would be written twice; choose another name", outputs[i]));
      }
    }
  }
  return {};
}

Result<void> check_writable(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    SUPPLE_TRY(const Destination place, find_destination(path));
    if (place.is_device) continue;
    // A file per frame or body is named after this one, which then is never written itself.
    sweep_leftovers(place.file);
    SUPPLE_TRY(const fs::path attempt, write_temporary(place.file, {}));
    ::unlink(attempt.c_str());
  }
  return {};
}

std::string lower_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

}  // namespace supple
