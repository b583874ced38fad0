// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/energy.hpp"
#include "supple/simulator/contact_energy.hpp"

#include <Eigen/Core>

#include <array>
#include <vector>

namespace supple::simulator {

/// Coulomb's friction over one time step, lagged and smoothed [LFSJ20 section 5]: with the normal
/// forces N, closest points and normals of an earlier state,
///   sum mu N f(|u|),   f(y) = y,  but  y^2 / e - y^3 / (3 e^2) + e / 3  below  e = speed h,
/// of the sliding u since the step began, tangential to each contact. Its forces are mu N for
/// sliding faster than `speed` and fall to 0 with it below: whatever should stick creeps.
class FrictionEnergy final : public fem::Energy {
 public:
  /// `start`: positions when the step began. Contacts between vertices without friction are left
  /// out.
  void renew(const std::vector<ContactEnergy::Contact>& contacts, const ContactSurface& surface,
             const Eigen::VectorXd& start, double speed, double h);
  void clear();

  [[nodiscard]] fem::EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override { return 10 * m_contacts.size(); }
  void list_couplings(std::vector<fem::Coupling>& list) const override;
  [[nodiscard]] std::uint64_t revision() const override { return m_revision; }
  /// The energy is convex: exact and definite are the same.
  void write_hessian(const Eigen::VectorXd& x, fem::Curvature curvature,
                     std::span<double> blocks) const override;

 private:
  struct Sliding {
    std::array<Index, 4> vertices{};
    contact::Weights weights;
    Eigen::Matrix<double, 3, 2> tangents;  ///< orthonormal
    double limit = 0;                      ///< N, mu times the normal force
    Eigen::Vector2d start;                 ///< m, the relative position when the step began
  };
  [[nodiscard]] static Eigen::Vector2d place(const Sliding& contact, const Eigen::VectorXd& x);

  std::vector<Sliding> m_contacts;
  double m_smooth = 1;  ///< m, e above
  std::uint64_t m_revision = 0;
};

}  // namespace supple::simulator
