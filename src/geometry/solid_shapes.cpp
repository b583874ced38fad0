// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/shapes.hpp"

#include "supple/core/check.hpp"

#include <algorithm>
#include <cmath>

namespace supple::geometry {
namespace {

using LatticeCell = std::array<int, 3>;

/// The six orders in which a path along the cell's edges can go from one corner to the opposite
/// one, and whether the path's tetrahedron is positive.
struct Path {
  std::array<int, 3> axis;
  bool positive;
};
constexpr std::array<Path, 6> kPaths{{{{0, 1, 2}, true},
                                      {{1, 2, 0}, true},
                                      {{2, 0, 1}, true},
                                      {{0, 2, 1}, false},
                                      {{1, 0, 2}, false},
                                      {{2, 1, 0}, false}}};

/// A block of cells, some of which may be omitted, as tetrahedra. Nodes are numbered x fastest.
class CellBlock {
 public:
  explicit CellBlock(const LatticeCell& cells) : m_cells(cells) {
    for (const int n : cells) SUPPLE_CHECK_OP(n, >=, 1);
    std::size_t points = 1;
    for (const int n : cells) points *= static_cast<std::size_t>(n) + 1;
    SUPPLE_CHECK_OP(points, <=, static_cast<std::size_t>(std::numeric_limits<Index>::max() / 6));
    m_node_of_point.assign(points, -1);
  }

  /// keep(cell): whether it exists; mirror(cell, axis): whether the diagonal runs from high to low
  /// there.
  template <class Keep, class Mirror>
  void split(Keep&& keep, Mirror&& mirror) {
    for (int k = 0; k < m_cells[2]; ++k) {
      for (int j = 0; j < m_cells[1]; ++j) {
        for (int i = 0; i < m_cells[0]; ++i) {
          const LatticeCell cell{i, j, k};
          if (!keep(cell)) continue;
          std::array<bool, 3> from_high{};
          for (int a = 0; a < 3; ++a) from_high[a] = mirror(cell, a);
          split_cell(cell, from_high);
        }
      }
    }
  }

  /// The mesh of the split cells; position(point) in cell units -> metres.
  template <class Position>
  TetMesh finish(Position&& position) {
    for (const Index p : m_mesh.connectivity) m_node_of_point[p] = 0;
    for (std::size_t p = 0; p < m_node_of_point.size(); ++p) {
      if (m_node_of_point[p] < 0) continue;
      m_node_of_point[p] = static_cast<Index>(m_mesh.nodes.size());
      m_mesh.nodes.push_back(position(point(static_cast<Index>(p))));
      m_point_of_node.push_back(static_cast<Index>(p));
    }
    for (Index& n : m_mesh.connectivity) n = m_node_of_point[n];
    return std::move(m_mesh);
  }

  /// After finish: the nodes whose grid point satisfies `member`, ascending.
  template <class Member>
  [[nodiscard]] std::vector<Index> nodes_where(Member&& member) const {
    std::vector<Index> nodes;
    for (std::size_t n = 0; n < m_point_of_node.size(); ++n) {
      if (member(point(m_point_of_node[n]))) nodes.push_back(static_cast<Index>(n));
    }
    return nodes;
  }

  /// x_min, x_max, ... for the given axes.
  void add_face_sets(TetMesh& mesh, std::initializer_list<int> axes = {0, 1, 2}) const {
    for (const int a : axes) {
      const std::string axis(1, "xyz"[a]);
      mesh.node_sets[axis + "_min"] = nodes_where([&](const LatticeCell& p) { return p[a] == 0; });
      mesh.node_sets[axis + "_max"] =
          nodes_where([&](const LatticeCell& p) { return p[a] == m_cells[a]; });
    }
  }

 private:
  [[nodiscard]] Index point_index(const LatticeCell& p) const {
    return p[0] + (m_cells[0] + 1) * (p[1] + (m_cells[1] + 1) * p[2]);
  }
  [[nodiscard]] LatticeCell point(Index index) const {
    const int nx = m_cells[0] + 1;
    const int ny = m_cells[1] + 1;
    return {index % nx, index / nx % ny, index / nx / ny};
  }

  void split_cell(const LatticeCell& cell, const std::array<bool, 3>& from_high) {
    const bool reflected = (from_high[0] != from_high[1]) != from_high[2];
    for (const Path& path : kPaths) {
      std::array<Index, 4> corner;
      LatticeCell at = cell;
      for (int a = 0; a < 3; ++a) at[a] += from_high[a] ? 1 : 0;
      corner[0] = point_index(at);
      for (int step = 0; step < 3; ++step) {
        const int a = path.axis[step];
        at[a] += from_high[a] ? -1 : 1;
        corner[step + 1] = point_index(at);
      }
      if (path.positive == reflected) std::swap(corner[2], corner[3]);
      m_mesh.connectivity.insert(m_mesh.connectivity.end(), corner.begin(), corner.end());
    }
  }

  LatticeCell m_cells;
  TetMesh m_mesh;
  std::vector<Index> m_node_of_point;
  std::vector<Index> m_point_of_node;
};

constexpr auto kEveryCell = [](const LatticeCell&) { return true; };
constexpr auto kNoMirror = [](const LatticeCell&, int) { return false; };

/// Linear in between, and exactly low and high at the ends.
double between(double low, double high, int i, int n) {
  const double t = static_cast<double>(i) / n;
  return (1 - t) * low + t * high;
}

/// Scales a point of the square or cube |x|_inf <= 1 along its ray to the disc or ball.
template <class Vector>
Vector to_round(const Vector& p) {
  const double norm = p.norm();
  return norm > 0 ? Vector(p * (p.template lpNorm<Eigen::Infinity>() / norm)) : p;
}

/// Diagonals run away from the centre, so that no element has two faces on a rounded edge of the
/// block, where it would be flattened.
bool below_centre(const LatticeCell& cell, int axis, int half) {
  return cell[axis] < half;
}

}  // namespace

TetMesh box_mesh(const Box& box, int nx, int ny, int nz) {
  SUPPLE_CHECK(box.size().minCoeff() > 0);
  const LatticeCell cells{nx, ny, nz};
  CellBlock block(cells);
  block.split(kEveryCell, kNoMirror);
  TetMesh mesh = block.finish([&](const LatticeCell& p) {
    Vec3 x;
    for (int a = 0; a < 3; ++a) x[a] = between(box.low[a], box.high[a], p[a], cells[a]);
    return x;
  });
  block.add_face_sets(mesh);
  return mesh;
}

TetMesh beam_mesh(double length, double height, double width, int nx, int ny, int nz) {
  return box_mesh({Vec3(0, -height / 2, -width / 2), Vec3(length, height / 2, width / 2)}, nx, ny,
                  nz);
}

TetMesh l_bracket_mesh(double cell, int arm, int thickness, int depth) {
  SUPPLE_CHECK(cell > 0);
  SUPPLE_CHECK_OP(thickness, >, 0);
  SUPPLE_CHECK_OP(thickness, <, arm);
  CellBlock block({arm, arm, depth});
  block.split([&](const LatticeCell& c) { return c[0] < thickness || c[1] < thickness; },
              kNoMirror);
  TetMesh mesh =
      block.finish([&](const LatticeCell& p) { return Vec3(cell * Vec3(p[0], p[1], p[2])); });
  block.add_face_sets(mesh);
  return mesh;
}

TetMesh two_region_mesh(const Box& box, int nx, int ny, int nz) {
  SUPPLE_CHECK_OP(nx, >=, 2);
  TetMesh mesh = box_mesh(box, nx, ny, nz);
  mesh.region_names = {"low", "high"};
  mesh.regions.reserve(mesh.element_count());
  for (int row = 0; row < ny * nz; ++row) {
    for (int i = 0; i < nx; ++i) {
      mesh.regions.insert(mesh.regions.end(), kPaths.size(), i < nx / 2 ? 0 : 1);
    }
  }
  return mesh;
}

TetMesh cylinder_mesh(double radius, double height, int cells, int along) {
  SUPPLE_CHECK(radius > 0 && height > 0);
  CellBlock block({2 * cells, along, 2 * cells});
  block.split(kEveryCell, [&](const LatticeCell& c, int axis) {
    return axis != 1 && below_centre(c, axis, cells);
  });
  TetMesh mesh = block.finish([&](const LatticeCell& p) {
    const Eigen::Vector2d disc =
        to_round(Eigen::Vector2d(between(-1, 1, p[0], 2 * cells), between(-1, 1, p[2], 2 * cells)));
    return Vec3(radius * disc[0], between(-height / 2, height / 2, p[1], along), radius * disc[1]);
  });
  block.add_face_sets(mesh, {1});
  mesh.node_sets["side"] = block.nodes_where([&](const LatticeCell& p) {
    return p[0] == 0 || p[0] == 2 * cells || p[2] == 0 || p[2] == 2 * cells;
  });
  return mesh;
}

TetMesh ball_mesh(double radius, int cells) {
  SUPPLE_CHECK(radius > 0);
  const int n = 2 * cells;
  CellBlock block({n, n, n});
  block.split(kEveryCell,
              [&](const LatticeCell& c, int axis) { return below_centre(c, axis, cells); });
  TetMesh mesh = block.finish([&](const LatticeCell& p) {
    return Vec3(radius * to_round(Vec3(between(-1, 1, p[0], n), between(-1, 1, p[1], n),
                                       between(-1, 1, p[2], n))));
  });
  mesh.node_sets["surface"] = block.nodes_where([&](const LatticeCell& p) {
    return std::any_of(p.begin(), p.end(), [&](int i) { return i == 0 || i == n; });
  });
  return mesh;
}

}  // namespace supple::geometry
