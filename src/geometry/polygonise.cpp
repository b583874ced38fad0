// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/shapes.hpp"

#include "geometry/bcc_lattice.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace supple::geometry {
namespace {

using Point = BccLattice::Id;
using Edge = std::uint64_t;  ///< two points of the lattice, the lower one in the high half

Edge edge_between(Point a, Point b) {
  return static_cast<Edge>(std::min(a, b)) << 32U | static_cast<Edge>(std::max(a, b));
}

/// Appends the triangles, as crossed edges, that separate inside from outside in a positively
/// oriented tetrahedron.
void march(std::array<Point, 4> p, const std::vector<double>& value, std::vector<Edge>& out) {
  const auto inside = [&](Point q) { return value[q] < 0; };
  const auto count = std::count_if(p.begin(), p.end(), inside);
  if (count == 0 || count == 4) return;
  // Move the single odd point, or both inside points, to the front by pairs of swaps, which
  // preserve orientation.
  const bool front_inside = count != 3;
  int front = 0;
  bool odd = false;
  for (int i = 0; i < 4; ++i) {
    if (inside(p[i]) != front_inside) continue;
    if (i != front) {
      std::swap(p[i], p[front]);
      odd = !odd;
    }
    ++front;
  }
  if (odd) std::swap(p[2], p[3]);
  if (count == 2) {
    const Edge ac = edge_between(p[0], p[2]);
    const Edge ad = edge_between(p[0], p[3]);
    const Edge bd = edge_between(p[1], p[3]);
    const Edge bc = edge_between(p[1], p[2]);
    out.insert(out.end(), {ac, ad, bd, ac, bd, bc});
    return;
  }
  std::array<Edge, 3> cut{edge_between(p[0], p[1]), edge_between(p[0], p[2]),
                          edge_between(p[0], p[3])};
  if (!front_inside) std::swap(cut[1], cut[2]);
  out.insert(out.end(), cut.begin(), cut.end());
}

/// The four tetrahedra around the face between a cell and the next one along `axis`.
void march_face(const BccLattice& lattice, std::array<Point, 3> cell, int axis,
                const std::vector<double>& value, std::vector<Edge>& out) {
  const Point below = lattice.centre(cell[0], cell[1], cell[2]);
  const Point above = below + lattice.stride(axis);
  // The face's corners, counter-clockwise seen from above.
  const Point corner = lattice.corner(cell[0], cell[1], cell[2]) + lattice.stride(axis);
  const Point u = lattice.stride((axis + 1) % 3);
  const Point v = lattice.stride((axis + 2) % 3);
  const std::array<Point, 4> ring{corner, corner + u, corner + u + v, corner + v};
  for (std::size_t r = 0; r < 4; ++r) march({below, ring[r], ring[(r + 1) % 4], above}, value, out);
}

/// The function cut with the box: the lattice reaches beyond it, so the surface is closed.
std::vector<double> sample(const BccLattice& lattice, const std::function<double(const Vec3&)>& sdf,
                           const Box& box) {
  std::vector<double> value(static_cast<std::size_t>(lattice.points()));
  parallel_for(value.size(), 4096, [&](std::size_t i) {
    const Vec3 p = lattice.position(static_cast<Point>(i));
    const double in_box = (box.low - p).cwiseMax(p - box.high).maxCoeff();
    double in_shape = sdf(p);
    // Interpolation needs numbers; NaN counts as outside.
    if (!std::isfinite(in_shape)) {
      in_shape = in_shape < 0 ? -lattice.spacing() : lattice.spacing();
    }
    value[i] = std::max(in_shape, in_box);
  });
  return value;
}

/// Crossed edges of all triangles, three by three, in the order of layers.
std::vector<Edge> march_all(const BccLattice& lattice, const std::vector<double>& value) {
  // Faces between cells: along each axis one fewer than cells, two fewer than points.
  const auto& size = lattice.size();
  std::vector<std::vector<Edge>> by_layer(static_cast<std::size_t>(size[2] - 1));
  parallel_for(by_layer.size(), 1, [&](std::size_t layer) {
    const auto k = static_cast<Point>(layer);
    for (Point j = 0; j < size[1] - 1; ++j) {
      for (Point i = 0; i < size[0] - 1; ++i) {
        const std::array<Point, 3> cell{i, j, k};
        for (int axis = 0; axis < 3; ++axis) {
          const auto a = static_cast<std::size_t>(axis);
          if (cell[a] < size[a] - 2) march_face(lattice, cell, axis, value, by_layer[layer]);
        }
      }
    }
  });
  std::vector<Edge> all;
  for (const auto& layer : by_layer) all.insert(all.end(), layer.begin(), layer.end());
  return all;
}

/// The zero crossing along an edge, by linear interpolation, kept away from the ends: a vertex on a
/// lattice point would collapse its triangles.
Vec3 crossing(const BccLattice& lattice, const std::vector<double>& value, Edge edge) {
  constexpr double kEndMargin = 0.01;
  const auto a = static_cast<Point>(edge >> 32U);
  const auto b = static_cast<Point>(edge & 0xffffffffU);
  const double t = std::clamp(value[a] / (value[a] - value[b]), kEndMargin, 1 - kEndMargin);
  return (1 - t) * lattice.position(a) + t * lattice.position(b);
}

}  // namespace

TriMesh polygonise(const std::function<double(const Vec3&)>& sdf, const Box& box, double cell) {
  SUPPLE_CHECK(cell > 0 && !box.empty());
  const auto created = BccLattice::over(box, cell);
  SUPPLE_CHECK(created.ok());
  const BccLattice& lattice = *created;
  const std::vector<double> value = sample(lattice, sdf, box);
  const std::vector<Edge> corners = march_all(lattice, value);

  std::vector<Edge> edges = corners;
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  TriMesh mesh;
  mesh.positions.resize(edges.size());
  parallel_for(edges.size(), 4096,
               [&](std::size_t e) { mesh.positions[e] = crossing(lattice, value, edges[e]); });
  mesh.triangles.resize(corners.size() / 3);
  parallel_for(mesh.triangles.size(), 4096, [&](std::size_t t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto it = std::lower_bound(edges.begin(), edges.end(), corners[3 * t + k]);
      mesh.triangles[t][k] = static_cast<Index>(it - edges.begin());
    }
  });
  return mesh;
}

}  // namespace supple::geometry
