// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/discrete_shell.hpp"
#include "supple/fem/energy.hpp"

namespace supple::fem {

/// The elastic energy of a shell whose nodes are consecutive vertices of a scene.
class ShellEnergy final : public Energy {
 public:
  /// Of a shell that resists bending alone, beside a membrane, the definite Hessian is Gauss and
  /// Newton's, at a fifth of the time; of others it is projected.
  explicit ShellEnergy(DiscreteShell shell, geometry::Index first_vertex = 0);
  ShellEnergy(DiscreteShell shell, geometry::Index first_vertex, ShellHessian definite);

  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override;
  void list_couplings(std::vector<Coupling>& list) const override;
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;

 private:
  [[nodiscard]] Eigen::VectorXd nodes(const Eigen::VectorXd& x) const;

  DiscreteShell m_shell;
  geometry::Index m_first;
  ShellHessian m_definite;
};

}  // namespace supple::fem
