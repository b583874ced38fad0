// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Triangle surfaces as files. Every reader works on memory; `name` only appears in messages. Every
/// reader returns finite coordinates and indices in range; a file without triangles is an error.
namespace supple::io {

/// A surface with additional vertex data from some file formats.
struct MarkedSurface {
  geometry::TriMesh mesh;
  std::vector<geometry::Vec3> colours;  ///< RGB, 0..1, per vertex; empty: none
  std::map<std::string, std::vector<geometry::Index>> groups;  ///< of an OBJ: vertices, ascending
};

/// OBJ with groups ('g') and the vertex colours that some programs write after coordinates.
[[nodiscard]] Result<MarkedSurface> read_marked_obj(std::span<const std::byte> bytes,
                                                    std::string_view name);
/// PLY with vertex properties red, green, blue: whole numbers of 8 or 16 bits, or 0..1.
[[nodiscard]] Result<MarkedSurface> read_marked_ply(std::span<const std::byte> bytes,
                                                    std::string_view name);

/// Wavefront OBJ: vertices and faces; polygons are triangulated, everything else is ignored.
[[nodiscard]] Result<geometry::TriMesh> read_obj(std::span<const std::byte> bytes,
                                                 std::string_view name);

/// PLY: ascii and binary of both byte orders; polygons are triangulated, other properties and
/// elements are ignored.
[[nodiscard]] Result<geometry::TriMesh> read_ply(std::span<const std::byte> bytes,
                                                 std::string_view name);

/// STL, ascii or binary, regardless of its header. Vertices with equal coordinates are joined and
/// triangles that collapse are dropped.
[[nodiscard]] Result<geometry::TriMesh> read_stl(std::span<const std::byte> bytes,
                                                 std::string_view name);

/// Binary little-endian PLY in double precision.
[[nodiscard]] Bytes write_ply(const geometry::TriMesh& mesh);

}  // namespace supple::io
