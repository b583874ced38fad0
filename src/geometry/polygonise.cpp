// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/shapes.hpp"

#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace supple::geometry {
namespace {

using Point = std::uint32_t;  ///< of the lattice: cube corners first, then cube centres
using Edge = std::uint64_t;   ///< two points, lower in the high half

/// A body-centred cubic lattice. Its tetrahedra join the centres of two cubes that share a face
/// with an edge of that face: all congruent, dihedral angles 60 and 90 degrees.
class Lattice {
 public:
  Lattice(const Box& box, double cell) : m_cell(cell) {
    std::size_t corners = 1;
    std::size_t centres = 1;
    for (int a = 0; a < 3; ++a) {
      // One cube beyond the box on each side holds the outermost, always outer, points.
      const double cubes = std::ceil(box.size()[a] / cell) + 2;
      SUPPLE_CHECK_OP(cubes, <, 1e6);
      m_cubes[a] = static_cast<int>(cubes);
      corners *= static_cast<std::size_t>(m_cubes[a]) + 1;
      centres *= static_cast<std::size_t>(m_cubes[a]);
    }
    SUPPLE_CHECK_OP(corners + centres, <,
                    static_cast<std::size_t>(std::numeric_limits<Point>::max()));
    m_corners = static_cast<Point>(corners);
    m_points = static_cast<Point>(corners + centres);
    m_low = box.centre() - 0.5 * cell * Vec3(m_cubes[0], m_cubes[1], m_cubes[2]);
  }

  [[nodiscard]] Point size() const { return m_points; }
  [[nodiscard]] int layers() const { return m_cubes[2]; }
  [[nodiscard]] const std::array<int, 3>& cubes() const { return m_cubes; }

  [[nodiscard]] Point corner(int i, int j, int k) const {
    return static_cast<Point>(i) +
           static_cast<Point>(m_cubes[0] + 1) *
               (static_cast<Point>(j) + static_cast<Point>(m_cubes[1] + 1) * static_cast<Point>(k));
  }
  [[nodiscard]] Point centre(int i, int j, int k) const {
    return m_corners + static_cast<Point>(i) +
           static_cast<Point>(m_cubes[0]) *
               (static_cast<Point>(j) + static_cast<Point>(m_cubes[1]) * static_cast<Point>(k));
  }

  [[nodiscard]] Vec3 position(Point p) const {
    const auto [at, shift] = coordinates(p);
    return m_low + m_cell * (Vec3(at[0], at[1], at[2]) + Vec3::Constant(shift));
  }
  /// Points of the outermost cubes.
  [[nodiscard]] bool outermost(Point p) const {
    const auto [at, shift] = coordinates(p);
    for (int a = 0; a < 3; ++a) {
      const int last = m_cubes[a] - (shift > 0 ? 1 : 0);
      if (at[a] == 0 || at[a] == last) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] std::pair<std::array<int, 3>, double> coordinates(Point p) const {
    const bool is_centre = p >= m_corners;
    const int extra = is_centre ? 0 : 1;
    const Point rest = is_centre ? p - m_corners : p;
    const auto nx = static_cast<Point>(m_cubes[0] + extra);
    const auto ny = static_cast<Point>(m_cubes[1] + extra);
    return {{static_cast<int>(rest % nx), static_cast<int>(rest / nx % ny),
             static_cast<int>(rest / nx / ny)},
            is_centre ? 0.5 : 0.0};
  }

  double m_cell;
  std::array<int, 3> m_cubes{};
  Point m_corners = 0;
  Point m_points = 0;
  Vec3 m_low;
};

Edge edge_between(Point a, Point b) {
  return static_cast<Edge>(std::min(a, b)) << 32U | std::max(a, b);
}

/// Appends the triangles, as crossed edges, that separate inside from outside in a positively
/// oriented tetrahedron.
void march(std::array<Point, 4> p, const std::vector<double>& value, std::vector<Edge>& out) {
  const auto inside = [&](Point q) { return value[q] < 0; };
  const auto count = std::count_if(p.begin(), p.end(), inside);
  if (count == 0 || count == 4) return;
  // Bring the odd one out, or both inside points, to the front by swaps in pairs, which keep the
  // orientation.
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

/// The four tetrahedra around the face between cube (i, j, k) and the next one along `axis`.
void march_face(const Lattice& lattice, std::array<int, 3> cube, int axis,
                const std::vector<double>& value, std::vector<Edge>& out) {
  const auto centre = [&](const std::array<int, 3>& c) { return lattice.centre(c[0], c[1], c[2]); };
  const Point below = centre(cube);
  ++cube[axis];
  const Point above = centre(cube);
  // The face's corners, counter-clockwise seen from above.
  const int u = (axis + 1) % 3;
  const int v = (axis + 2) % 3;
  std::array<Point, 4> ring;
  for (int r = 0; r < 4; ++r) {
    std::array<int, 3> c = cube;
    c[u] += r == 1 || r == 2 ? 1 : 0;
    c[v] += r >= 2 ? 1 : 0;
    ring[r] = lattice.corner(c[0], c[1], c[2]);
  }
  for (int r = 0; r < 4; ++r) march({below, ring[r], ring[(r + 1) % 4], above}, value, out);
}

std::vector<double> sample(const Lattice& lattice, const std::function<double(const Vec3&)>& sdf,
                           double cell) {
  std::vector<double> value(lattice.size());
  parallel_for(value.size(), 4096, [&](std::size_t i) {
    const auto p = static_cast<Point>(i);
    value[i] = sdf(lattice.position(p));
    // Interpolation needs numbers; what is not one counts as outside.
    if (!std::isfinite(value[i])) value[i] = value[i] < 0 ? -cell : cell;
    if (lattice.outermost(p)) value[i] = std::max(value[i], 0.5 * cell);
  });
  return value;
}

/// Crossed edges of all triangles, three by three, in the order of layers.
std::vector<Edge> march_all(const Lattice& lattice, const std::vector<double>& value) {
  std::vector<std::vector<Edge>> by_layer(static_cast<std::size_t>(lattice.layers()));
  parallel_for(by_layer.size(), 1, [&](std::size_t layer) {
    const auto& cubes = lattice.cubes();
    const int k = static_cast<int>(layer);
    for (int j = 0; j < cubes[1]; ++j) {
      for (int i = 0; i < cubes[0]; ++i) {
        const std::array<int, 3> cube{i, j, k};
        for (int axis = 0; axis < 3; ++axis) {
          if (cube[axis] + 1 < cubes[axis]) march_face(lattice, cube, axis, value, by_layer[layer]);
        }
      }
    }
  });
  std::vector<Edge> all;
  for (const auto& layer : by_layer) all.insert(all.end(), layer.begin(), layer.end());
  return all;
}

/// Where the value crosses zero along an edge, by linear interpolation, kept off the ends: a
/// vertex on a lattice point would collapse its triangles.
Vec3 crossing(const Lattice& lattice, const std::vector<double>& value, Edge edge) {
  constexpr double kMargin = 0.01;
  const auto a = static_cast<Point>(edge >> 32U);
  const auto b = static_cast<Point>(edge & 0xffffffffU);
  const double t = std::clamp(value[a] / (value[a] - value[b]), kMargin, 1 - kMargin);
  return (1 - t) * lattice.position(a) + t * lattice.position(b);
}

}  // namespace

TriMesh polygonise(const std::function<double(const Vec3&)>& sdf, const Box& box, double cell) {
  SUPPLE_CHECK(cell > 0 && !box.empty());
  const Lattice lattice(box, cell);
  const std::vector<double> value = sample(lattice, sdf, cell);
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
