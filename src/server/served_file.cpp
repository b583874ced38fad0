// SPDX-License-Identifier: Apache-2.0
#include "server/served_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace supple::server {
namespace {

// O_NONBLOCK: opening a pipe must not wait for its writer.
constexpr int kFileFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

}  // namespace

std::optional<ServedFile> ServedFile::adopt(int descriptor) {
  if (descriptor < 0) return {};
  ServedFile file(descriptor);
  struct stat info {};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return {};
  file.m_size = static_cast<std::uint64_t>(info.st_size);
#ifdef __APPLE__
  const timespec& changed = info.st_mtimespec;
#else
  const timespec& changed = info.st_mtim;
#endif
  file.m_tag = fmt::format("\"{:x}-{:x}-{:x}-{:x}\"", info.st_ino, info.st_size, changed.tv_sec,
                           changed.tv_nsec);
  return file;
}

std::optional<ServedFile> ServedFile::open(const std::filesystem::path& path) {
  return adopt(::open(path.c_str(), kFileFlags));
}

std::optional<ServedFile> ServedFile::open_below(const std::filesystem::path& root,
                                                 std::string_view path) {
  int directory = ::open(root.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  while (directory >= 0) {
    const std::size_t slash = path.find('/');
    const std::string segment(path.substr(0, slash));
    const bool hidden = segment.empty() || segment.front() == '.';
    const bool last = slash == std::string_view::npos;
    const int flags = last ? kFileFlags : O_RDONLY | O_CLOEXEC | O_DIRECTORY;
    const int next = hidden ? -1 : ::openat(directory, segment.c_str(), flags | O_NOFOLLOW);
    ::close(directory);
    if (last) return adopt(next);
    directory = next;
    path.remove_prefix(slash + 1);
  }
  return {};
}

ServedFile::~ServedFile() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

ServedFile::ServedFile(ServedFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_size(other.m_size),
      m_tag(std::move(other.m_tag)) {}

ServedFile& ServedFile::operator=(ServedFile&& other) noexcept {
  std::swap(m_descriptor, other.m_descriptor);
  m_size = other.m_size;
  m_tag = std::move(other.m_tag);
  return *this;
}

std::size_t ServedFile::read(std::uint64_t offset, std::span<char> bytes) const {
  ssize_t count = -1;
  do {
    count = ::pread(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  } while (count < 0 && errno == EINTR);
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

}  // namespace supple::server
