// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace supple::bake::detail {

/// What a frame says besides positions.
struct FrameNumbers {
  std::uint64_t iterations = 0;
  std::uint64_t substeps = 0;
  std::uint64_t contacts = 0;
  std::uint64_t intersections = 0;
  double smallest_distance = 0;  ///< m; infinite without contacts
};

/// The frames of a simulation on disk, the start first: positions of all vertices in double
/// precision, each record with its checksum. Reading is thread-safe.
class FrameFile {
 public:
  FrameFile() = default;
  ~FrameFile();
  FrameFile(FrameFile&& other) noexcept;
  FrameFile& operator=(FrameFile&& other) noexcept;

  /// A new file.
  [[nodiscard]] static Result<FrameFile> create(const std::filesystem::path& path,
                                                std::size_t vertices);
  /// The first `frames` frames of a file, without what follows them. A damaged frame is an error.
  [[nodiscard]] static Result<FrameFile> open(const std::filesystem::path& path,
                                              std::size_t vertices, std::size_t frames);

  [[nodiscard]] Result<void> append(const FrameNumbers& numbers,
                                    const std::vector<geometry::Vec3>& positions);
  /// Waits until everything is on disk.
  [[nodiscard]] Result<void> flush();

  [[nodiscard]] std::size_t frames() const { return m_frames; }
  [[nodiscard]] Result<FrameNumbers> numbers(std::size_t frame) const;
  /// Of vertices [first, first + count).
  [[nodiscard]] Result<std::vector<geometry::Vec3>> positions(std::size_t frame, std::size_t first,
                                                              std::size_t count) const;

 private:
  [[nodiscard]] std::size_t record_size() const;
  [[nodiscard]] Result<void> read_at(std::size_t offset, void* to, std::size_t size) const;
  [[nodiscard]] Result<void> verify(std::size_t frame) const;

  std::filesystem::path m_path;
  int m_descriptor = -1;
  std::size_t m_vertices = 0;
  std::size_t m_frames = 0;
};

}  // namespace supple::bake::detail
