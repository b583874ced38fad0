// SPDX-License-Identifier: Apache-2.0
#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace supple {
namespace {

namespace fs = std::filesystem;

Error system_error(const char* what, const fs::path& path, int code) {
  return io_error(fmt::format("cannot {} '{}': {}", what, path.string(), std::strerror(code)));
}

/// A file descriptor that closes itself; `close` reports errors of delayed writes.
class Descriptor {
 public:
  explicit Descriptor(int fd) : m_fd(fd) {}
  ~Descriptor() {
    if (m_fd >= 0) ::close(m_fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return m_fd; }
  [[nodiscard]] int close() { return ::close(std::exchange(m_fd, -1)); }

 private:
  int m_fd;
};

/// A name beside `path` that no other thread or process uses.
fs::path unused_name(const fs::path& path, const char* suffix) {
  static std::atomic<unsigned> counter{0};
  constexpr std::size_t kStemMax = 200;  // file systems allow 255 bytes, including the suffix
  return path.parent_path() / fmt::format("{}.{}-{}-{}",
                                          path.filename().string().substr(0, kStemMax), suffix,
                                          ::getpid(), counter++);
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
    name = unused_name(path, "part");
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
  fs::path name = unused_name(path, "old");
  if (::link(path.c_str(), name.c_str()) == 0) return name;
  if (errno == ENOENT) return fs::path();
  // Not every file system has hard links; without them the file is missing for a moment.
  if (::rename(path.c_str(), name.c_str()) == 0) return name;
  return system_error("write", path, errno);
}

/// Reads a file opened with these flags in addition to the usual ones.
Result<Bytes> read_opened(const fs::path& path, std::size_t limit, int flags, bool only_plain) try {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags));
  if (file.get() < 0) return system_error("read", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return system_error("read", path, errno);
  if (S_ISDIR(info.st_mode)) {
    return io_error(fmt::format("cannot read '{}': it is a directory", path.string()));
  }
  if (only_plain && !S_ISREG(info.st_mode)) {
    return io_error(
        fmt::format("cannot read '{}': it is a pipe or a device, not a plain file", path.string()));
  }
  const Error too_large =
      bad_input(fmt::format("'{}' is larger than {} bytes", path.string(), limit));
  const std::size_t expected = S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) : 0;
  if (expected > limit) return too_large;

  Bytes bytes(expected + 1);  // one more, to reach the end of the file without growing
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(size + std::max<std::size_t>(size / 2, 4096));
    const ssize_t count = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read", path, errno);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
    if (size > limit) return too_large;
  }
  bytes.resize(size);
  return bytes;
} catch (const std::bad_alloc&) {
  return io_error(fmt::format("cannot read '{}': it does not fit in memory", path.string()));
}

}  // namespace

Result<Bytes> read_file(const fs::path& path, std::size_t limit) {
  return read_opened(path, limit, 0, false);
}

Result<Bytes> read_plain_file(const fs::path& path, std::size_t limit) {
  return read_opened(path, limit, O_NONBLOCK, true);
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
  Staged staged;
  std::error_code ignored;
  staged.final = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
  if (staged.final.empty()) return io_error(fmt::format("cannot write '{}'", path.string()));
  const fs::file_status status = fs::status(staged.final, ignored);
  if (fs::is_directory(status)) {
    return io_error(fmt::format("cannot write '{}': it is a directory", path.string()));
  }
  const fs::path parent = staged.final.parent_path();
  if (!parent.empty() && fs::status(parent, ignored).type() == fs::file_type::not_found) {
    return io_error(fmt::format("cannot write '{}': there is no directory '{}'", path.string(),
                                parent.string()));
  }
  // Renaming onto a device would replace it with a plain file.
  staged.device = fs::exists(status) && !fs::is_regular_file(status);
  if (staged.device) {
    staged.bytes.assign(bytes.begin(), bytes.end());
  } else {
    SUPPLE_TRY(staged.temporary, write_temporary(staged.final, bytes));
  }
  m_staged.push_back(std::move(staged));
  return {};
}

Result<void> OutputSet::stage(const fs::path& path, std::string_view text) {
  return stage(path, as_bytes(text));
}

Result<void> OutputSet::put_in_place(Staged& staged) {
  SUPPLE_TRY(staged.backup, keep_previous(staged.final));
  if (::rename(staged.temporary.c_str(), staged.final.c_str()) != 0) {
    return system_error("write", staged.final, errno);
  }
  staged.renamed = true;
  return {};
}

Result<void> OutputSet::commit() {
  Result<void> outcome;
  for (Staged& staged : m_staged) {
    if (outcome.ok() && !staged.device) outcome = put_in_place(staged);
  }
  for (const Staged& staged : m_staged) {
    if (outcome.ok() && staged.device) outcome = write_device(staged.final, staged.bytes);
  }
  if (!outcome.ok()) roll_back();
  clear();
  return outcome;
}

void OutputSet::roll_back() {
  // In reverse, so that a path staged twice gets back its original content.
  for (auto staged = m_staged.rbegin(); staged != m_staged.rend(); ++staged) {
    if (!staged->backup.empty()) {
      // POSIX: a rename between two links to the same file does nothing and succeeds; `clear` then
      // removes the second name.
      ::rename(staged->backup.c_str(), staged->final.c_str());
    } else if (staged->renamed) {
      ::unlink(staged->final.c_str());
    }
  }
}

void OutputSet::clear() {
  for (const Staged& staged : m_staged) {
    if (!staged.temporary.empty() && !staged.renamed) ::unlink(staged.temporary.c_str());
    if (!staged.backup.empty()) ::unlink(staged.backup.c_str());
  }
  m_staged.clear();
}

}  // namespace supple
