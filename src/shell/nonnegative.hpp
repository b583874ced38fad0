// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <vector>

namespace supple::shell {

/// A sparse solution x >= 0 of A x = b.
struct NonnegativeFit {
  std::vector<Eigen::Index> columns;  ///< those with a weight, in the order of their choice
  std::vector<double> weights;        ///< positive
  double residual = 0;                ///< |A x - b| / |b|
};

/// Least squares with x >= 0 [LH74 chapter 23], adding one column at a time, until the residual is
/// below `tolerance` or `most` columns are in use. Unlike in the book, a column that has lost its
/// weight does not return, so that rounding cannot make it come and go forever: the weights are the
/// best for the columns chosen, but other columns might do better.
[[nodiscard]] NonnegativeFit fit_nonnegative(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                             std::size_t most, double tolerance);

}  // namespace supple::shell
