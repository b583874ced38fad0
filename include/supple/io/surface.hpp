// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <cstddef>
#include <span>
#include <string_view>

/// Triangle surfaces as files. Every reader works on memory; `name` only appears in messages.
/// Coordinates are finite and indices in range in whatever a reader returns; a file without any
/// triangle is an error.
namespace supple::io {

/// Wavefront OBJ: vertices and faces; polygons are triangulated, everything else is passed over.
[[nodiscard]] Result<geometry::TriMesh> read_obj(std::span<const std::byte> bytes,
                                                 std::string_view name);

/// PLY: ascii and binary of both byte orders; polygons are triangulated, other properties and
/// elements are passed over.
[[nodiscard]] Result<geometry::TriMesh> read_ply(std::span<const std::byte> bytes,
                                                 std::string_view name);

/// STL, ascii or binary, whatever its header claims. Vertices with equal coordinates are joined
/// and triangles that collapse are dropped.
[[nodiscard]] Result<geometry::TriMesh> read_stl(std::span<const std::byte> bytes,
                                                 std::string_view name);

/// Binary little-endian PLY in double precision.
[[nodiscard]] Bytes write_ply(const geometry::TriMesh& mesh);

}  // namespace supple::io
