// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/multivector.hpp"

#include "reduction/blas.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"
#include "supple/reduction/blas_kernels.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace supple::reduction {
namespace {

/// Rows per chunk: a function of the length alone, never of the number of threads.
std::size_t chunk_rows(Eigen::Index rows) {
  return std::max<std::size_t>(2048, static_cast<std::size_t>(rows) / 256);
}

int as_int(Eigen::Index value) {
  return static_cast<int>(value);
}

}  // namespace

Eigen::MatrixXd inner_products(const MultiVector& a, const MultiVector& b) {
  return inner_products(a, a.cols(), b);
}

Eigen::MatrixXd inner_products(const MultiVector& a, Eigen::Index columns, const MultiVector& b) {
  SUPPLE_CHECK_OP(a.rows(), ==, b.rows());
  prepare_blas();
  const std::size_t grain = chunk_rows(a.rows());
  Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(columns, b.cols());
  if (columns == 0 || b.cols() == 0) return zero;
  return parallel_reduce(
      static_cast<std::size_t>(a.rows()), grain, std::move(zero),
      [&](std::size_t begin, std::size_t end) {
        Eigen::MatrixXd partial(columns, b.cols());
        // Row-major operands are the transposes of column-major ones.
        blas::gemm(CblasColMajor, CblasNoTrans, CblasTrans, as_int(columns), as_int(b.cols()),
                   static_cast<int>(end - begin), 1.0, a.data() + begin * a.cols(),
                   as_int(a.cols()), b.data() + begin * b.cols(), as_int(b.cols()), 0.0,
                   partial.data(), as_int(columns));
        return partial;
      },
      [](Eigen::MatrixXd sum, const Eigen::MatrixXd& partial) {
        sum += partial;
        return sum;
      });
}

namespace {

void combine_rows(double factor, const MultiVector& a, const Eigen::MatrixXd& coefficients,
                  double keep, MultiVector& y) {
  SUPPLE_CHECK_OP(a.rows(), ==, y.rows());
  prepare_blas();
  if (coefficients.size() == 0) return;
  parallel_chunks(static_cast<std::size_t>(a.rows()), chunk_rows(a.rows()),
                  [&](std::size_t begin, std::size_t end) {
                    blas::gemm(CblasColMajor, CblasTrans, CblasNoTrans, as_int(coefficients.cols()),
                               static_cast<int>(end - begin), as_int(coefficients.rows()), factor,
                               coefficients.data(), as_int(coefficients.rows()),
                               a.data() + begin * a.cols(), as_int(a.cols()), keep,
                               y.data() + begin * y.cols(), as_int(y.cols()));
                  });
}

}  // namespace

void combine(const MultiVector& a, Eigen::Index columns, const Eigen::MatrixXd& coefficients,
             MultiVector& y) {
  SUPPLE_CHECK_OP(columns, ==, coefficients.rows());
  y.resize(a.rows(), coefficients.cols());
  combine_rows(1.0, a, coefficients, 0.0, y);
}

void add_combination(double factor, const MultiVector& a, Eigen::Index columns,
                     const Eigen::MatrixXd& coefficients, MultiVector& y) {
  SUPPLE_CHECK_OP(columns, ==, coefficients.rows());
  SUPPLE_CHECK_OP(y.cols(), ==, coefficients.cols());
  combine_rows(factor, a, coefficients, 1.0, y);
}

void combine_in_place(MultiVector& x, const Eigen::MatrixXd& coefficients) {
  SUPPLE_CHECK_OP(coefficients.rows(), <=, x.cols());
  SUPPLE_CHECK_OP(coefficients.cols(), <=, x.cols());
  prepare_blas();
  constexpr std::size_t kRows = 512;
  parallel_chunks(static_cast<std::size_t>(x.rows()), kRows,
                  [&](std::size_t begin, std::size_t end) {
                    const auto rows = static_cast<Eigen::Index>(end - begin);
                    MultiVector result(rows, coefficients.cols());
                    blas::gemm(CblasColMajor, CblasTrans, CblasNoTrans, as_int(coefficients.cols()),
                               as_int(rows), as_int(coefficients.rows()), 1.0, coefficients.data(),
                               as_int(coefficients.rows()), x.data() + begin * x.cols(),
                               as_int(x.cols()), 0.0, result.data(), as_int(result.cols()));
                    x.block(static_cast<Eigen::Index>(begin), 0, rows, result.cols()) = result;
                  });
}

}  // namespace supple::reduction
