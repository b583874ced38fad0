// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <vector>

namespace supple::reduction {

/// W = Q R for a matrix with many more rows than columns: fixed chunks of rows are factored side by
/// side, then their triangles on top of each other [DGHL12]. Orthogonal to rounding for
/// any W, also one without full rank, which Gram-Schmidt and Cholesky are not.
class TallQr {
 public:
  explicit TallQr(const Eigen::Ref<const Eigen::MatrixXd>& w);

  /// min(rows, columns) x columns, upper triangular.
  [[nodiscard]] Eigen::MatrixXd triangle() const;
  /// out = Q c, where c has as many rows as the triangle.
  void apply(const Eigen::MatrixXd& c, Eigen::Ref<Eigen::MatrixXd> out) const;

 private:
  /// Reflectors below the diagonal, the triangle above it, as LAPACK leaves them.
  struct Factor {
    Eigen::MatrixXd reflectors;
    Eigen::VectorXd scales;
    [[nodiscard]] Eigen::Index triangle_rows() const {
      return std::min(reflectors.rows(), reflectors.cols());
    }
    void compute();
    void apply_to(Eigen::MatrixXd& x) const;
  };

  Eigen::Index m_chunk_rows = 0;
  std::vector<Factor> m_chunks;
  Factor m_top;
};

}  // namespace supple::reduction
