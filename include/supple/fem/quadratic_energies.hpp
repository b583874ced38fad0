// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/energy.hpp"
#include "supple/reduction/block_matrix.hpp"

namespace supple::fem {

/// -f . x: forces in newtons that depend on nothing, such as weight.
class DeadLoad final : public Energy {
 public:
  explicit DeadLoad(Eigen::VectorXd force) : m_force(std::move(force)) {}
  [[nodiscard]] const Eigen::VectorXd& force() const { return m_force; }

  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override { return 0; }
  void list_couplings(std::vector<Coupling>& /*list*/) const override {}
  void write_hessian(const Eigen::VectorXd& /*x*/, Curvature /*curvature*/,
                     std::span<double> /*blocks*/) const override {}

 private:
  Eigen::VectorXd m_force;
};

/// m g on every vertex, masses in kg.
[[nodiscard]] Eigen::VectorXd weight(const Eigen::VectorXd& masses, const Eigen::Vector3d& gravity);

/// factor / 2 sum m |x - anchor|^2 over all vertices: inertia over one time step.
class MassAnchor final : public Energy {
 public:
  MassAnchor(const Eigen::VectorXd& masses, double factor, Eigen::VectorXd anchor)
      : m_masses(masses), m_factor(factor), m_anchor(std::move(anchor)) {}

  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override;
  void list_couplings(std::vector<Coupling>& list) const override;
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;

 private:
  const Eigen::VectorXd& m_masses;
  double m_factor;
  Eigen::VectorXd m_anchor;
};

/// factor / 2 (x - anchor)^T K (x - anchor) with a positive semidefinite K over all vertices:
/// damping over one time step.
class StiffAnchor final : public Energy {
 public:
  StiffAnchor(const reduction::BlockMatrix& k, double factor, Eigen::VectorXd anchor)
      : m_k(k), m_factor(factor), m_anchor(std::move(anchor)) {}

  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override;
  void list_couplings(std::vector<Coupling>& list) const override;
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;

 private:
  [[nodiscard]] Eigen::VectorXd force(const Eigen::VectorXd& x) const;

  const reduction::BlockMatrix& m_k;
  double m_factor;
  Eigen::VectorXd m_anchor;
};

}  // namespace supple::fem
