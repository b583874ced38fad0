// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace supple::reduction {

/// Products of a stretch of a factor's panel (column-major, leading dimension `ld`) with a few
/// right-hand sides (row-major, `width` numbers per row).
template <class Scalar>
struct PanelKernels {
  using Product = void(const Scalar* a, std::size_t ld, int outputs, int count, const Scalar* x,
                       int width, Scalar* out);
  Product* subtract_product;     ///< out[o] -= sum_j a(o, j) x[j], j < count
  Product* subtract_transposed;  ///< out[o] -= sum_i a(i, o) x[i], i < count
};

/// panel_kernels.cpp is compiled once per set of instructions; each defines one of these.
struct PanelKernelSet {
  PanelKernels<float> single;
  PanelKernels<double> twice;
};
extern const PanelKernelSet kPanelKernelsBaseline;
extern const PanelKernelSet kPanelKernelsAvx2;
extern const PanelKernelSet kPanelKernelsAvx512;

}  // namespace supple::reduction
