// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/energy.hpp"
#include "supple/fem/solid_model.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace supple::fem {

/// How a solid answers to large deformations; all agree with linear elasticity for small ones.
enum class SolidLaw : std::uint8_t {
  /// mu/2 (|F|^2 - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2 [SGK18 without the logarithm, whose
  /// purpose is a barrier at F = 0]: finite for inverted elements, from which it recovers.
  StableNeoHookean,
  /// mu |E|^2 + lambda/2 (tr E)^2 with Green's strain E: gives way under strong compression.
  StVenantKirchhoff,
  /// mu/2 (J^(-2/3) |F|^2 - 3) + kappa/2 (J - 1)^2, kappa = lambda + 2/3 mu: what engineering
  /// programs mean by neo-Hookean, with C10 = mu/2 and D1 = 2/kappa. It separates change of shape
  /// from change of volume. Infinite for inverted elements, which no step leads to.
  NeoHookean,
};

struct ElementPoints;

/// The elastic energy of tetrahedra of four or ten nodes, integrated by one or four points each.
/// The nodes of the mesh are consecutive vertices of a scene.
class SolidEnergy final : public Energy {
 public:
  /// The model must be valid.
  SolidEnergy(const SolidModel& model, SolidLaw law, geometry::Index first_vertex = 0);

  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override;
  void list_couplings(std::vector<Coupling>& list) const override;
  /// The eigenvalues of each integration point, for definite ones, are known in closed form
  /// [SGK19].
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;
  /// Keeps elements from turning inside out under a law that does not allow it.
  [[nodiscard]] double longest_share(const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& step) override;

 private:
  SolidLaw m_law;
  std::shared_ptr<const ElementPoints> m_points;
};

/// kg per node, lumped as MassRule::Lumped does.
[[nodiscard]] Eigen::VectorXd lumped_masses(const SolidModel& model);

}  // namespace supple::fem
