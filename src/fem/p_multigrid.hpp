// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/assembly.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/reduction/cholesky.hpp"

#include <array>
#include <memory>
#include <vector>

namespace supple::fem {

/// An approximate inverse of K + shift M for 10-node meshes too large to factor: Chebyshev
/// smoothing [ABHT03] on the quadratic mesh around an exact solve on the same mesh with 4-node
/// elements, whose factor is fifty times smaller. Symmetric and positive definite.
class PMultigrid final : public reduction::LinearOperator {
 public:
  /// `fine` must outlive the result.
  static Result<std::unique_ptr<PMultigrid>> create(const SolidModel& model,
                                                    const SolidMatrices& fine, double shift);
  void apply(const reduction::MultiVector& x, reduction::MultiVector& y) const override;

 private:
  explicit PMultigrid(const SolidMatrices& fine, double shift) : m_fine(fine), m_shift(shift) {}
  void link_levels(const SolidModel& model);
  void invert_diagonal();
  void estimate_largest();
  /// Linear interpolation of coarse nodal vectors onto the midside nodes, and its transpose.
  void prolong(const reduction::MultiVector& coarse, reduction::MultiVector& fine) const;
  void restrict(const reduction::MultiVector& fine, reduction::MultiVector& coarse) const;
  void multiply(const reduction::MultiVector& x, reduction::MultiVector& y) const;
  /// x += p(A) r for the smoothing polynomial p; r is overwritten with the new residual if
  /// `update_residual`.
  void smooth(reduction::MultiVector& r, reduction::MultiVector& x, bool update_residual) const;

  const SolidMatrices& m_fine;
  double m_shift;
  SolidMatrices m_coarse;
  std::unique_ptr<reduction::Cholesky<float>> m_factor;
  std::vector<std::array<geometry::Index, 2>>
      m_ends;                         ///< the two coarse nodes whose mean gives each fine node
  std::vector<std::int64_t> m_start;  ///< the reverse map, compressed by coarse node
  std::vector<geometry::Index> m_fine_node;
  std::vector<double> m_inverse_diagonal;  ///< 9 per fine node
  double m_largest = 0;                    ///< eigenvalue of D^-1 A, estimated from above
};

}  // namespace supple::fem
