// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/energy.hpp"

#include <algorithm>

namespace supple::fem {

using Eigen::VectorXd;

EnergyValue EnergySum::value(const VectorXd& x) const {
  EnergyValue total;
  for (const Energy* term : m_terms) total += term->value(x);
  return total;
}

void EnergySum::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  for (const Energy* term : m_terms) term->add_gradient(x, gradient);
}

std::size_t EnergySum::coupling_count() const {
  std::size_t total = 0;
  for (const Energy* term : m_terms) total += term->coupling_count();
  return total;
}

void EnergySum::list_couplings(std::vector<Coupling>& list) const {
  for (const Energy* term : m_terms) term->list_couplings(list);
}

/// Revisions only grow, so that their sum changes with any of them.
std::uint64_t EnergySum::revision() const {
  std::uint64_t total = 0;
  for (const Energy* term : m_terms) total += term->revision();
  return total;
}

void EnergySum::write_hessian(const VectorXd& x, Curvature curvature,
                              std::span<double> blocks) const {
  for (const Energy* term : m_terms) {
    const std::size_t size = 9 * term->coupling_count();
    term->write_hessian(x, curvature, blocks.first(size));
    blocks = blocks.subspan(size);
  }
}

void EnergySum::begin_step(const TimeStep& step) {
  for (Energy* term : m_terms) term->begin_step(step);
}

void EnergySum::follow(const VectorXd& x) {
  for (Energy* term : m_terms) term->follow(x);
}

double EnergySum::longest_share(const VectorXd& x, const VectorXd& step) {
  double share = 1;
  for (Energy* term : m_terms) share = std::min(share, term->longest_share(x, step));
  return share;
}

}  // namespace supple::fem
