// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

namespace supple::geometry {

/// Halves edges longer than `max_edge` until none is left. The shape is unchanged and the mesh
/// stays conforming: both triangles of an edge are split. An error if that needs too many
/// triangles.
[[nodiscard]] Result<TriMesh> split_long_edges(const TriMesh& surface, double max_edge);

}  // namespace supple::geometry
