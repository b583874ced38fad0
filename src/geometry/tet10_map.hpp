// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tet_mesh.hpp"

#include <Eigen/Core>

#include <array>
#include <cmath>

namespace supple::geometry {

/// Barycentric coordinates L0..L3 of a point of the reference tetrahedron.
using Barycentric = Eigen::Vector4d;

/// Quadratic shape functions: L_i (2 L_i - 1) at corners, 4 L_i L_j at the middle of edges.
inline std::array<double, 10> quadratic_weights(const Barycentric& L) {
  std::array<double, 10> weight;
  for (int i = 0; i < 4; ++i) weight[i] = L[i] * (2 * L[i] - 1);
  for (int e = 0; e < 6; ++e) weight[4 + e] = 4 * L[kTetEdges[e][0]] * L[kTetEdges[e][1]];
  return weight;
}

/// Positions of one element's nodes and the map x(L) that they define.
struct ElementGeometry {
  std::array<Vec3, 10> node;
  int count = 4;

  ElementGeometry(const TetMesh& mesh, std::size_t e) : count(mesh.nodes_per_element()) {
    const auto nodes = mesh.element(e);
    for (int i = 0; i < count; ++i) node[i] = mesh.nodes[nodes[i]];
  }

  [[nodiscard]] Vec3 position(const Barycentric& L) const {
    Vec3 x = Vec3::Zero();
    if (count == 4) {
      for (int i = 0; i < 4; ++i) x += L[i] * node[i];
      return x;
    }
    const auto weight = quadratic_weights(L);
    for (int i = 0; i < 10; ++i) x += weight[i] * node[i];
    return x;
  }

  /// Columns dx/dL1, dx/dL2, dx/dL3 with L0 = 1 - L1 - L2 - L3.
  [[nodiscard]] Mat3 jacobian(const Barycentric& L) const {
    std::array<Vec3, 4> by_L;
    for (int i = 0; i < 4; ++i) by_L[i] = count == 4 ? node[i] : Vec3((4 * L[i] - 1) * node[i]);
    if (count == 10) {
      for (int e = 0; e < 6; ++e) {
        const int i = kTetEdges[e][0];
        const int j = kTetEdges[e][1];
        by_L[i] += 4 * L[j] * node[4 + e];
        by_L[j] += 4 * L[i] * node[4 + e];
      }
    }
    Mat3 J;
    for (int k = 0; k < 3; ++k) J.col(k) = by_L[k + 1] - by_L[0];
    return J;
  }

  /// Longest edge between corners.
  [[nodiscard]] double size() const {
    double longest = 0;
    for (const auto& edge : kTetEdges) {
      longest = std::max(longest, (node[edge[1]] - node[edge[0]]).squaredNorm());
    }
    return std::sqrt(longest);
  }
};

/// The four-point rule of degree 2, (5 + 3 sqrt 5)/20 and (5 - sqrt 5)/20: where 10-node elements
/// are integrated, so where their Jacobian must be positive.
inline std::array<Barycentric, 4> four_point_rule() {
  const double far = (5 + 3 * std::sqrt(5.0)) / 20;
  const double near = (5 - std::sqrt(5.0)) / 20;
  std::array<Barycentric, 4> points;
  for (int i = 0; i < 4; ++i) {
    points[i].setConstant(near);
    points[i][i] = far;
  }
  return points;
}

/// Smallest Jacobian determinant over the corners and the four integration points (six times the
/// volume for straight elements).
inline double min_jacobian(const ElementGeometry& element) {
  if (element.count == 4) return element.jacobian(Barycentric::Unit(0)).determinant();
  static const std::array<Barycentric, 4> kGauss = four_point_rule();
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 4; ++i) {
    least = std::min(least, element.jacobian(Barycentric::Unit(i)).determinant());
    least = std::min(least, element.jacobian(kGauss[i]).determinant());
  }
  return least;
}

}  // namespace supple::geometry
