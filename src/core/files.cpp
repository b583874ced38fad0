// SPDX-License-Identifier: Apache-2.0
#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace supple {
namespace {

namespace fs = std::filesystem;

Error system_error(const char* what, const fs::path& path, int code) {
  return io_error(fmt::format("cannot {} '{}': {}", what, path.string(), std::strerror(code)));
}

/// A file descriptor that closes itself; `close` reports what a delayed write may still say.
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

Result<fs::path> write_temporary(const fs::path& path, std::span<const std::byte> bytes) {
  std::string name = path.string() + ".part-XXXXXX";
  Descriptor file(::mkstemp(name.data()));
  if (file.get() < 0) return system_error("write", path, errno);
  const auto fail = [&](int code) {
    ::unlink(name.c_str());
    return system_error("write", path, code);
  };
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(errno);
    done += static_cast<std::size_t>(count);
  }
  // mkstemp makes the file private; give it the permissions a plain open would have.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(file.get(), 0666 & ~mask) != 0 || ::fsync(file.get()) != 0) return fail(errno);
  if (file.close() != 0) return fail(errno);
  return fs::path(name);
}

}  // namespace

Result<Bytes> read_file(const fs::path& path, std::size_t limit) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return system_error("read", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return system_error("read", path, errno);
  if (S_ISDIR(info.st_mode)) return io_error(fmt::format("'{}' is a directory", path.string()));

  Bytes bytes;
  bytes.resize(S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) : 0);
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(size + std::max<std::size_t>(size / 2, 4096));
    const ssize_t count = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read", path, errno);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
    if (size > limit) {
      return bad_input(fmt::format("'{}' is larger than {} bytes", path.string(), limit));
    }
  }
  bytes.resize(size);
  return bytes;
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
  for (const Staged& staged : m_staged) ::unlink(staged.temporary.c_str());
}

Result<void> OutputSet::stage(const fs::path& path, std::span<const std::byte> bytes) {
  SUPPLE_TRY(fs::path temporary, write_temporary(path, bytes));
  m_staged.push_back({std::move(temporary), path});
  return {};
}

Result<void> OutputSet::stage(const fs::path& path, std::string_view text) {
  return stage(path, as_bytes(text));
}

Result<void> OutputSet::commit() {
  for (const Staged& staged : m_staged) {
    if (fs::is_directory(staged.final)) {
      return io_error(fmt::format("cannot write '{}': it is a directory", staged.final.string()));
    }
  }
  while (!m_staged.empty()) {
    const Staged& staged = m_staged.back();
    if (::rename(staged.temporary.c_str(), staged.final.c_str()) != 0) {
      return system_error("write", staged.final, errno);
    }
    m_staged.pop_back();
  }
  return {};
}

}  // namespace supple
