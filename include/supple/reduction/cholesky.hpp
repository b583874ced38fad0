// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/reduction/block_matrix.hpp"
#include "supple/reduction/symbolic_factor.hpp"

#include <memory>

namespace supple::reduction {

/// A sparse Cholesky factor of K + shift M by the multifrontal method [DR83].
///
/// We use our own factor instead of CHOLMOD's supernodal one for three reasons. It parallelises
/// over the tree and inside large fronts with single-threaded BLAS calls of fixed shapes, so that
/// the bits do not depend on the number of threads. It supports single precision, which is enough
/// for a preconditioner and takes half the time and memory. And it is not under the GPL.
template <class Scalar>
class Cholesky final : public LinearOperator {
 public:
  /// `m` may be null when `shift` is 0. Fails with NotConverged if a pivot is not positive.
  static Result<std::unique_ptr<Cholesky>> factorise(std::shared_ptr<const SymbolicFactor> symbolic,
                                                     const BlockMatrix& k, const NodeMatrix* m,
                                                     double shift);

  /// y = (K + shift M)^-1 x; x and y may be the same object.
  void apply(const MultiVector& x, MultiVector& y) const override;

 private:
  explicit Cholesky(std::shared_ptr<const SymbolicFactor> symbolic);
  struct Numeric;
  struct Solver;
  std::shared_ptr<const SymbolicFactor> m_symbolic;
  std::shared_ptr<Scalar[]> m_memory;         ///< memory of all panels
  std::vector<Scalar*> m_panels;              ///< per supernode, column-major
  std::vector<std::int32_t> m_subtree_roots;  ///< subtrees that run as one task each
  std::vector<std::int32_t> m_first_descendant;
  std::vector<std::int32_t> m_top;  ///< supernodes above them, ascending
};

extern template class Cholesky<float>;
extern template class Cholesky<double>;

}  // namespace supple::reduction
