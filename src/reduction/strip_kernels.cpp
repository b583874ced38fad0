// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set; SUPPLE_STRIP_KERNELS names the result. Includes no header
// whose inline functions could leak wide instructions into the rest of the program.
#include "reduction/strip_kernels.hpp"

namespace supple::reduction {
namespace {

/// Outputs whose sums stay in registers, and right-hand sides processed together.
#if defined(__AVX512F__)
constexpr int kTile = 16;  // of 32 registers
#else
constexpr int kTile = 8;
#endif
constexpr int kStrip = 8;

/// Eight right-hand sides as one value, or a single one.
template <class Scalar, int Width>
struct Lanes {
  using Value = Scalar;
};
template <>
struct Lanes<float, kStrip> {
  using Value [[gnu::vector_size(kStrip * sizeof(float)), gnu::aligned(4), gnu::may_alias]] = float;
};
template <>
struct Lanes<double, kStrip> {
  using Value [[gnu::vector_size(kStrip * sizeof(double)), gnu::aligned(8), gnu::may_alias]] =
      double;
};

/// `Outputs` rows (Transposed: columns) of the panel times `Width` right-hand sides.
template <bool Transposed, int Outputs, int Width, class Scalar>
[[gnu::always_inline]] inline void subtract_tile(const Scalar* a, std::size_t ld, int count,
                                                 const Scalar* x, std::size_t width, Scalar* out) {
  using Value = typename Lanes<Scalar, Width>::Value;
  Value sum[Outputs] = {};
  for (int k = 0; k < count; ++k) {
    const Value row = *reinterpret_cast<const Value*>(x + static_cast<std::size_t>(k) * width);
    const Scalar* from =
        a + (Transposed ? static_cast<std::size_t>(k) : static_cast<std::size_t>(k) * ld);
#pragma GCC unroll 16
    for (int o = 0; o < Outputs; ++o) {
      sum[o] += from[static_cast<std::size_t>(o) * (Transposed ? ld : 1)] * row;
    }
  }
#pragma GCC unroll 16
  for (int o = 0; o < Outputs; ++o) {
    *reinterpret_cast<Value*>(out + static_cast<std::size_t>(o) * width) -= sum[o];
  }
}

template <bool Transposed, int Outputs, class Scalar>
[[gnu::always_inline]] inline void subtract_strips(const Scalar* a, std::size_t ld, int count,
                                                   const Scalar* x, int width, Scalar* out) {
  const auto stride = static_cast<std::size_t>(width);
  int c = 0;
  for (; c + kStrip <= width; c += kStrip) {
    subtract_tile<Transposed, Outputs, kStrip>(a, ld, count, x + c, stride, out + c);
  }
  for (; c < width; ++c) {
    subtract_tile<Transposed, Outputs, 1>(a, ld, count, x + c, stride, out + c);
  }
}

template <bool Transposed, class Scalar>
void subtract(const Scalar* a, std::size_t ld, int outputs, int count, const Scalar* x, int width,
              Scalar* out) {
  const std::size_t step = Transposed ? ld : 1;
  const auto stride = static_cast<std::size_t>(width);
  int o = 0;
  for (; o + kTile <= outputs; o += kTile) {
    const auto first = static_cast<std::size_t>(o);
    subtract_strips<Transposed, kTile>(a + first * step, ld, count, x, width, out + first * stride);
  }
  for (; o < outputs; ++o) {
    const auto first = static_cast<std::size_t>(o);
    subtract_strips<Transposed, 1>(a + first * step, ld, count, x, width, out + first * stride);
  }
}

}  // namespace

const StripKernelSet SUPPLE_STRIP_KERNELS{{subtract<false, float>, subtract<true, float>},
                                          {subtract<false, double>, subtract<true, double>}};

}  // namespace supple::reduction
