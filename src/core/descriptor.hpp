// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <utility>

#include <unistd.h>

namespace supple {

/// "cannot read 'a': Permission denied".
[[nodiscard]] inline Error system_error(const char* what, const std::filesystem::path& path,
                                        int code) {
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

}  // namespace supple
