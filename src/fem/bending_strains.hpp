// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/discrete_shell.hpp"
#include "supple/reduction/multivector.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <span>
#include <vector>

namespace supple::fem {

/// The energy of bending as 1/2 sum |s|^2 of strains s that are linear in the turns of the hinges,
/// th - th0, with factors that only the rest shape determines. So it does not change in rigid
/// motions, is zero at rest however curved that is, and bends as far as hinges turn.
class BendingStrains {
 public:
  /// One number per hinge, sqrt(6 k_B l0 / h0) (th - th0) [CWK07 eq. 3].
  [[nodiscard]] static BendingStrains of_hinges(const DiscreteShell& shell);
  /// Three numbers per triangle, the energy of a plate in its curvature k,
  /// D/2 ((1 - nu) |k|^2 + nu tr(k)^2) A with D = 6 k_B. bending_strains.cpp derives k.
  [[nodiscard]] static BendingStrains of_plates(const DiscreteShell& shell);

  struct Term {
    geometry::Index place = 0;  ///< edge of the shell; for the transpose, strain
    Eigen::Vector3d factor = Eigen::Vector3d::Zero();
  };
  [[nodiscard]] std::size_t size() const { return m_by_strain.start.size() - 1; }
  /// What the strain depends on, ascending.
  [[nodiscard]] std::span<const Term> terms(std::size_t strain) const {
    return m_by_strain.row(strain);
  }

  /// `turns` has a row per edge of the shell, strains and moments have three per strain and one per
  /// edge.
  [[nodiscard]] reduction::MultiVector strains(const reduction::MultiVector& turns) const;
  /// The transpose: derivatives of the energy with respect to the turns.
  [[nodiscard]] reduction::MultiVector moments(const reduction::MultiVector& strains) const;

 private:
  struct Rows {
    std::vector<std::int64_t> start{0};
    std::vector<Term> terms;
    [[nodiscard]] std::span<const Term> row(std::size_t i) const {
      return std::span(terms).subspan(static_cast<std::size_t>(start[i]),
                                      static_cast<std::size_t>(start[i + 1] - start[i]));
    }
  };
  void transpose(std::size_t edges);

  Rows m_by_strain;
  Rows m_by_edge;
};

}  // namespace supple::fem
