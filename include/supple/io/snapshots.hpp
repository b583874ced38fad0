// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// Positions over time in HDF5: a group per body with the dataset "positions", frames x vertices x
/// 3 doubles in chunks of whole frames, and "triangles", n x 3. The file has the attribute "rate".
/// Any number of calls may run at once; they wait for each other.
namespace supple::io {

/// Makes such a file in memory, a frame of all bodies at a time.
class SnapshotWriter {
 public:
  struct Body {
    std::string name;  ///< '/' becomes '_'
    std::size_t vertices = 0;
    std::vector<geometry::Triangle> triangles;
  };

  /// `frames` is how many will be added.
  [[nodiscard]] static Result<SnapshotWriter> create(const std::vector<Body>& bodies,
                                                     std::size_t frames, double rate);
  ~SnapshotWriter();
  SnapshotWriter(SnapshotWriter&&) noexcept;
  SnapshotWriter& operator=(SnapshotWriter&&) noexcept;

  /// The next frame of one body.
  [[nodiscard]] Result<void> add(std::size_t body, const std::vector<geometry::Vec3>& positions);
  /// The same bytes for the same content.
  [[nodiscard]] Result<Bytes> finish() &&;

 private:
  struct State;
  explicit SnapshotWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

/// Reads frames of one body from a file, few at a time: a file may be larger than the memory.
class SnapshotReader {
 public:
  /// Of a file of many bodies, the one of that name; "": the only one.
  [[nodiscard]] static Result<SnapshotReader> open(const std::filesystem::path& path,
                                                   const std::string& body = {});
  ~SnapshotReader();
  SnapshotReader(SnapshotReader&&) noexcept;
  SnapshotReader& operator=(SnapshotReader&&) noexcept;

  [[nodiscard]] std::size_t frames() const;
  [[nodiscard]] std::size_t vertices() const;
  [[nodiscard]] double rate() const;
  [[nodiscard]] const std::vector<geometry::Triangle>& triangles() const;
  /// Numbers that are not finite are errors.
  [[nodiscard]] Result<std::vector<geometry::Vec3>> frame(std::size_t number) const;

 private:
  struct State;
  explicit SnapshotReader(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

/// The names of the bodies in a file, in alphabetical order.
[[nodiscard]] Result<std::vector<std::string>> snapshot_bodies(const std::filesystem::path& path);

}  // namespace supple::io
