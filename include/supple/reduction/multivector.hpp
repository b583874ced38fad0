// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace supple::reduction {

/// Several vectors side by side, one row per unknown: a sparse product touches one contiguous row
/// per nonzero, for any number of vectors.
using MultiVector = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A linear map between multivectors: y = A x. `y` is resized by the callee.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual void apply(const MultiVector& x, MultiVector& y) const = 0;

 protected:  // copied only as part of a derived object
  LinearOperator() = default;
  LinearOperator(const LinearOperator&) = default;
  LinearOperator(LinearOperator&&) = default;
  LinearOperator& operator=(const LinearOperator&) = default;
  LinearOperator& operator=(LinearOperator&&) = default;
};

/// A^T B. Rows are summed chunk by chunk in a fixed order: same bits for any number of threads.
[[nodiscard]] Eigen::MatrixXd inner_products(const MultiVector& a, const MultiVector& b);
/// The same with the first `columns` columns of `a`.
[[nodiscard]] Eigen::MatrixXd inner_products(const MultiVector& a, Eigen::Index columns,
                                             const MultiVector& b);

/// y = A(:, first columns) C, and y += factor A(:, first columns) C; y must not alias A.
void combine(const MultiVector& a, Eigen::Index columns, const Eigen::MatrixXd& coefficients,
             MultiVector& y);
void add_combination(double factor, const MultiVector& a, Eigen::Index columns,
                     const Eigen::MatrixXd& coefficients, MultiVector& y);

/// x <- x C for a C with at most as many columns as x, row by row, without a second multivector.
void combine_in_place(MultiVector& x, const Eigen::MatrixXd& coefficients);

}  // namespace supple::reduction
