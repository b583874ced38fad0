// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/shell_energy.hpp"

#include "fem/graph_couplings.hpp"

#include <utility>

namespace supple::fem {

using Eigen::VectorXd;

ShellEnergy::ShellEnergy(DiscreteShell shell, geometry::Index first_vertex)
    : m_shell(std::move(shell)),
      m_first(first_vertex),
      m_definite(m_shell.only_bends() ? ShellHessian::GaussNewton : ShellHessian::Projected) {}

ShellEnergy::ShellEnergy(DiscreteShell shell, geometry::Index first_vertex, ShellHessian definite)
    : m_shell(std::move(shell)), m_first(first_vertex), m_definite(definite) {}

VectorXd ShellEnergy::nodes(const VectorXd& x) const {
  return x.segment(3 * Eigen::Index{m_first}, m_shell.rest().size());
}

EnergyValue ShellEnergy::value(const VectorXd& x) const {
  const double energy = m_shell.energy(nodes(x));
  return {energy, energy};  // a sum of squares
}

void ShellEnergy::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  gradient.segment(3 * Eigen::Index{m_first}, m_shell.rest().size()) += m_shell.gradient(nodes(x));
}

std::size_t ShellEnergy::coupling_count() const {
  return lower_triangle_size(*m_shell.rest_stiffness().graph);
}

void ShellEnergy::list_couplings(std::vector<Coupling>& list) const {
  list_lower_triangle(*m_shell.rest_stiffness().graph, m_first, list);
}

void ShellEnergy::write_hessian(const VectorXd& x, Curvature curvature,
                                std::span<double> blocks) const {
  const ShellHessian kind = curvature == Curvature::Definite ? m_definite : ShellHessian::Exact;
  write_lower_triangle(m_shell.stiffness(nodes(x), kind), 1, blocks);
}

}  // namespace supple::fem
