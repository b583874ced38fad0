// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/tet_element.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <cmath>
#include <numeric>

namespace supple::fem {
namespace {

using geometry::TetOrder;
using geometry::Vec3;

const Material kMaterial{"test", 2.0, 0.3, 1.5};

/// A well-shaped but irregular element; `bulge` moves the midside nodes off their edges.
ElementNodes irregular_element(double bulge) {
  ElementNodes nodes = ElementNodes::Zero();
  nodes.col(0) = Vec3(0.1, -0.2, 0.05);
  nodes.col(1) = Vec3(1.2, 0.1, -0.1);
  nodes.col(2) = Vec3(0.2, 0.9, 0.2);
  nodes.col(3) = Vec3(0.3, 0.25, 1.1);
  Random random(3);
  for (int e = 0; e < 6; ++e) {
    nodes.col(4 + e) =
        0.5 * (nodes.col(geometry::kTetEdges[e][0]) + nodes.col(geometry::kTetEdges[e][1]));
    for (int c = 0; c < 3; ++c) nodes(c, 4 + e) += bulge * random.uniform(-1, 1);
  }
  return nodes;
}

/// n! a! b! c! d! / (n+3)! * 3! / ... : the mean of L0^a L1^b L2^c L3^d over a tetrahedron.
double mean_of_monomial(int a, int b, int c, int d) {
  return 6 * std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1) * std::tgamma(d + 1) /
         std::tgamma(a + b + c + d + 4);
}

void expect_exact_to_degree(std::span<const QuadraturePoint> rule, int degree) {
  for (int a = 0; a <= degree; ++a) {
    for (int b = 0; a + b <= degree; ++b) {
      for (int c = 0; a + b + c <= degree; ++c) {
        const int d = degree - a - b - c;
        double mean = 0;
        for (const auto& [l, weight] : rule) {
          mean += weight * std::pow(l[0], a) * std::pow(l[1], b) * std::pow(l[2], c) *
                  std::pow(l[3], d);
        }
        EXPECT_NEAR(mean, mean_of_monomial(a, b, c, d), 1e-14);
      }
    }
  }
}

TEST(Quadrature, RulesAreExactToTheirDegree) {
  expect_exact_to_degree(one_point_rule(), 1);
  expect_exact_to_degree(four_point_rule(), 2);
  expect_exact_to_degree(exact_mass_rule(), 7);
}

TEST(TetElement, ShapesAreOneAtTheirNodeAndSumToOne) {
  for (int node = 0; node < 10; ++node) {
    std::array<double, 4> l{};
    if (node < 4) {
      l[node] = 1;
    } else {
      l[geometry::kTetEdges[node - 4][0]] = l[geometry::kTetEdges[node - 4][1]] = 0.5;
    }
    const ShapeValues values = shape_values(TetOrder::Quadratic, l);
    for (int other = 0; other < 10; ++other) EXPECT_EQ(values[other], other == node ? 1.0 : 0.0);
  }
  const ShapeValues values = shape_values(TetOrder::Quadratic, {0.1, 0.2, 0.3, 0.4});
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 1.0, 1e-15);
}

/// Position in an element by its shape functions.
Vec3 position(TetOrder order, const ElementNodes& nodes, const std::array<double, 4>& l) {
  const ShapeValues n = shape_values(order, l);
  Vec3 x = Vec3::Zero();
  for (int i = 0; i < static_cast<int>(order); ++i) x += n[i] * nodes.col(i);
  return x;
}

TEST(TetElement, GradientsMatchFiniteDifferences) {
  const ElementNodes nodes = irregular_element(0.05);
  for (const TetOrder order : {TetOrder::Linear, TetOrder::Quadratic}) {
    const std::array<double, 4> l{0.15, 0.35, 0.3, 0.2};
    const PointGeometry point = point_geometry(order, nodes, l);
    // Move along each local direction: dN = grad N . dx must hold to second order in the step.
    constexpr double kStep = 1e-6;
    for (int direction = 1; direction < 4; ++direction) {
      std::array<double, 4> forward = l;
      std::array<double, 4> backward = l;
      forward[direction] += kStep;
      forward[0] -= kStep;
      backward[direction] -= kStep;
      backward[0] += kStep;
      const Vec3 dx = position(order, nodes, forward) - position(order, nodes, backward);
      const ShapeValues plus = shape_values(order, forward);
      const ShapeValues minus = shape_values(order, backward);
      for (int i = 0; i < static_cast<int>(order); ++i) {
        EXPECT_NEAR(plus[i] - minus[i], point.gradients.col(i).dot(dx), 1e-6 * kStep);
      }
    }
  }
}

/// Strain energy from the definition, sharing nothing with the element: the displacement's
/// gradient by finite differences in local coordinates, Voigt's D, summed over a rule.
double strain_energy(TetOrder order, const ElementNodes& nodes, const Eigen::VectorXd& u,
                     std::span<const QuadraturePoint> rule) {
  const double e = kMaterial.youngs_modulus;
  const double nu = kMaterial.poisson_ratio;
  double energy = 0;
  for (const auto& [l, weight] : rule) {
    Eigen::Matrix3d dx;
    Eigen::Matrix3d du;
    constexpr double kStep = 1e-5;
    for (int direction = 1; direction < 4; ++direction) {
      std::array<double, 4> forward = l;
      std::array<double, 4> backward = l;
      forward[direction] += kStep;
      forward[0] -= kStep;
      backward[direction] -= kStep;
      backward[0] += kStep;
      const auto displacement = [&](const std::array<double, 4>& at) {
        const ShapeValues n = shape_values(order, at);
        Vec3 value = Vec3::Zero();
        for (int i = 0; i < static_cast<int>(order); ++i) value += n[i] * u.segment<3>(3 * i);
        return value;
      };
      dx.col(direction - 1) =
          (position(order, nodes, forward) - position(order, nodes, backward)) / (2 * kStep);
      du.col(direction - 1) = (displacement(forward) - displacement(backward)) / (2 * kStep);
    }
    const Eigen::Matrix3d gradient = du * dx.inverse();
    const Eigen::Matrix3d strain = 0.5 * (gradient + gradient.transpose());
    const double trace = strain.trace();
    const double density =
        e / (2 * (1 + nu)) * (strain.squaredNorm() + nu / (1 - 2 * nu) * trace * trace);
    energy += weight * density * dx.determinant() / 6;
  }
  return energy;
}

TEST(TetElement, StiffnessMatchesFiniteDifferencesOfTheStrainEnergy) {
  for (const TetOrder order : {TetOrder::Linear, TetOrder::Quadratic}) {
    const auto rule = order == TetOrder::Linear ? one_point_rule() : four_point_rule();
    for (const double bulge : {0.0, 0.04}) {
      const ElementNodes nodes = irregular_element(bulge);
      const Eigen::MatrixXd stiffness = element_stiffness(order, nodes, kMaterial);
      const Eigen::Index size = stiffness.rows();
      const auto energy = [&](const Eigen::VectorXd& u) {
        return strain_energy(order, nodes, u, rule);
      };
      // The energy is quadratic: K_ij = E(e_i + e_j) - E(e_i) - E(e_j), no step size to choose.
      for (Eigen::Index i = 0; i < size; ++i) {
        for (Eigen::Index j = 0; j <= i; ++j) {
          const Eigen::VectorXd ei = Eigen::VectorXd::Unit(size, i);
          const Eigen::VectorXd ej = Eigen::VectorXd::Unit(size, j);
          EXPECT_NEAR(stiffness(i, j), energy(ei + ej) - energy(ei) - energy(ej), 1e-9);
          EXPECT_NEAR(stiffness(i, j), stiffness(j, i), 1e-14);
        }
      }
    }
  }
}

TEST(TetElement, StiffnessHasExactlySixRigidMotions) {
  for (const TetOrder order : {TetOrder::Linear, TetOrder::Quadratic}) {
    const Eigen::MatrixXd stiffness = element_stiffness(order, irregular_element(0.03), kMaterial);
    Eigen::FullPivLU<Eigen::MatrixXd> lu(stiffness);
    lu.setThreshold(1e-12);
    EXPECT_EQ(lu.dimensionOfKernel(), 6);
  }
}

TEST(TetElement, MassMatchesTheKineticEnergyOfPolynomialVelocities) {
  // Straight element: mass entries are means of products of barycentric polynomials.
  const ElementNodes nodes = irregular_element(0);
  const double volume = (nodes.middleCols<3>(1).colwise() - nodes.col(0)).determinant() / 6;
  const Eigen::MatrixXd linear =
      element_mass(TetOrder::Linear, nodes, kMaterial.density, MassRule::Consistent);
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      EXPECT_NEAR(linear(a, b), kMaterial.density * volume * (a == b ? 0.1 : 0.05), 1e-15);
    }
  }
  const Eigen::MatrixXd quadratic =
      element_mass(TetOrder::Quadratic, nodes, kMaterial.density, MassRule::Consistent);
  // Corner with itself: mean of L^2 (2L-1)^2; midside with itself: mean of 16 L_i^2 L_j^2.
  const double corner = 4 * mean_of_monomial(4, 0, 0, 0) - 4 * mean_of_monomial(3, 0, 0, 0) +
                        mean_of_monomial(2, 0, 0, 0);
  const double midside = 16 * mean_of_monomial(2, 2, 0, 0);
  EXPECT_NEAR(quadratic(0, 0), kMaterial.density * volume * corner, 1e-14);
  EXPECT_NEAR(quadratic(5, 5), kMaterial.density * volume * midside, 1e-14);
}

TEST(TetElement, EveryMassRuleKeepsTheMass) {
  for (const TetOrder order : {TetOrder::Linear, TetOrder::Quadratic}) {
    const ElementNodes nodes = irregular_element(0);
    const double mass =
        kMaterial.density * (nodes.middleCols<3>(1).colwise() - nodes.col(0)).determinant() / 6;
    for (const MassRule rule :
         {MassRule::Consistent, MassRule::FourPoint, MassRule::OnePoint, MassRule::Lumped}) {
      const Eigen::MatrixXd matrix = element_mass(order, nodes, kMaterial.density, rule);
      EXPECT_NEAR(matrix.sum(), mass, 1e-14);
      if (rule == MassRule::Lumped) {
        EXPECT_GT(matrix.diagonal().minCoeff(), 0);
        EXPECT_TRUE(matrix.isDiagonal(0.0));
      }
    }
  }
}

}  // namespace
}  // namespace supple::fem
