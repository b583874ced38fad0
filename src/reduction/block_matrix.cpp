// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/block_matrix.hpp"

#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>

namespace supple::reduction {
namespace {

constexpr std::size_t kRowGrain = 256;

/// Columns processed together: three rows of accumulators stay in registers.
constexpr Eigen::Index kRowStrip = 8;

// Compiled for the baseline and for wider vectors; the loader picks. Each lane does the same
// multiplications and additions in the same order (no contraction), so the bits agree.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define SUPPLE_WIDE_VECTORS [[gnu::target_clones("default", "arch=haswell", "arch=skylake-avx512")]]
#else
#define SUPPLE_WIDE_VECTORS
#endif

/// One node's three rows of y = A x for `Width` columns from `offset`.
template <int Width>
[[gnu::always_inline]] inline void block_row(const NodeGraph& graph, const double* blocks,
                                             const double* x, Eigen::Index stride,
                                             std::int64_t begin, std::int64_t end, double* y) {
  double y0[Width] = {};
  double y1[Width] = {};
  double y2[Width] = {};
  for (std::int64_t entry = begin; entry < end; ++entry) {
    const double* a = blocks + 9 * entry;
    const double* x0 = x + 3 * stride * graph.column[static_cast<std::size_t>(entry)];
    const double* x1 = x0 + stride;
    const double* x2 = x1 + stride;
    for (int c = 0; c < Width; ++c) {
      y0[c] += a[0] * x0[c] + a[1] * x1[c] + a[2] * x2[c];
      y1[c] += a[3] * x0[c] + a[4] * x1[c] + a[5] * x2[c];
      y2[c] += a[6] * x0[c] + a[7] * x1[c] + a[8] * x2[c];
    }
  }
  for (int c = 0; c < Width; ++c) {
    y[c] = y0[c];
    y[stride + c] = y1[c];
    y[2 * stride + c] = y2[c];
  }
}

SUPPLE_WIDE_VECTORS
void block_rows(const NodeGraph& graph, const double* blocks, const double* x, Eigen::Index columns,
                std::size_t first, std::size_t last, double* y) {
  for (std::size_t row = first; row < last; ++row) {
    const std::int64_t begin = graph.row_start[row];
    const std::int64_t end = graph.row_start[row + 1];
    double* y_row = y + 3 * row * columns;
    Eigen::Index c = 0;
    for (; c + kRowStrip <= columns; c += kRowStrip) {
      block_row<kRowStrip>(graph, blocks, x + c, columns, begin, end, y_row + c);
    }
    if (c + 4 <= columns) {
      block_row<4>(graph, blocks, x + c, columns, begin, end, y_row + c);
      c += 4;
    }
    if (c + 2 <= columns) {
      block_row<2>(graph, blocks, x + c, columns, begin, end, y_row + c);
      c += 2;
    }
    if (c < columns) block_row<1>(graph, blocks, x + c, columns, begin, end, y_row + c);
  }
}

/// `Width` numbers of one node's row of y = M x.
template <int Width>
[[gnu::always_inline]] inline void node_row(const NodeGraph& graph, const double* values,
                                            const double* x, Eigen::Index stride,
                                            std::int64_t begin, std::int64_t end, double* y) {
  double sum[Width] = {};
  for (std::int64_t entry = begin; entry < end; ++entry) {
    const double value = values[entry];
    const double* x_row = x + stride * graph.column[static_cast<std::size_t>(entry)];
    for (int c = 0; c < Width; ++c) sum[c] += value * x_row[c];
  }
  std::copy(sum, sum + Width, y);
}

SUPPLE_WIDE_VECTORS
void node_rows(const NodeGraph& graph, const double* values, const double* x, Eigen::Index columns,
               std::size_t first, std::size_t last, double* y) {
  const Eigen::Index width = 3 * columns;
  for (std::size_t row = first; row < last; ++row) {
    const std::int64_t begin = graph.row_start[row];
    const std::int64_t end = graph.row_start[row + 1];
    double* y_row = y + row * width;
    Eigen::Index c = 0;
    for (; c + 24 <= width; c += 24) {
      node_row<24>(graph, values, x + c, width, begin, end, y_row + c);
    }
    for (; c + 6 <= width; c += 6) {
      node_row<6>(graph, values, x + c, width, begin, end, y_row + c);
    }
    if (c < width) node_row<3>(graph, values, x + c, width, begin, end, y_row + c);
  }
}

}  // namespace

void BlockMatrix::apply(const MultiVector& x, MultiVector& y) const {
  SUPPLE_CHECK_OP(x.rows(), ==, 3 * Eigen::Index{graph->node_count()});
  y.resize(x.rows(), x.cols());
  parallel_chunks(static_cast<std::size_t>(graph->node_count()), kRowGrain,
                  [&](std::size_t first, std::size_t last) {
                    block_rows(*graph, blocks.data(), x.data(), x.cols(), first, last, y.data());
                  });
}

void NodeMatrix::apply(const MultiVector& x, MultiVector& y) const {
  SUPPLE_CHECK_OP(x.rows(), ==, 3 * Eigen::Index{graph->node_count()});
  y.resize(x.rows(), x.cols());
  parallel_chunks(static_cast<std::size_t>(graph->node_count()), kRowGrain,
                  [&](std::size_t first, std::size_t last) {
                    node_rows(*graph, values.data(), x.data(), x.cols(), first, last, y.data());
                  });
  for (const std::int64_t row : fixed) y.row(row).setZero();
}

}  // namespace supple::reduction
