// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/energy.hpp"
#include "supple/fem/sheet_model.hpp"

#include <memory>
#include <vector>

namespace supple::fem {

struct MembraneElements;

/// The energy of a sheet in its own plane, a function of the stretches s1 and s2 of each triangle,
/// the singular values of its 3 x 2 deformation gradient. Per area
///   t (mu/2 (s1 - s2)^2 + (lambda + mu)/2 (s1 s2 - 1)^2),
/// the stable neo-Hookean law of SolidLaw in two dimensions, with the lambda = E nu / (1 - nu^2) of
/// plane stress: for small strains it is the sheet of thickness t, E and nu. The first term is the
/// change of shape, the second that of area. We prefer it to St. Venant-Kirchhoff's law, which lets
/// a triangle collapse to a line: there this one still pushes back, in every direction.
///
/// Beyond a limit L a stretch costs t k/6 (s - L)^3 more (StretchLimit::Penalty), with
/// k = limit_stiffness E / stretch_limit; or, from half the limit on, a barrier
/// -t E (s - l)^2 ln((L - s) / (L - l)) grows without bounds towards L (StretchLimit::Hard), and
/// longest_share() keeps steps below it.
///
/// The vertices of the mesh are consecutive vertices of a scene.
class MembraneEnergy final : public Energy {
 public:
  /// The model must be valid.
  explicit MembraneEnergy(const SheetModel& model, geometry::Index first_vertex = 0);

  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override;
  void list_couplings(std::vector<Coupling>& list) const override;
  /// All six eigenvalues of a triangle are known in closed form: definite Hessians cost no more
  /// than exact ones.
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;
  [[nodiscard]] double longest_share(const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& step) override;

  /// The largest stretch of each triangle: 1 at rest.
  [[nodiscard]] std::vector<double> stretches(const Eigen::VectorXd& x) const;
  /// The triangle that is stretched furthest beyond its hard limit, or -1 if none is: the energy is
  /// infinite there, so no step can start.
  [[nodiscard]] geometry::Index beyond_limit(const Eigen::VectorXd& x) const;

 private:
  std::shared_ptr<const MembraneElements> m_elements;
};

}  // namespace supple::fem
