// SPDX-License-Identifier: Apache-2.0
#include "supple/core/files.hpp"

#include "core/descriptor.hpp"
#include "supple/core/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace supple {
namespace {

Result<void> require_plain(const struct stat& info, const std::filesystem::path& path) {
  if (S_ISREG(info.st_mode)) return {};
  if (S_ISDIR(info.st_mode)) {
    return io_error(fmt::format("cannot read '{}': it is a directory", path.string()));
  }
  return io_error(
      fmt::format("cannot read '{}': it is a pipe or a device; save what it contains "
                  "as a file",
                  path.string()));
}

}  // namespace

Result<void> check_plain_file(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return system_error("read", path, errno);
  return require_plain(info, path);
}

Result<Bytes> read_file(const std::filesystem::path& path, std::size_t limit) try {
  // Opening a pipe would wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return system_error("read", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return system_error("read", path, errno);
  SUPPLE_TRY_VOID(require_plain(info, path));
  const Error too_large =
      bad_input(fmt::format("'{}' is larger than {} bytes", path.string(), limit));
  const auto expected = static_cast<std::size_t>(info.st_size);
  if (expected > limit) return too_large;
  // Half of the memory, if its size is known: a sparse file takes no room on the disk, and the rest
  // of the memory is for what is made of the bytes.
  const double memory = physical_memory_bytes();
  if (memory > 0 && static_cast<double>(expected) > memory / 2) throw std::bad_alloc();

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

}  // namespace supple
