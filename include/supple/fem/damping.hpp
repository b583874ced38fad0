// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/discrete_shell.hpp"
#include "supple/fem/energy.hpp"
#include "supple/fem/sheet_model.hpp"
#include "supple/fem/solid_model.hpp"

#include <memory>
#include <vector>

namespace supple::fem {

struct ElementPoints;

/// Inner friction over one time step: a solid or a sheet resists changes of Green's strain E with a
/// stress of `seconds` times the moduli times its rate (Kelvin and Voigt). Over a step that is the
/// potential
///   b seconds / 2 integral E' : C : E',   E' = (E(x) - E*) / b,
/// with E* of the past [TimeStep]. Rigid motions leave E alone, so they are not damped at all,
/// unlike by Rayleigh's damping with the stiffness at rest. A vibration of w rad/s loses the share
/// seconds w / 2 of critical damping.
class StrainDamping final : public Energy {
 public:
  /// The models must be valid.
  StrainDamping(const SolidModel& model, double seconds, geometry::Index first_vertex = 0);
  StrainDamping(const SheetModel& model, double seconds, geometry::Index first_vertex = 0);

  void begin_step(const TimeStep& step) override;
  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override;
  void list_couplings(std::vector<Coupling>& list) const override;
  [[nodiscard]] std::uint64_t revision() const override { return m_revision; }
  /// The definite one leaves out negative stresses; the rest is a sum of squares.
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;

 private:
  std::shared_ptr<const ElementPoints> m_points;
  double m_seconds;
  double m_factor = 0;                  ///< seconds / b; 0 before the first step
  std::vector<Eigen::Matrix3d> m_past;  ///< E* per integration point
  std::uint64_t m_revision = 0;
};

/// The same for the bending of a shell: a moment of `seconds` times the stiffness times the rate of
/// the angles between its triangles.
class BendingDamping final : public Energy {
 public:
  BendingDamping(DiscreteShell shell, double seconds, geometry::Index first_vertex = 0);

  void begin_step(const TimeStep& step) override;
  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override;
  void list_couplings(std::vector<Coupling>& list) const override;
  [[nodiscard]] std::uint64_t revision() const override { return m_revision; }
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;

 private:
  [[nodiscard]] Eigen::VectorXd nodes(const Eigen::VectorXd& x) const;

  DiscreteShell m_shell;  ///< its rest angles are those of the past
  double m_seconds;
  double m_factor = 0;
  geometry::Index m_first;
  std::uint64_t m_revision = 0;
};

}  // namespace supple::fem
