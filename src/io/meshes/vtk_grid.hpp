// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/binary.hpp"

#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace supple::io::detail {

/// An unstructured grid as described by both VTK formats. Its content is not yet checked.
struct VtkGrid {
  std::vector<double> points;              ///< three per point
  std::vector<std::int64_t> connectivity;  ///< point numbers, cell after cell
  std::vector<std::int64_t> ends;          ///< per cell: where its point numbers end
  std::vector<std::int64_t> types;         ///< per cell
  std::vector<std::int64_t> regions;       ///< per cell, or empty
};

/// Array names (in any case) that mean regions.
[[nodiscard]] bool is_region_name(std::string_view name);

/// Checks everything and keeps the tetrahedra.
[[nodiscard]] Result<geometry::TetMesh> tet_mesh_of(const VtkGrid& grid, std::string_view name);

}  // namespace supple::io::detail
