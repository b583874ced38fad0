// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <vector>

namespace supple::geometry {

/// The smallest convex solid around some points: a closed surface of outward triangles whose
/// vertices are points of the input, moved by a millionth of the cloud's extent at most. Whatever
/// sticks out by less than a few millionths is left out, so duplicates and most points within flat
/// sides.
/// An error for less than four points, points that are no numbers, and clouds in a plane.
[[nodiscard]] Result<TriMesh> convex_hull(const std::vector<Vec3>& points);

}  // namespace supple::geometry
