// SPDX-License-Identifier: Apache-2.0
#include "reduction/panel_solve.hpp"

#include "reduction/strip_kernels.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>

namespace supple::reduction {
namespace {

/// Columns eliminated at a time: few memory streams, yet long inner loops.
constexpr int kBlock = 16;
/// Rows or columns per task when a panel is spread over the threads.
constexpr std::size_t kPerTask = 128;

/// Runs body(begin, count), in parallel if requested.
template <class Body>
void in_parts(int count, bool parallel, const Body& body) {
  if (count <= 0) return;
  if (!parallel) return body(0, count);
  parallel_chunks(static_cast<std::size_t>(count), kPerTask,
                  [&](std::size_t begin, std::size_t end) {
                    body(static_cast<int>(begin), static_cast<int>(end - begin));
                  });
}

}  // namespace

template <class Scalar>
void forward_panel(int height, int columns, const Scalar* panel, int width, Scalar* own,
                   Scalar* update, bool parallel) {
  const auto subtract = strip_kernels<Scalar>().subtract_product;
  const auto ld = static_cast<std::size_t>(height);
  const auto stride = static_cast<std::size_t>(width);
  for (int first = 0; first < columns; first += kBlock) {
    const int count = std::min(kBlock, columns - first);
    const int next = first + count;
    Scalar* x = own + first * stride;
    const Scalar* diagonal = panel + first * ld + first;
    for (int i = 0; i < count; ++i) {
      subtract(diagonal + i, ld, 1, i, x, width, x + i * stride);
      const Scalar inverse = Scalar(1) / diagonal[i * ld + i];
      for (int c = 0; c < width; ++c) x[i * stride + c] *= inverse;
    }
    in_parts(columns - next, parallel, [&](int begin, int rows) {
      subtract(panel + first * ld + next + begin, ld, rows, count, x, width,
               own + (next + begin) * stride);
    });
    in_parts(height - columns, parallel, [&](int begin, int rows) {
      subtract(panel + first * ld + columns + begin, ld, rows, count, x, width,
               update + begin * stride);
    });
  }
}

template <class Scalar>
void backward_panel(int height, int columns, const Scalar* panel, int width, Scalar* own,
                    const Scalar* known, bool parallel) {
  const auto subtract = strip_kernels<Scalar>().subtract_transposed;
  const auto ld = static_cast<std::size_t>(height);
  const auto stride = static_cast<std::size_t>(width);
  // Subtract the known part for all columns at once.
  in_parts(columns, parallel, [&](int begin, int count) {
    subtract(panel + begin * ld + columns, ld, count, height - columns, known, width,
             own + begin * stride);
  });
  for (int last = columns; last > 0;) {
    const int first = (last - 1) / kBlock * kBlock;
    Scalar* x = own + first * stride;
    subtract(panel + first * ld + last, ld, last - first, columns - last, own + last * stride,
             width, x);
    const Scalar* diagonal = panel + first * ld + first;
    for (int j = last - first - 1; j >= 0; --j) {
      subtract(diagonal + j * ld + j + 1, ld, 1, last - first - 1 - j, x + (j + 1) * stride, width,
               x + j * stride);
      const Scalar inverse = Scalar(1) / diagonal[j * ld + j];
      for (int c = 0; c < width; ++c) x[j * stride + c] *= inverse;
    }
    last = first;
  }
}

template void forward_panel(int, int, const float*, int, float*, float*, bool);
template void forward_panel(int, int, const double*, int, double*, double*, bool);
template void backward_panel(int, int, const float*, int, float*, const float*, bool);
template void backward_panel(int, int, const double*, int, double*, const double*, bool);

}  // namespace supple::reduction
