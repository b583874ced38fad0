// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/frames.hpp"

#include "supple/core/check.hpp"
#include "supple/core/files.hpp"
#include "supple/core/hash.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace supple::bake::detail {
namespace {

using geometry::Vec3;

Error frame_error(const std::filesystem::path& path, std::string_view what) {
  return io_error(fmt::format("cannot {} '{}': {}", what, path.string(), std::strerror(errno)));
}

Hash frame_checksum(std::span<const std::byte> content) {
  return Hasher().add(content).finish();
}

}  // namespace

FrameFile::~FrameFile() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

FrameFile::FrameFile(FrameFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_vertices(other.m_vertices),
      m_frames(other.m_frames) {}

FrameFile& FrameFile::operator=(FrameFile&& other) noexcept {
  std::swap(m_path, other.m_path);
  std::swap(m_descriptor, other.m_descriptor);
  std::swap(m_vertices, other.m_vertices);
  std::swap(m_frames, other.m_frames);
  return *this;
}

Result<FrameFile> FrameFile::create(const std::filesystem::path& path, std::size_t vertices) {
  FrameFile file;
  file.m_path = path;
  file.m_vertices = vertices;
  file.m_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file.m_descriptor < 0) return frame_error(path, "create");
  return file;
}

Result<FrameFile> FrameFile::open(const std::filesystem::path& path, std::size_t vertices,
                                  std::size_t frames) {
  FrameFile file;
  file.m_path = path;
  file.m_vertices = vertices;
  file.m_descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file.m_descriptor < 0) return frame_error(path, "open");
  for (std::size_t f = 0; f < frames; ++f) SUPPLE_TRY_VOID(file.verify(f));
  file.m_frames = frames;
  if (::ftruncate(file.m_descriptor, static_cast<off_t>(frames * file.record_size())) != 0) {
    return frame_error(path, "shorten");
  }
  return file;
}

std::size_t FrameFile::record_size() const {
  return sizeof(Hash) + sizeof(FrameNumbers) + 3 * sizeof(double) * m_vertices;
}

Result<void> FrameFile::append(const FrameNumbers& numbers, const std::vector<Vec3>& positions) {
  SUPPLE_CHECK_OP(positions.size(), ==, m_vertices);
  Bytes record(record_size());
  std::memcpy(record.data() + sizeof(Hash), &numbers, sizeof numbers);
  if (!positions.empty()) {
    std::memcpy(record.data() + sizeof(Hash) + sizeof numbers, positions.front().data(),
                positions.size() * sizeof(Vec3));
  }
  const Hash hash = frame_checksum(std::span(record).subspan(sizeof(Hash)));
  std::memcpy(record.data(), &hash, sizeof hash);
  std::size_t done = 0;
  while (done < record.size()) {
    const ssize_t count = ::pwrite(m_descriptor, record.data() + done, record.size() - done,
                                   static_cast<off_t>(m_frames * record_size() + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return frame_error(m_path, "write");
    done += static_cast<std::size_t>(count);
  }
  ++m_frames;
  return {};
}

Result<void> FrameFile::flush() {
  if (::fdatasync(m_descriptor) != 0) return frame_error(m_path, "write");
  return {};
}

Result<void> FrameFile::read_at(std::size_t offset, void* to, std::size_t size) const {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::pread(m_descriptor, static_cast<std::byte*>(to) + done, size - done,
                                  static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return frame_error(m_path, "read");
    if (count == 0) {
      return io_error(fmt::format("the checkpoint '{}' is shorter than its state; start anew",
                                  m_path.string()));
    }
    done += static_cast<std::size_t>(count);
  }
  return {};
}

Result<void> FrameFile::verify(std::size_t frame) const {
  Bytes record(record_size());
  SUPPLE_TRY_VOID(read_at(frame * record_size(), record.data(), record.size()));
  Hash stored;
  std::memcpy(&stored, record.data(), sizeof stored);
  if (frame_checksum(std::span(record).subspan(sizeof(Hash))) == stored) return {};
  return io_error(fmt::format("frame {} of the checkpoint '{}' is damaged; start anew", frame,
                              m_path.string()));
}

Result<FrameNumbers> FrameFile::numbers(std::size_t frame) const {
  SUPPLE_CHECK_OP(frame, <, m_frames);
  FrameNumbers numbers;
  SUPPLE_TRY_VOID(
      read_at(frame * record_size() + sizeof(Hash), static_cast<void*>(&numbers), sizeof numbers));
  return numbers;
}

Result<std::vector<Vec3>> FrameFile::positions(std::size_t frame, std::size_t first,
                                               std::size_t count) const {
  SUPPLE_CHECK_OP(frame, <, m_frames);
  SUPPLE_CHECK_OP(first + count, <=, m_vertices);
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  std::vector<Vec3> positions(count);
  const std::size_t offset = frame * record_size() + sizeof(Hash) + sizeof(FrameNumbers);
  SUPPLE_TRY_VOID(read_at(offset + first * sizeof(Vec3), static_cast<void*>(positions.data()),
                          count * sizeof(Vec3)));
  return positions;
}

}  // namespace supple::bake::detail
