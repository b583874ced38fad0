// SPDX-License-Identifier: Apache-2.0
#include "reduction/strip_kernels.hpp"

namespace supple::reduction {
namespace {

const StripKernelSet& best() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    return kStripKernelsAvx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kStripKernelsAvx2;
#endif
  return kStripKernelsBaseline;
}

}  // namespace

template <>
const StripKernels<float>& strip_kernels() {
  static const StripKernels<float>& kernels = best().in_float;
  return kernels;
}

template <>
const StripKernels<double>& strip_kernels() {
  static const StripKernels<double>& kernels = best().in_double;
  return kernels;
}

}  // namespace supple::reduction
