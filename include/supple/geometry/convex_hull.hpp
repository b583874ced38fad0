// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <vector>

namespace supple::geometry {

/// The smallest convex solid around some points: a closed surface of outward triangles whose
/// vertices are points of the input, moved by at most a millionth of the cloud's extent. Points
/// that stick out by less than a few millionths are dropped, which removes duplicates and most
/// points within flat sides. Fewer than four points, points that are not finite, and coplanar
/// points are errors.
[[nodiscard]] Result<TriMesh> convex_hull(const std::vector<Vec3>& points);

}  // namespace supple::geometry
