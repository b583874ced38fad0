// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "size.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

/// Elementary functions of a register of doubles at once, from additions, multiplications and
/// shifts alone: the same bits on every machine, which no libm promises. Inline, so that each
/// instruction set gets its own.
namespace supple::player {
namespace {

#if defined(__AVX512F__)
inline constexpr std::size_t kDoubles = 8;
#elif defined(__AVX2__)
inline constexpr std::size_t kDoubles = 4;
#else
inline constexpr std::size_t kDoubles = 2;
#endif

using Doubles = double __attribute__((vector_size(kDoubles * 8)));
using Longs = std::int64_t __attribute__((vector_size(kDoubles * 8)));

SUPPLE_INLINE Doubles load(const double* p) {
  Doubles v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

SUPPLE_INLINE void store(double* p, Doubles v) {
  std::memcpy(p, &v, sizeof v);
}

SUPPLE_INLINE Doubles splat(double x) {
  return x - Doubles{};
}

/// mask ? a : b, for masks of all ones or zeros as comparisons give them.
SUPPLE_INLINE Doubles select(Longs mask, Doubles a, Doubles b) {
  return (Doubles)(((Longs)a & mask) | ((Longs)b & ~mask));
}

/// Adding it rounds to the nearest integer, which then stands in the low bits.
inline constexpr double kRounder = 0x1.8p52;

/// exp of -700 <= x <= 0, of one number or of several.
template <class F, class I>
inline F exp_in_range(F x) {
  constexpr double kLog2E = 1.4426950408889634074;
  constexpr double kLn2High = 6.93147180369123816490e-01;
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  const F rounded = x * kLog2E + kRounder;
  const F k = rounded - kRounder;
  const F r = (x - k * kLn2High) - k * kLn2Low;
  // Taylor: the first term left out is below 2e-17 at |r| = ln 2 / 2. In pairs of terms, which do
  // not wait for each other.
  const F r2 = r * r;
  const F r4 = r2 * r2;
  const F p2 = r * (1 / 6.0) + 0.5;
  const F p4 = r * (1 / 120.0) + 1 / 24.0;
  const F p6 = r * (1 / 5040.0) + 1 / 720.0;
  const F p8 = r * (1 / 362880.0) + 1 / 40320.0;
  const F p10 = r * (1 / 39916800.0) + 1 / 3628800.0;
  const F p12 = r * (1 / 6227020800.0) + 1 / 479001600.0;
  const F high = (p6 + r2 * p8) + r4 * (p10 + r2 * p12);
  const F p = 1.0 + (r + r2 * ((p2 + r2 * p4) + r4 * high));
  const I exponent = (__builtin_bit_cast(I, rounded) + 1023) << 52;
  return p * __builtin_bit_cast(F, exponent);
}

/// exp of x <= 0; below -700, where the true value is nothing to add to, exp(-700).
inline Doubles exp_of_negative(Doubles x) {
  return exp_in_range<Doubles, Longs>(select(x > -700.0, x, splat(-700)));
}
inline double exp_of_negative(double x) {
  return exp_in_range<double, std::uint64_t>(x > -700 ? x : -700);
}

/// Arguments from 0 to 1.6e6, so that the products with the quarter turn's first part are exact.
inline constexpr double kLargestAngle = 1e6;

inline void sin_cos(Doubles x, Doubles& sin, Doubles& cos) {
  constexpr double kTwoOverPi = 0.63661977236758134308;
  // A quarter turn in three parts of 33 bits, and the polynomials on an eighth to either side, as
  // in fdlibm.
  constexpr double kQuarter1 = 1.57079632673412561417e+00;
  constexpr double kQuarter2 = 6.07710050630396597660e-11;
  constexpr double kQuarter3 = 2.02226624879595063154e-21;
  const Doubles rounded = x * kTwoOverPi + kRounder;
  const Doubles k = rounded - kRounder;
  const Longs quarter = (Longs)rounded;
  const Doubles r = ((x - k * kQuarter1) - k * kQuarter2) - k * kQuarter3;
  const Doubles z = r * r;
  // In pairs of terms, as above.
  const Doubles z2 = z * z;
  const Doubles z4 = z2 * z2;
  const Doubles s0 = z * 8.33333333332248946124e-03 - 1.66666666666666324348e-01;
  const Doubles s2 = z * 2.75573137070700676789e-06 - 1.98412698298579493134e-04;
  const Doubles s4 = z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08;
  const Doubles s = r + r * z * (s0 + (z2 * s2 + z4 * s4));
  const Doubles c0 = z * -1.38888888888741095749e-03 + 4.16666666666666019037e-02;
  const Doubles c2 = z * -2.75573143513906633035e-07 + 2.48015872894767294178e-05;
  const Doubles c4 = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09;
  const Doubles c = 1.0 - (0.5 * z - z2 * (c0 + (z2 * c2 + z4 * c4)));
  const Longs odd = -(quarter & 1);
  const Longs sin_sign = (quarter & 2) << 62;
  const Longs cos_sign = ((quarter + 1) & 2) << 62;
  sin = (Doubles)((Longs)select(odd, c, s) ^ sin_sign);
  cos = (Doubles)((Longs)select(odd, s, c) ^ cos_sign);
}

}  // namespace
}  // namespace supple::player
