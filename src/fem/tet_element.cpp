// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/tet_element.hpp"

#include "fem/element_kernels.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>
#include <vector>

namespace supple::fem {
namespace {

using geometry::kTetEdges;
using geometry::TetOrder;

struct Rule1d {
  Eigen::VectorXd points;
  Eigen::VectorXd weights;
};

/// Gauss-Jacobi rule on [0, 1] with weight (1-x)^alpha from the eigenvalues of the recurrence
/// matrix [GW69].
Rule1d gauss_jacobi(int count, double alpha) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, count);
  for (int i = 0; i < count; ++i) {
    const double s = 2 * i + alpha;
    matrix(i, i) = alpha == 0 ? 0.0 : -alpha * alpha / (s * (s + 2));
    if (i > 0) {
      const double b = 4.0 * i * (i + alpha) * i * (i + alpha) / (s * s * (s + 1) * (s - 1));
      matrix(i, i - 1) = matrix(i - 1, i) = std::sqrt(b);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(matrix);
  Rule1d rule;
  rule.points = (0.5 * (eigen.eigenvalues().array() + 1)).matrix();
  // The weight function integrates to 1/(alpha+1) on [0, 1].
  rule.weights = eigen.eigenvectors().row(0).transpose().cwiseAbs2() / (alpha + 1);
  return rule;
}

/// Collapses a cube onto the tetrahedron: x = u, y = v (1-u), z = w (1-u)(1-v).
std::vector<QuadraturePoint> conical_product(int count) {
  const Rule1d u = gauss_jacobi(count, 2);
  const Rule1d v = gauss_jacobi(count, 1);
  const Rule1d w = gauss_jacobi(count, 0);
  std::vector<QuadraturePoint> rule;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      for (int k = 0; k < count; ++k) {
        const double x = u.points(i);
        const double y = v.points(j) * (1 - x);
        const double z = w.points(k) * (1 - x) * (1 - v.points(j));
        rule.push_back({{1 - x - y - z, x, y, z},
                        6 * u.weights(i) * v.weights(j) * w.weights(k)});  // 6 = 1 / volume
      }
    }
  }
  return rule;
}

}  // namespace

std::span<const QuadraturePoint> one_point_rule() {
  static const std::array<QuadraturePoint, 1> rule{{{{0.25, 0.25, 0.25, 0.25}, 1.0}}};
  return rule;
}

std::span<const QuadraturePoint> four_point_rule() {
  static const double a = (5 + 3 * std::sqrt(5.0)) / 20;
  static const double b = (5 - std::sqrt(5.0)) / 20;
  static const std::array<QuadraturePoint, 4> rule{
      {{{a, b, b, b}, 0.25}, {{b, a, b, b}, 0.25}, {{b, b, a, b}, 0.25}, {{b, b, b, a}, 0.25}}};
  return rule;
}

std::span<const QuadraturePoint> exact_mass_rule() {
  static const std::vector<QuadraturePoint> rule = conical_product(4);
  return rule;
}

/// N_i = L_i for the linear element; L_i (2 L_i - 1) at the corners and 4 L_i L_j on the edges of
/// the quadratic one.
ShapeValues shape_values(TetOrder order, const std::array<double, 4>& l) {
  ShapeValues n{};
  if (order == TetOrder::Linear) {
    std::copy(l.begin(), l.end(), n.begin());
    return n;
  }
  for (int i = 0; i < 4; ++i) n[i] = l[i] * (2 * l[i] - 1);
  for (int e = 0; e < 6; ++e) n[4 + e] = 4 * l[kTetEdges[e][0]] * l[kTetEdges[e][1]];
  return n;
}

PointGeometry point_geometry(TetOrder order, const ElementNodes& nodes,
                             const std::array<double, 4>& l) {
  // dN/dL, with L_0 = 1 - L_1 - L_2 - L_3 eliminated.
  Eigen::Matrix<double, 10, 4> by_l = Eigen::Matrix<double, 10, 4>::Zero();
  if (order == TetOrder::Linear) {
    by_l.topRows<4>().setIdentity();
  } else {
    for (int i = 0; i < 4; ++i) by_l(i, i) = 4 * l[i] - 1;
    for (int e = 0; e < 6; ++e) {
      const auto [i, j] = kTetEdges[e];
      by_l(4 + e, i) = 4 * l[j];
      by_l(4 + e, j) = 4 * l[i];
    }
  }
  const Eigen::Matrix<double, 10, 3> by_local = by_l.rightCols<3>().colwise() - by_l.col(0);
  const int n = static_cast<int>(order);
  const Eigen::Matrix3d jacobian = nodes.leftCols(n) * by_local.topRows(n);
  PointGeometry point;
  point.determinant = jacobian.determinant();
  point.gradients = (by_local * jacobian.inverse()).transpose();
  return point;
}

ElementNodes element_nodes(const geometry::TetMesh& mesh, std::size_t element) {
  ElementNodes nodes = ElementNodes::Zero();
  const auto indices = mesh.element(element);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    nodes.col(static_cast<Eigen::Index>(i)) = mesh.nodes[indices[i]];
  }
  return nodes;
}

Eigen::MatrixXd element_stiffness(TetOrder order, const ElementNodes& nodes,
                                  const Material& material) {
  const int n = static_cast<int>(order);
  const ElementGradients gradients = element_gradients(order, nodes);
  const Lame lame = lame_constants(material);
  Eigen::MatrixXd stiffness(3 * n, 3 * n);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      stiffness.block<3, 3>(3 * a, 3 * b) = stiffness_block(gradients, lame, a, b);
    }
  }
  return stiffness;
}

Eigen::MatrixXd element_mass(TetOrder order, const ElementNodes& nodes, double density,
                             MassRule rule) {
  const int n = static_cast<int>(order);
  const auto points = rule == MassRule::OnePoint    ? one_point_rule()
                      : rule == MassRule::FourPoint ? four_point_rule()
                                                    : exact_mass_rule();
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
  double total = 0;
  for (const QuadraturePoint& point : points) {
    const ShapeValues values = shape_values(order, point.barycentric);
    const Eigen::Map<const Eigen::VectorXd> shape(values.data(), n);
    const double weight =
        density * point.weight * point_geometry(order, nodes, point.barycentric).determinant / 6;
    mass += weight * shape * shape.transpose();
    total += weight;
  }
  if (rule == MassRule::Lumped) {
    // [HRZ76]: the diagonal, scaled so that the element keeps its mass.
    const Eigen::VectorXd diagonal = mass.diagonal() * (total / mass.trace());
    mass = diagonal.asDiagonal();
  }
  return mass;
}

}  // namespace supple::fem
