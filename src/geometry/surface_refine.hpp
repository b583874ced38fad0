// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

namespace supple::geometry {

/// Halves edges longer than `max_edge` until none is left. The shape stays, and so does
/// conformity: every triangle of an edge sees it halved. An error if that takes too many triangles.
[[nodiscard]] Result<TriMesh> split_long_edges(const TriMesh& surface, double max_edge);

}  // namespace supple::geometry
