// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/reduction/multivector.hpp"

#include <cstdint>

namespace supple::reduction {

struct EigenSettings {
  int count = 20;           ///< number of pairs
  double tolerance = 1e-6;  ///< |r|_T / sqrt(lambda): error of a shape in the energy norm; the
                            ///< eigenvalue's relative error is its square
  int max_iterations = 0;   ///< 0: ten per pair and two hundred more
  int block = 0;            ///< directions added at a time; 0: a quarter of the count, 8 to 32
  std::uint64_t seed = 1;   ///< seed of the random start
  [[nodiscard]] Result<void> validate() const;
};

struct EigenPairs {
  Eigen::VectorXd values;     ///< ascending
  MultiVector vectors;        ///< Phi^T M Phi = I
  Eigen::VectorXd residuals;  ///< |K phi - lambda M phi| / |K phi|, recomputed at the end
  int iterations = 0;
};

/// The symmetric problem K phi = lambda M phi, K and M positive definite except on the span of
/// `deflated`. `unknowns` counts rows; rows in which M is zero stay zero.
struct EigenProblem {
  const LinearOperator& k;
  const LinearOperator& m;
  /// An approximate inverse of K or of K + shift M, symmetric and positive definite. An exact one
  /// makes this the block Lanczos method on the inverse; a rough one only costs iterations.
  const LinearOperator& approximate_inverse;
  Eigen::Index unknowns = 0;
  /// M-orthonormal vectors to exclude, such as rigid motions; may have no columns.
  MultiVector deflated;
  /// Initial guess; may have no columns.
  MultiVector guess;
};

/// The lowest pairs by block Davidson iteration with thick restarts: the space grows by the
/// approximate inverse applied to the residuals of the lowest pairs not yet found [GLS94, Kny01],
/// and Rayleigh-Ritz picks the best pairs in it. Blocks find repeated eigenvalues and let a solve
/// run on several right-hand sides at once.
[[nodiscard]] Result<EigenPairs> lowest_modes(const EigenProblem& problem,
                                              const EigenSettings& settings);

/// The same by a dense solver, for small problems or when most pairs are needed. The deflated
/// vectors must be the lowest pairs, as rigid motions are.
[[nodiscard]] Result<EigenPairs> lowest_modes_dense(const EigenProblem& problem, int count);

}  // namespace supple::reduction
