// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/flesh/tissue.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <vector>

namespace supple::flesh {

/// A number per vertex, the same for all coincident vertices: files split vertices where texture
/// coordinates, normals or materials change.
[[nodiscard]] std::vector<geometry::Index> meeting_vertices(const character::Character& character);

/// A third of the area of the triangles around each vertex.
[[nodiscard]] std::vector<double> vertex_areas(const geometry::TriMesh& skin);

/// 0 below 0, 1 above 1, and smooth in between.
[[nodiscard]] double smooth_step(double t);

/// The share of each bone in moving the weighted skin; the shares sum to 1.
[[nodiscard]] std::vector<double> bone_shares(const character::Character& character,
                                              const std::vector<double>& weights);

}  // namespace supple::flesh
