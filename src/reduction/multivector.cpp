// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/multivector.hpp"

#include "reduction/strip_kernels.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>

namespace supple::reduction {
namespace {

/// Rows per chunk: depends only on the length, never on the number of threads.
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

namespace {

/// The width at which the strip kernels are fastest.
Eigen::Index padded(Eigen::Index width) {
  return (width + 7) / 8 * 8;
}

/// Rows [begin, end) with zeros up to the padded width.
MultiVector padded_rows(const MultiVector& x, std::size_t begin, std::size_t end) {
  const auto rows = static_cast<Eigen::Index>(end - begin);
  MultiVector copy = MultiVector::Zero(rows, padded(x.cols()));
  copy.leftCols(x.cols()) = x.middleRows(static_cast<Eigen::Index>(begin), rows);
  return copy;
}

}  // namespace

Eigen::MatrixXd inner_products(const MultiVector& a, Eigen::Index columns, const MultiVector& b) {
  SUPPLE_CHECK_OP(a.rows(), ==, b.rows());
  const Eigen::MatrixXd negative = parallel_reduce(
      static_cast<std::size_t>(a.rows()), chunk_rows(a.rows()),
      Eigen::MatrixXd(Eigen::MatrixXd::Zero(columns, b.cols())),
      [&](std::size_t begin, std::size_t end) {
        const MultiVector strip = padded_rows(b, begin, end);
        MultiVector partial = MultiVector::Zero(columns, strip.cols());
        strip_kernels<double>().subtract_product(
            a.data() + begin * a.cols(), static_cast<std::size_t>(a.cols()), as_int(columns),
            as_int(strip.rows()), strip.data(), as_int(strip.cols()), partial.data());
        return Eigen::MatrixXd(partial.leftCols(b.cols()));
      },
      [](Eigen::MatrixXd sum, const Eigen::MatrixXd& partial) {
        sum += partial;
        return sum;
      });
  return -negative;
}

namespace {

/// y <- keep y + factor a c, row by row.
void combine_rows(double factor, const MultiVector& a, const Eigen::MatrixXd& coefficients,
                  bool keep, MultiVector& y) {
  SUPPLE_CHECK_OP(a.rows(), ==, y.rows());
  const Eigen::Index width = coefficients.cols();
  MultiVector strip = MultiVector::Zero(coefficients.rows(), padded(width));
  strip.leftCols(width) = -factor * coefficients;
  constexpr std::size_t kRows = 512;
  parallel_chunks(
      static_cast<std::size_t>(a.rows()), kRows, [&](std::size_t begin, std::size_t end) {
        const auto first = static_cast<Eigen::Index>(begin);
        const auto rows = static_cast<Eigen::Index>(end - begin);
        MultiVector result =
            keep ? padded_rows(y, begin, end) : MultiVector::Zero(rows, strip.cols());
        strip_kernels<double>().subtract_transposed(
            a.data() + begin * a.cols(), static_cast<std::size_t>(a.cols()), as_int(rows),
            as_int(strip.rows()), strip.data(), as_int(strip.cols()), result.data());
        y.middleRows(first, rows).leftCols(width) = result.leftCols(width);
      });
}

}  // namespace

void combine(const MultiVector& a, Eigen::Index columns, const Eigen::MatrixXd& coefficients,
             MultiVector& y) {
  SUPPLE_CHECK_OP(columns, ==, coefficients.rows());
  y.resize(a.rows(), coefficients.cols());
  combine_rows(1.0, a, coefficients, false, y);
}

void add_combination(double factor, const MultiVector& a, Eigen::Index columns,
                     const Eigen::MatrixXd& coefficients, MultiVector& y) {
  SUPPLE_CHECK_OP(columns, ==, coefficients.rows());
  SUPPLE_CHECK_OP(y.cols(), ==, coefficients.cols());
  combine_rows(factor, a, coefficients, true, y);
}

void combine_in_place(MultiVector& x, const Eigen::MatrixXd& coefficients) {
  SUPPLE_CHECK_OP(coefficients.rows(), <=, x.cols());
  SUPPLE_CHECK_OP(coefficients.cols(), <=, x.cols());
  combine_rows(1.0, x, coefficients, false, x);  // each chunk is read before it is written
}

}  // namespace supple::reduction
