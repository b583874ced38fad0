// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/energy.hpp"
#include "supple/fem/solid_model.hpp"

#include <cstdint>
#include <vector>

namespace supple::fem {

/// How a solid answers to large deformations; all agree with linear elasticity for small ones.
enum class SolidLaw : std::uint8_t {
  /// mu/2 (|F|^2 - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2 [SGK18 without the logarithm, whose
  /// purpose is a barrier at F = 0]: finite for inverted elements, from which it recovers.
  StableNeoHookean,
  /// mu |E|^2 + lambda/2 (tr E)^2 with Green's strain E: gives way under strong compression.
  StVenantKirchhoff,
};

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
  /// The eigenvalues of each integration point are known in closed form [SGK19]: definite ones cost
  /// no more than exact ones.
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;

 private:
  struct Point;  ///< an integration point
  [[nodiscard]] std::size_t element_count() const { return m_lambda.size(); }
  [[nodiscard]] Point point(std::size_t element, std::size_t p) const;

  SolidLaw m_law;
  std::size_t m_nodes;                      ///< per element
  std::size_t m_points;                     ///< per element
  std::vector<geometry::Index> m_vertices;  ///< m_nodes per element
  std::vector<double> m_lambda, m_mu;       ///< Pa, per element
  std::vector<double> m_volumes;            ///< m^3, per point
  std::vector<double> m_gradients;          ///< 1/m, 3 per node and point
  std::vector<std::int64_t> m_part_start;   ///< per vertex from the first, into m_parts
  std::vector<std::int64_t> m_parts;        ///< places in m_vertices, ascending
  geometry::Index m_first;
};

/// kg per node, lumped as MassRule::Lumped does.
[[nodiscard]] Eigen::VectorXd lumped_masses(const SolidModel& model);

}  // namespace supple::fem
