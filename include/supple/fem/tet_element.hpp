// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/material.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <Eigen/Core>

#include <array>
#include <span>

namespace supple::fem {

/// An integration point in barycentric coordinates; the weights of a rule add up to 1.
struct QuadraturePoint {
  std::array<double, 4> barycentric;
  double weight;
};

/// Rules on the tetrahedron: 1 point (degree 1), 4 points (degree 2), and a 64-point conical
/// product of Gauss-Jacobi rules (degree 7: exact for the mass of a curved 10-node element).
[[nodiscard]] std::span<const QuadraturePoint> one_point_rule();
[[nodiscard]] std::span<const QuadraturePoint> four_point_rule();
[[nodiscard]] std::span<const QuadraturePoint> exact_mass_rule();

/// Up to ten nodes; a four-node element uses the first four.
using ShapeValues = std::array<double, 10>;
using ShapeGradients = Eigen::Matrix<double, 3, 10>;  // one column per node, 1/m
using ElementNodes = Eigen::Matrix<double, 3, 10>;    // one column per node, m

[[nodiscard]] ShapeValues shape_values(geometry::TetOrder order,
                                       const std::array<double, 4>& barycentric);

/// Gradients with respect to position and the Jacobian's determinant (6 times the volume of a
/// straight element) at one point of an element.
struct PointGeometry {
  ShapeGradients gradients;
  double determinant;
};
[[nodiscard]] PointGeometry point_geometry(geometry::TetOrder order, const ElementNodes& nodes,
                                           const std::array<double, 4>& barycentric);

[[nodiscard]] ElementNodes element_nodes(const geometry::TetMesh& mesh, std::size_t element);

/// Stiffness of one element, 3 x 3 blocks by node: integral of B^T D B over the element, 1 point
/// for linear and 4 points for quadratic elements (exact if the edges are straight; the same as
/// CalculiX's C3D4 and C3D10).
[[nodiscard]] Eigen::MatrixXd element_stiffness(geometry::TetOrder order, const ElementNodes& nodes,
                                                const Material& material);

/// Mass of one element, one number per pair of nodes: density times the integral of N_a N_b.
[[nodiscard]] Eigen::MatrixXd element_mass(geometry::TetOrder order, const ElementNodes& nodes,
                                           double density, MassRule rule);

}  // namespace supple::fem
