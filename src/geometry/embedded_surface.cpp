// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/embedded_surface.hpp"

#include "geometry/tet10_map.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <numeric>
#include <utility>

namespace supple::geometry {
namespace {

/// Derivatives of the shape functions by L1, L2, L3, with L0 = 1 - L1 - L2 - L3: one column each.
Eigen::Matrix<double, 3, 10> shape_derivatives(int count, const Barycentric& L) {
  Eigen::Matrix<double, 4, 10> by_L = Eigen::Matrix<double, 4, 10>::Zero();
  for (int i = 0; i < 4; ++i) by_L(i, i) = count == 4 ? 1 : 4 * L[i] - 1;
  for (int e = 0; e < 6 && count == 10; ++e) {
    const auto [i, j] = kTetEdges[e];
    by_L(i, 4 + e) = 4 * L[j];
    by_L(j, 4 + e) = 4 * L[i];
  }
  return by_L.bottomRows<3>().rowwise() - by_L.row(0);
}

/// Where a row's point is in its element. Weights reproduce linear functions, and L_i is one: 1 at
/// its corner, 1/2 in the middle of edges from there.
Barycentric barycentric_of(const Interpolation& table, std::size_t row) {
  const double* weights = &table.weights[row * table.per_point];
  Barycentric L(weights[0], weights[1], weights[2], weights[3]);
  for (std::size_t e = 0; e < 6 && table.per_point == 10; ++e) {
    for (const int corner : kTetEdges[e]) L[corner] += 0.5 * weights[4 + e];
  }
  return L;
}

/// The closest point y of the mesh, continued by the derivative there: N(y) + dN/dx (p - y). Both
/// parts are exact for affine functions.
void extend(const TetMesh& mesh, const Vec3& point, std::size_t row, Interpolation& table) {
  if (table.elements[row] < 0 || table.distances[row] == 0) return;
  const ElementGeometry element(mesh, static_cast<std::size_t>(table.elements[row]));
  const Barycentric L = barycentric_of(table, row);
  const Vec3 out = element.jacobian(L).partialPivLu().solve(point - element.position(L));
  const auto derivatives = shape_derivatives(element.count, L);
  for (int i = 0; i < element.count; ++i) {
    table.weights[row * table.per_point + static_cast<std::size_t>(i)] +=
        derivatives.col(i).dot(out);
  }
}

Mat3 edges_from_first(const std::vector<Vec3>& nodes, const std::array<Index, 4>& corners) {
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = nodes[corners[k + 1]] - nodes[corners[0]];
  return edges;
}

/// The rule by which normals turn: dJ/dF.
Mat3 normal_map(const Mat3& f) {
  Mat3 result;
  result << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  return result;
}

}  // namespace

Interpolation extend_to(const TetMesh& mesh, const std::vector<Vec3>& points) {
  Interpolation result = interpolate_at(mesh, points);
  parallel_for(points.size(), 256, [&](std::size_t i) { extend(mesh, points[i], i, result); });
  return result;
}

EmbeddedSurface::EmbeddedSurface(const TetMesh& mesh, const std::vector<Vec3>& points,
                                 std::vector<Vec3> normals)
    : m_points(interpolate_at(mesh, points)),
      m_normals(std::move(normals)),
      m_barycentric(points.size()) {
  if (!m_normals.empty()) SUPPLE_CHECK_OP(m_normals.size(), ==, points.size());
  parallel_for(points.size(), 256, [&](std::size_t i) {
    m_barycentric[i] = barycentric_of(m_points, i);
    extend(mesh, points[i], i, m_points);
  });
  const std::size_t elements = mesh.element_count();
  m_corners.resize(elements);
  m_inverse_edges.resize(elements);
  m_volumes.resize(elements);
  m_element_start.assign(mesh.nodes.size() + 1, 0);
  for (std::size_t e = 0; e < elements; ++e) {
    std::copy_n(mesh.element(e).begin(), 4, m_corners[e].begin());
    const Mat3 edges = edges_from_first(mesh.nodes, m_corners[e]);
    m_inverse_edges[e] = edges.inverse();
    m_volumes[e] = edges.determinant() / 6;
    for (const Index corner : m_corners[e]) ++m_element_start[corner + 1];
  }
  std::partial_sum(m_element_start.begin(), m_element_start.end(), m_element_start.begin());
  m_elements_of_node.resize(4 * elements);
  std::vector<std::int64_t> next(m_element_start.begin(), m_element_start.end() - 1);
  for (std::size_t e = 0; e < elements; ++e) {
    for (const Index corner : m_corners[e]) {
      m_elements_of_node[next[corner]++] = static_cast<Index>(e);
    }
  }
}

std::vector<Vec3> EmbeddedSurface::positions(const std::vector<Vec3>& nodes) const {
  return m_points.apply(nodes);
}

std::vector<Mat3> EmbeddedSurface::node_deformations(const std::vector<Vec3>& nodes) const {
  std::vector<Mat3> of_elements(m_corners.size());
  parallel_for(of_elements.size(), 512, [&](std::size_t e) {
    of_elements[e] = m_volumes[e] * edges_from_first(nodes, m_corners[e]) * m_inverse_edges[e];
  });
  std::vector<Mat3> result(nodes.size());
  parallel_for(nodes.size(), 512, [&](std::size_t node) {
    Mat3 sum = Mat3::Zero();
    double volume = 0;
    for (auto k = m_element_start[node]; k < m_element_start[node + 1]; ++k) {
      sum += of_elements[m_elements_of_node[k]];
      volume += m_volumes[m_elements_of_node[k]];
    }
    result[node] = volume > 0 ? Mat3(sum / volume) : Mat3(Mat3::Identity());
  });
  return result;
}

std::vector<Vec3> EmbeddedSurface::normals(const std::vector<Vec3>& nodes) const {
  SUPPLE_CHECK_OP(nodes.size(), ==, m_points.node_count);
  std::vector<Vec3> result = m_normals;
  const std::vector<Mat3> deformations = node_deformations(nodes);
  parallel_for(result.size(), 512, [&](std::size_t i) {
    if (m_points.elements[i] < 0) return;
    Mat3 f = Mat3::Zero();
    for (int k = 0; k < 4; ++k) {
      f += m_barycentric[i][k] * deformations[m_corners[m_points.elements[i]][k]];
    }
    const Vec3 turned = normal_map(f) * m_normals[i];
    const double length = turned.norm();
    if (length > 0) result[i] = turned / length;
  });
  return result;
}

}  // namespace supple::geometry
