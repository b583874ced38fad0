// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace supple::reduction {

/// Products of a large matrix with a strip of a few right-hand sides (row-major, `width` numbers
/// per row, fastest for multiples of 8). The time is bound by reading the matrix, once; a general
/// matrix product would first copy it into tiles.
template <class Scalar>
struct StripKernels {
  using Product = void(const Scalar* a, std::size_t ld, int outputs, int count, const Scalar* x,
                       int width, Scalar* out);
  Product* subtract_product;     ///< out[o] -= sum_k a[o + k ld] x[k], k < count
  Product* subtract_transposed;  ///< out[o] -= sum_k a[k + o ld] x[k], k < count
};

/// The kernels for this CPU.
template <class Scalar>
const StripKernels<Scalar>& strip_kernels();
template <>
const StripKernels<float>& strip_kernels();
template <>
const StripKernels<double>& strip_kernels();

/// strip_kernels.cpp is compiled once per instruction set; each compilation defines one of these.
struct StripKernelSet {
  StripKernels<float> in_float;
  StripKernels<double> in_double;
};
extern const StripKernelSet kStripKernelsBaseline;
extern const StripKernelSet kStripKernelsAvx2;
extern const StripKernelSet kStripKernelsAvx512;

}  // namespace supple::reduction
