// SPDX-License-Identifier: Apache-2.0
#include "samples/tube.hpp"

#include "supple/core/check.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace supple::samples {

using geometry::Index;
using geometry::Vec3;

Tube make_tube(const std::vector<TubePoint>& path, int sides) {
  SUPPLE_CHECK(path.size() >= 2 && sides >= 3);
  Tube tube;
  const auto tangent = [&](std::size_t k) -> Vec3 {
    const std::size_t before = k == 0 ? 0 : k - 1;
    const std::size_t after = std::min(k + 1, path.size() - 1);
    return (path[after].position - path[before].position).normalized();
  };
  Vec3 across = tangent(0).unitOrthogonal();
  for (std::size_t k = 0; k < path.size(); ++k) {
    // Transported with the least rotation, so that the rings do not twist.
    const Vec3 along = tangent(k);
    across = (across - along.dot(across) * along).normalized();
    for (int side = 0; side < sides; ++side) {
      const double angle = 2 * std::numbers::pi * side / sides;
      const Vec3 out = std::cos(angle) * across + std::sin(angle) * along.cross(across);
      tube.mesh.positions.emplace_back(path[k].position + path[k].radius * out);
    }
  }
  const auto rings = static_cast<Index>(path.size());
  const auto vertex = [&](Index ring, int side) { return ring * sides + side % sides; };
  const auto cap = [&](std::size_t k, double direction) {
    tube.mesh.positions.emplace_back(path[k].position +
                                     direction * 0.7 * path[k].radius * tangent(k));
    return static_cast<Index>(tube.mesh.positions.size() - 1);
  };
  const Index first = cap(0, -1);
  const Index last = cap(path.size() - 1, 1);
  for (int side = 0; side < sides; ++side) {
    for (Index ring = 0; ring + 1 < rings; ++ring) {
      const Index a = vertex(ring, side);
      const Index b = vertex(ring, side + 1);
      const Index c = vertex(ring + 1, side);
      const Index d = vertex(ring + 1, side + 1);
      tube.mesh.triangles.push_back({a, b, c});
      tube.mesh.triangles.push_back({b, d, c});
    }
    tube.mesh.triangles.push_back({vertex(0, side + 1), vertex(0, side), first});
    tube.mesh.triangles.push_back({vertex(rings - 1, side), vertex(rings - 1, side + 1), last});
  }
  tube.normals = geometry::vertex_normals(tube.mesh);
  return tube;
}

}  // namespace supple::samples
