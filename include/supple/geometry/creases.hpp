// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <vector>

namespace supple::geometry {

/// A surface whose vertices are repeated along sharp edges, each copy with its own normal.
struct SplitSurface {
  TriMesh mesh;
  std::vector<Index> source;  ///< input vertex of each vertex
};

/// Splits vertices where neighbouring triangles bend by more than `crease`, in radians, so that
/// edges look sharp. Triangles keep their order; vertices that no triangle uses are left out.
[[nodiscard]] SplitSurface split_creases(const TriMesh& mesh, double crease);

}  // namespace supple::geometry
