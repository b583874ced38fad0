// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elementary.hpp"
#include "rigid.hpp"
#include "size.hpp"

#include <cstddef>
#include <cstdint>

/// Modal warping in closed form, never accumulated (docs/shells.md): with a turn w, th = |w|,
///   A = sin th / th,  B = (1 - cos th) / th^2,  C = (th - sin th) / th^3,
///   R = I + A [w] + B [w]^2,  Rt = integral_0^1 R(s w) ds = I + B [w] + C [w]^2.
namespace supple::player {
namespace {

template <class F>
struct WarpFactors {
  F a, b, c;
};

/// Below this th^2 series, above it the closed forms.
inline constexpr float kSeriesEnd = 1;

template <class F>
inline F sin_ratio_series(F z) {
  F sum = z * (1 / 362880.0F) - 1 / 5040.0F;
  sum = sum * z + 1 / 120.0F;
  sum = sum * z - 1 / 6.0F;
  return sum * z + 1.0F;
}
template <class F>
inline F cos_ratio_series(F z) {
  F sum = z * (1 / 3628800.0F) - 1 / 40320.0F;
  sum = sum * z + 1 / 720.0F;
  sum = sum * z - 1 / 24.0F;
  return sum * z + 0.5F;
}
template <class F>
inline F third_ratio_series(F z) {
  F sum = z * (1 / 39916800.0F) - 1 / 362880.0F;
  sum = sum * z + 1 / 5040.0F;
  sum = sum * z - 1 / 120.0F;
  return sum * z + 1 / 6.0F;
}

/// Single precision, to some 3e-7, for z = th^2 and its root. F is a vector of floats, I one of
/// integers of its size. With half the angle the signs of whole turns cancel: sin th = 2 s c and
/// 1 - cos th = 2 s^2, so that s and c are needed on a quarter turn to either side only.
template <class F, class I>
inline WarpFactors<F> warp_factors(F z, F th) {
  constexpr float kRound = 0x1.8p23F;
  constexpr float kInversePi = 0.318309886183790671538F;
  constexpr float kPiHigh = 3.140625F;
  constexpr float kPiLow = 9.67653589793e-4F;
  const F x = 0.5F * th;
  const F k = (x * kInversePi + kRound) - kRound;
  const F r = (x - k * kPiHigh) - k * kPiLow;
  const F y = r * r;
  F s = y * (-1 / 39916800.0F) + 1 / 362880.0F;
  s = s * y - 1 / 5040.0F;
  s = s * y + 1 / 120.0F;
  s = s * y - 1 / 6.0F;
  s = r + r * y * s;
  F c = y * (1 / 479001600.0F) - 1 / 3628800.0F;
  c = c * y + 1 / 40320.0F;
  c = c * y - 1 / 720.0F;
  c = c * y + 1 / 24.0F;
  c = c * y - 0.5F;
  c = c * y + 1.0F;
  const I small = z < kSeriesEnd;
  const F one = z - z + 1.0F;
  const F inverse = 1.0F / (F)(((I)z & ~small) | ((I)one & small));
  const F a = 2.0F * s * c * th * inverse;
  const F b = 2.0F * s * s * inverse;
  const auto choose = [small](F series, F closed) {
    return (F)(((I)series & small) | ((I)closed & ~small));
  };
  return {choose(sin_ratio_series(z), a), choose(cos_ratio_series(z), b),
          choose(third_ratio_series(z), (1.0F - a) * inverse)};
}

/// Double precision, with B' = dB/dth / th and C' = dC/dth / th, which the Jacobian of a position
/// needs: B' = (th sin th - 2 (1 - cos th)) / th^4, C' = (3 sin th - 2 th - th cos th) / th^5.
struct ExactWarp {
  double a, b, c, b_slope, c_slope;
};

SUPPLE_FOR_SIZE inline ExactWarp exact_warp(Vec3 w) {
  const double z = dot(w, w);
  ExactWarp f{};
  if (z < 0.25) {
    // The first term left out is below 1e-17.
    f = {0, 0, 0, 0, 0};
    double term = 1;  // z^n (-1)^n / (2n+1)!
    for (int n = 0; n < 11; ++n) {
      const double m = 2 * n;
      f.a += term;
      f.b += term / (m + 2);
      f.c += term / ((m + 2) * (m + 3));
      // dB/dz = sum n term_n / (2n+2) / z; B' = 2 dB/dz. Shifted by one so that nothing is divided.
      const double next = -term / ((m + 2) * (m + 3));
      f.b_slope += 2 * (n + 1) * next / (m + 4);
      f.c_slope += 2 * (n + 1) * next / ((m + 4) * (m + 5));
      term = next * z;
    }
    return f;
  }
  const double th = __builtin_sqrt(z);
  Doubles sine{};
  Doubles cosine{};
  sin_cos(splat(th < kLargestAngle ? th : kLargestAngle), sine, cosine);
  const double s = sine[0];
  const double c = cosine[0];
  f.a = s / th;
  f.b = (1 - c) / z;
  f.c = (th - s) / (z * th);
  f.b_slope = (th * s - 2 * (1 - c)) / (z * z);
  f.c_slope = (3 * s - 2 * th - th * c) / (z * z * th);
  return f;
}

/// v + first w x v + second w x (w x v).
inline Vec3 turned(Vec3 w, double first, double second, Vec3 v) {
  const Vec3 once = cross(w, v);
  return v + first * once + second * cross(w, once);
}

/// The change of Rt(w) p as p changes by phi and w by psi, exactly: J = Rt Phi + D Psi. Handles
/// that freeze Rt instead stall far from their target.
SUPPLE_FOR_SIZE inline Vec3 warped_change(Vec3 w, Vec3 p, const ExactWarp& f, Vec3 phi, Vec3 psi) {
  const Vec3 across = cross(w, p);
  const double along = dot(w, psi);
  return turned(w, f.b, f.c, phi) - f.b * cross(p, psi) + (f.b_slope * along) * across +
         f.c * (dot(w, p) * psi + dot(p, psi) * w - (2 * along) * p) +
         (f.c_slope * along) * cross(w, across);
}

}  // namespace
}  // namespace supple::player
