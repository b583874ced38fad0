// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "size.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

/// As many floats as a register holds, and their shuffles between x y z x y z ... and xx yy zz.
namespace supple::player {
namespace {

#if defined(__AVX512F__)
inline constexpr std::size_t kWidth = 16;
#elif defined(__AVX2__)
inline constexpr std::size_t kWidth = 8;
#else
inline constexpr std::size_t kWidth = 4;
#endif

using Floats = float __attribute__((vector_size(kWidth * 4)));
using Ints = std::int32_t __attribute__((vector_size(kWidth * 4)));

/// One coordinate each of kWidth vertices.
struct Floats3 {
  Floats x, y, z;
};

SUPPLE_INLINE Floats load_floats(const float* p) {
  Floats v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

SUPPLE_INLINE void store_floats(float* p, Floats v) {
  std::memcpy(p, &v, sizeof v);
}

SUPPLE_INLINE Floats load_row(const float* p) {
  return load_floats(p);
}

/// Sixteen bits to floats. By hand where g++ 12 would take the general conversion apart.
SUPPLE_INLINE Floats load_row(const std::int16_t* p) {
#if defined(__AVX512F__)
  const __m512i wide =
      _mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  return (Floats)_mm512_cvtepi32_ps(wide);
#elif defined(__AVX2__)
  const __m256i wide = _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  return (Floats)_mm256_cvtepi32_ps(wide);
#elif defined(__wasm_simd128__)
  // clang 14 would join both conversions and do them one number at a time.
  v128_t wide = wasm_i32x4_load16x4(p);
  __asm__("" : "+r"(wide));
  return (Floats)wasm_f32x4_convert_i32x4(wide);
#else
  // Each number into the upper half of its place, then shifted down with its sign.
  using EightShorts = std::int16_t __attribute__((vector_size(16)));
  std::int64_t four = 0;
  std::memcpy(&four, p, sizeof four);
  using TwoLongs = std::int64_t __attribute__((vector_size(16)));
  const auto low = (EightShorts)TwoLongs{four, 0};
  const EightShorts twice = __builtin_shufflevector(low, low, 0, 0, 1, 1, 2, 2, 3, 3);
  return __builtin_convertvector((Ints)twice >> 16, Floats);
#endif
}

SUPPLE_INLINE Floats splat_float(float x) {
  return x - Floats{};
}

/// About 1 / sqrt(x): the processor's estimate where it has one, otherwise the well-known first
/// guess and two of Newton's steps, good to 5e-6.
inline Floats estimated_inverse_root(Floats x) {
#if defined(__AVX512F__)
  // With a mask of everything: g++ 12 warns of its own undefined register in the plain form.
  return (Floats)_mm512_maskz_rsqrt14_ps(0xffff, (__m512)x);
#elif defined(__AVX2__)
  return (Floats)_mm256_rsqrt_ps((__m256)x);
#elif defined(__SSE2__)
  return (Floats)_mm_rsqrt_ps((__m128)x);
#else
  Floats y = (Floats)(0x5f375a86 - ((Ints)x >> 1));
  y = y * (1.5F - 0.5F * x * y * y);
  return y * (1.5F - 0.5F * x * y * y);
#endif
}

/// 1 / sqrt(x) to 3e-7, and something finite at 0.
inline Floats inverse_root(Floats x) {
  x += 1e-37F;
#if defined(__wasm_simd128__)
  // There is no estimate, and an exact root is quicker than three of Newton's steps.
  return 1.0F / (Floats)wasm_f32x4_sqrt((v128_t)x);
#else
  const Floats y = estimated_inverse_root(x);
  return y * (1.5F - 0.5F * x * y * y);
#endif
}

/// Exact, as IEEE says.
SUPPLE_INLINE Floats root(Floats x) {
#if defined(__wasm_simd128__)
  return (Floats)wasm_f32x4_sqrt((v128_t)x);
#else
  Floats y = {};
  for (std::size_t i = 0; i < kWidth; ++i) y[i] = __builtin_sqrtf(x[i]);
  return y;
#endif
}

/// Three registers x y z x y z ... one after the other.
struct Woven {
  Floats a, b, c;
};

#if defined(__wasm_simd128__)
// Engines turn a general shuffle of two registers into several instructions, but one that turns a
// single register or only chooses between two into one. Turned so that nothing has to move, the
// coordinates need nine of those either way.

/// Keeps clang from joining shuffles into general ones.
SUPPLE_INLINE Floats kept(Floats v) {
  __asm__("" : "+r"(v));
  return v;
}

inline Floats3 turned(const Floats3& v) {
  return {kept(__builtin_shufflevector(v.x, v.x, 0, 3, 2, 1)),
          kept(__builtin_shufflevector(v.y, v.y, 1, 0, 3, 2)),
          kept(__builtin_shufflevector(v.z, v.z, 2, 1, 0, 3))};
}

/// Places 0 and 3 of `outer`, 1 of `second`, 2 of `third`.
inline Floats chosen(Floats outer, Floats second, Floats third) {
  const Floats two = kept(__builtin_shufflevector(outer, second, 0, 5, 2, 3));
  return kept(__builtin_shufflevector(two, third, 0, 1, 6, 3));
}

inline Woven weave(const Floats3& v) {
  const Floats3 t = turned(v);
  return {chosen(t.x, t.y, t.z), chosen(t.y, t.z, t.x), chosen(t.z, t.x, t.y)};
}

inline Floats3 unweave(const Woven& w) {
  return turned({chosen(w.a, w.c, w.b), chosen(w.b, w.a, w.c), chosen(w.c, w.b, w.a)});
}
#else
using Lanes = std::make_integer_sequence<int, static_cast<int>(kWidth)>;
inline constexpr int kW = static_cast<int>(kWidth);

/// Place i of the three registers joined holds coordinate i % 3 of vertex i / 3. Two shuffles make
/// a register: the first picks what comes from a and b, the second adds c.
template <int Register, int... I>
inline Floats weave_register(Floats a, Floats b, Floats c, std::integer_sequence<int, I...>) {
  const Floats ab = __builtin_shufflevector(
      a, b,
      ((Register * kW + I) % 3 == 1 ? kW + (Register * kW + I) / 3 : (Register * kW + I) / 3)...);
  return __builtin_shufflevector(
      ab, c, ((Register * kW + I) % 3 == 2 ? kW + (Register * kW + I) / 3 : I)...);
}

inline Woven weave(const Floats3& v) {
  return {weave_register<0>(v.x, v.y, v.z, Lanes{}), weave_register<1>(v.x, v.y, v.z, Lanes{}),
          weave_register<2>(v.x, v.y, v.z, Lanes{})};
}

/// Coordinate of kWidth vertices out of three woven registers.
template <int Coordinate, int... I>
inline Floats pick_coordinate(Floats a, Floats b, Floats c, std::integer_sequence<int, I...>) {
  const Floats ab =
      __builtin_shufflevector(a, b, (3 * I + Coordinate < 2 * kW ? 3 * I + Coordinate : 0)...);
  return __builtin_shufflevector(ab, c,
                                 (3 * I + Coordinate < 2 * kW ? I : 3 * I + Coordinate - kW)...);
}

inline Floats3 unweave(const Woven& w) {
  return {pick_coordinate<0>(w.a, w.b, w.c, Lanes{}), pick_coordinate<1>(w.a, w.b, w.c, Lanes{}),
          pick_coordinate<2>(w.a, w.b, w.c, Lanes{})};
}
#endif

inline void store_woven(float* p, const Floats3& v) {
  const Woven w = weave(v);
  store_floats(p, w.a);
  store_floats(p + kWidth, w.b);
  store_floats(p + 2 * kWidth, w.c);
}

/// As store_woven of rest + v, without taking the rest shape apart first.
inline void store_woven(float* p, const float* rest, const Floats3& v) {
  const Woven w = weave(v);
  const Floats a = load_floats(rest) + w.a;
  const Floats b = load_floats(rest + kWidth) + w.b;
  const Floats c = load_floats(rest + 2 * kWidth) + w.c;
  store_floats(p, a);
  store_floats(p + kWidth, b);
  store_floats(p + 2 * kWidth, c);
}

inline Floats3 load_woven(const float* p) {
  return unweave({load_floats(p), load_floats(p + kWidth), load_floats(p + 2 * kWidth)});
}

SUPPLE_INLINE Floats dot3(const Floats3& a, const Floats3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline Floats3 unit(const Floats3& v) {
  const Floats scale = inverse_root(dot3(v, v));
  return {v.x * scale, v.y * scale, v.z * scale};
}

}  // namespace
}  // namespace supple::player
