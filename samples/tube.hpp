// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <vector>

namespace supple::samples {

struct TubePoint {
  geometry::Vec3 position;
  double radius = 0;
};

struct Tube {
  geometry::TriMesh mesh;  ///< closed
  std::vector<geometry::Vec3> normals;
};

/// Circles of `sides` vertices around a path of at least two points, closed by cones at both ends.
[[nodiscard]] Tube make_tube(const std::vector<TubePoint>& path, int sides);

}  // namespace supple::samples
