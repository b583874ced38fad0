// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/contact/barrier.hpp"
#include "supple/fem/energy.hpp"
#include "supple/simulator/contact_energy.hpp"

#include <Eigen/Core>

#include <array>
#include <span>

namespace supple::simulator {

/// The four vertices of a pair, gathered from the positions of a scene.
inline contact::Stencil gather(const std::array<Index, 4>& vertices, const Eigen::VectorXd& x) {
  contact::Stencil stencil;
  for (int i = 0; i < 4; ++i) {
    stencil.col(i) = x.segment<3>(3 * Eigen::Index{vertices[static_cast<std::size_t>(i)]});
  }
  return stencil;
}

inline contact::Closest closest_of(PairKind kind, const contact::Stencil& x) {
  return kind == PairKind::PointTriangle ? contact::closest_point_triangle(x)
                                         : contact::closest_edges(x);
}

/// How many of the four vertices belong to the first primitive.
inline int first_primitive_size(PairKind kind) {
  return kind == PairKind::PointTriangle ? 1 : 2;
}

/// A 3 x 3 block as energies write it, row by row.
inline auto block_at(double* first) {
  return Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(first);
}

/// Lists the ten blocks of a stencil's lower triangle.
inline void list_stencil(const std::array<Index, 4>& vertices, std::vector<fem::Coupling>& list) {
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b <= a; ++b) list.push_back({vertices[a], vertices[b]});
  }
}

/// Writes them, in the same order.
inline void write_stencil(const contact::Hessian& hessian, std::span<double> blocks) {
  double* out = blocks.data();
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b <= a; ++b, out += 9) {
      block_at(out) = hessian.block<3, 3>(3 * a, 3 * b);
    }
  }
}

inline void scatter(const std::array<Index, 4>& vertices, const contact::Gradient& gradient,
                    Eigen::VectorXd& sum) {
  for (int i = 0; i < 4; ++i) {
    sum.segment<3>(3 * Eigen::Index{vertices[static_cast<std::size_t>(i)]}) +=
        gradient.segment<3>(3 * i);
  }
}

/// stiffness fade(x) b(d(x) - thickness) of one pair, with its derivatives. `rest` are the lengths
/// of two edges at rest.
class PairEnergy {
 public:
  PairEnergy(const ContactPair& pair, const contact::Barrier& barrier, const Eigen::VectorXd& rest,
             const contact::Stencil& x);

  [[nodiscard]] double gap() const { return m_gap; }
  [[nodiscard]] bool acts() const { return m_acts; }
  [[nodiscard]] const contact::Closest& closest() const { return m_closest; }
  [[nodiscard]] double value() const;
  /// N, that presses the primitives apart.
  [[nodiscard]] double force() const;
  [[nodiscard]] contact::Gradient gradient() const;
  [[nodiscard]] contact::Hessian hessian(fem::Curvature curvature) const;

 private:
  const ContactPair& m_pair;
  const contact::Stencil& m_x;
  contact::Closest m_closest;
  double m_gap;
  bool m_acts;
  contact::Curve m_barrier;
  contact::ParallelFade m_fade;
};

/// The matrix without its negative eigenvalues. It must not change when all vertices move alike: so
/// 9 of its 12 dimensions are enough.
[[nodiscard]] contact::Hessian definite_part(const contact::Hessian& hessian);

}  // namespace supple::simulator
