// SPDX-License-Identifier: Apache-2.0
#include "simulator/pair_energy.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace supple::simulator {
namespace {

using contact::Gradient;
using contact::Hessian;
using Eigen::VectorXd;

double rest_length(const VectorXd& rest, Index a, Index b) {
  return (rest.segment<3>(3 * Eigen::Index{a}) - rest.segment<3>(3 * Eigen::Index{b})).norm();
}

using Relative = Eigen::Matrix<double, 12, 9>;

/// An orthonormal basis of the motions of four vertices whose mean stands still.
Relative make_relative_motions() {
  Eigen::Matrix<double, 4, 3> differences;
  differences << 1, 1, 1,  //
      -1, 1, 1,            //
      0, -2, 1,            //
      0, 0, -3;
  differences.colwise().normalize();
  Relative basis = Relative::Zero();
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) {
      basis.block<3, 3>(3 * i, 3 * k) = differences(i, k) * Eigen::Matrix3d::Identity();
    }
  }
  return basis;
}

}  // namespace

PairEnergy::PairEnergy(const ContactPair& pair, const contact::Barrier& barrier,
                       const VectorXd& rest, const contact::Stencil& x)
    : m_pair(pair),
      m_x(x),
      m_closest(closest_of(pair.kind, x)),
      m_gap(m_closest.distance - pair.thickness),
      m_acts(m_gap < barrier.width) {
  if (!m_acts) return;
  m_barrier = barrier(m_gap);
  if (pair.kind == PairKind::EdgeEdge) {
    const auto& v = pair.vertices;
    m_fade = contact::fade_of_parallel_edges(x, rest_length(rest, v[0], v[1]),
                                             rest_length(rest, v[2], v[3]));
  }
}

double PairEnergy::value() const {
  return m_pair.stiffness * m_fade.value * m_barrier.value;
}

double PairEnergy::force() const {
  return -m_pair.stiffness * m_fade.value * m_barrier.slope;
}

Gradient PairEnergy::gradient() const {
  return m_pair.stiffness * (m_fade.value * m_barrier.slope * distance_gradient(m_closest) +
                             m_barrier.value * m_fade.gradient);
}

Hessian PairEnergy::hessian(fem::Curvature curvature) const {
  const Gradient n = distance_gradient(m_closest);
  Hessian h = m_fade.value * (m_barrier.curvature * n * n.transpose() +
                              m_barrier.slope * distance_hessian(m_x, m_closest));
  if (m_fade.value != 1) {
    const Hessian mixed = m_barrier.slope * m_fade.gradient * n.transpose();
    h += m_barrier.value * m_fade.hessian + mixed + mixed.transpose();
  }
  if (curvature == fem::Curvature::Definite) h = definite_part(h);
  return m_pair.stiffness * h;
}

Hessian definite_part(const Hessian& hessian) {
  static const Relative basis = make_relative_motions();
  using Small = Eigen::Matrix<double, 9, 9>;
  const Eigen::SelfAdjointEigenSolver<Small> solver(Small(basis.transpose() * hessian * basis));
  const Relative vectors = basis * solver.eigenvectors();
  return vectors * solver.eigenvalues().cwiseMax(0.0).asDiagonal() * vectors.transpose();
}

}  // namespace supple::simulator
