// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/quadratic_energies.hpp"

#include "fem/graph_couplings.hpp"

#include <cmath>

namespace supple::fem {

using Eigen::VectorXd;
using geometry::Index;

VectorXd weight(const VectorXd& masses, const Eigen::Vector3d& gravity) {
  VectorXd force(3 * masses.size());
  for (Eigen::Index node = 0; node < masses.size(); ++node) {
    force.segment<3>(3 * node) = masses(node) * gravity;
  }
  return force;
}

EnergyValue DeadLoad::value(const VectorXd& x) const {
  const double work = m_force.dot(x);
  return {-work, std::abs(work)};
}

void DeadLoad::add_gradient(const VectorXd& /*x*/, VectorXd& gradient) const {
  gradient -= m_force;
}

EnergyValue MassAnchor::value(const VectorXd& x) const {
  double sum = 0;
  for (Eigen::Index node = 0; node < m_masses.size(); ++node) {
    sum += m_masses(node) * (x.segment<3>(3 * node) - m_anchor.segment<3>(3 * node)).squaredNorm();
  }
  return {0.5 * m_factor * sum, 0.5 * m_factor * sum};
}

void MassAnchor::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  for (Eigen::Index node = 0; node < m_masses.size(); ++node) {
    gradient.segment<3>(3 * node) +=
        m_factor * m_masses(node) * (x.segment<3>(3 * node) - m_anchor.segment<3>(3 * node));
  }
}

std::size_t MassAnchor::coupling_count() const {
  return static_cast<std::size_t>(m_masses.size());
}

void MassAnchor::list_couplings(std::vector<Coupling>& list) const {
  for (Index node = 0; node < m_masses.size(); ++node) list.push_back({node, node});
}

void MassAnchor::write_hessian(const VectorXd& /*x*/, Curvature /*curvature*/,
                               std::span<double> blocks) const {
  std::fill(blocks.begin(), blocks.end(), 0.0);
  for (Eigen::Index node = 0; node < m_masses.size(); ++node) {
    double* block = blocks.data() + 9 * node;
    block[0] = block[4] = block[8] = m_factor * m_masses(node);
  }
}

VectorXd StiffAnchor::force(const VectorXd& x) const {
  reduction::MultiVector product;
  m_k.apply(x - m_anchor, product);
  return m_factor * product;
}

EnergyValue StiffAnchor::value(const VectorXd& x) const {
  const double energy = 0.5 * (x - m_anchor).dot(force(x));
  return {energy, std::abs(energy)};
}

void StiffAnchor::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  gradient += force(x);
}

std::size_t StiffAnchor::coupling_count() const {
  return lower_triangle_size(*m_k.graph);
}

void StiffAnchor::list_couplings(std::vector<Coupling>& list) const {
  list_lower_triangle(*m_k.graph, 0, list);
}

void StiffAnchor::write_hessian(const VectorXd& /*x*/, Curvature /*curvature*/,
                                std::span<double> blocks) const {
  write_lower_triangle(m_k, m_factor, blocks);
}

}  // namespace supple::fem
