// SPDX-License-Identifier: Apache-2.0
#include "point_kernels.hpp"

#include "warp.hpp"

#include "supple/format/layout.hpp"

#include <cstdint>
#include <cstring>

namespace supple::player {
namespace {

using format::kBlock;

// A whole block whatever the registers hold: the order of all sums is the same everywhere.
using Floats16 = float __attribute__((vector_size(4 * kBlock)));
using Ints16 = std::int32_t __attribute__((vector_size(4 * kBlock)));

struct Points3 {
  Floats16 x, y, z;
};

inline Floats16 row(const float* p) {
  Floats16 v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

inline Points3 rows3(const float* p) {
  return {row(p), row(p + kBlock), row(p + 2 * kBlock)};
}

inline Floats16 splat16(float x) {
  return x - Floats16{};
}

inline Points3 splat3(const float v[3]) {
  return {splat16(v[0]), splat16(v[1]), splat16(v[2])};
}

inline Points3 operator+(const Points3& a, const Points3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Points3 operator-(const Points3& a, const Points3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Points3 operator*(Floats16 s, const Points3& a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline Floats16 dot(const Points3& a, const Points3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Points3 cross(const Points3& a, const Points3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline Points3 turned(const Points3& w, Floats16 first, Floats16 second, const Points3& v) {
  const Points3 once = cross(w, v);
  return v + first * once + second * cross(w, once);
}

inline Floats16 root(Floats16 x) {
  Floats16 y = {};
  for (std::size_t i = 0; i < kBlock; ++i) y[i] = __builtin_sqrtf(x[i]);
  return y;
}

inline Floats16 select16(Ints16 mask, Floats16 a, Floats16 b) {
  return (Floats16)(((Ints16)a & mask) | ((Ints16)b & ~mask));
}

/// Halves are added to each other, always the same ones.
inline float sum(const Floats16& v) {
  float parts[kBlock];
  std::memcpy(parts, &v, sizeof parts);
  for (std::size_t width = kBlock / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) parts[i] += parts[i + width];
  }
  return parts[0];
}

/// sin of any angle, good enough for gusts.
inline Floats16 gust_sine(Floats16 x) {
  constexpr float kRound = 0x1.8p23F;
  const Floats16 turns = x * 0.15915494309189533577F;
  const Floats16 r = (turns - ((turns + kRound) - kRound)) * 6.28318530717958647693F;
  // A parabola through the zeros, sharpened: within 1e-3 of the sine.
  const Floats16 size = select16(r < 0.0F, -r, r);
  const Floats16 y = r * (1.27323954473516268615F - 0.40528473456935108578F * size);
  const Floats16 height = select16(y < 0.0F, -y, y);
  return y * (0.775F + 0.225F * height);
}

/// What the modes make of one block of points.
struct State {
  Points3 p, w, velocity;
};

inline State sum_modes(const PointJob& job, const float* modes, bool moving) {
  State s{};
  for (std::size_t k = 0; k < job.used; ++k, modes += format::kRows * kBlock) {
    const Floats16 q = splat16(job.q[k]);
    const Points3 phi = rows3(modes);
    s.p = s.p + q * phi;
    s.w = s.w + q * rows3(modes + 3 * kBlock);
    if (moving) s.velocity = s.velocity + splat16(job.q_dot[k]) * phi;
  }
  return s;
}

/// -(alpha x r + spin x (spin x r)): what differs from point to point.
inline Points3 turning(const PointField& field, const Points3& r) {
  const Points3 spin = splat3(field.spin);
  const Points3 pull = cross(splat3(field.alpha), r) + cross(spin, cross(spin, r));
  return splat16(-1) * pull;
}

/// Force of the air in the point's own axes, in which its area vector is that at rest.
inline Points3 wind_force(const PointField& field, const Points3& place, const Points3& w,
                          const WarpFactors<Floats16>& f, const Points3& velocity,
                          const Points3& area, Floats16 mass) {
  const Floats16 phase = dot(splat3(field.gust_direction), place) + field.gust_phase;
  const Floats16 gust =
      field.gusts * (0.6F * gust_sine(phase) + 0.4F * gust_sine(2.7F * phase + 1.3F));
  const Points3 spinning = cross(splat3(field.spin), place);
  const Points3 air = splat3(field.wind) + gust * splat3(field.ground) - spinning;
  const Points3 minus_w = splat16(-1) * w;
  const Points3 local = turned(minus_w, f.a, f.b, air) - velocity;
  const Floats16 size = root(dot(area, area)) + 1e-30F;
  const Floats16 across = dot(local, area) / size;
  const Floats16 pressure = field.density * select16(across < 0.0F, -across, across);
  // As an implicit step would brake a free point.
  const Floats16 held = 1.0F + field.step * pressure * size / (mass + 1e-30F);
  return (pressure * across / held) * area;
}

/// R^T F - F at rest of one block of points.
inline Points3 block_force(const PointJob& job, const float* base, Floats16& largest) {
  const bool windy = job.field.density > 0;
  State s = sum_modes(job, base + format::kPointRows * kBlock, windy);
  Floats16 z = dot(s.w, s.w);
  largest = select16(z > largest, z, largest);
  if (!job.warp) {
    s.w = Points3{};
    z = Floats16{};
  }
  const WarpFactors<Floats16> f = warp_factors<Floats16, Ints16>(z, root(z));
  const Points3 rest = rows3(base);
  const Points3 place = rest + turned(s.w, f.b, f.c, s.p);
  const Floats16 mass = row(base + 3 * kBlock);
  const Points3 uniform = splat3(job.field.acceleration);
  const Points3 before = uniform + turning(job.field, rest);
  const Points3 now = uniform + turning(job.field, place);
  const Points3 minus_w = splat16(-1) * s.w;
  const Points3 force = mass * (turned(minus_w, f.a, f.b, now) - before);
  if (!windy) return force;
  const Points3 area = rows3(base + 4 * kBlock);
  return force + wind_force(job.field, place, s.w, f, s.velocity, area, mass);
}

void forces(const PointJob& job) {
  const std::size_t rows = (format::kPointRows + format::kRows * job.modes) * kBlock;
  Floats16 largest{};
  for (std::size_t block = 0; block < job.blocks; ++block) {
    const Points3 force = block_force(job, job.rows + block * rows, largest);
    std::memcpy(job.scratch + 3 * kBlock * block, &force, sizeof force);
  }
  for (std::size_t k = 0; k < job.used; ++k) {
    const float* modes = job.rows + (format::kPointRows + format::kRows * k) * kBlock;
    Floats16 along{};
    for (std::size_t block = 0; block < job.blocks; ++block) {
      along += dot(rows3(modes + block * rows), rows3(job.scratch + 3 * kBlock * block));
    }
    job.force[k] = sum(along);
  }
  *job.largest_turn = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    if (largest[i] > *job.largest_turn) *job.largest_turn = largest[i];
  }
}

}  // namespace

const PointKernels SUPPLE_POINT_KERNELS{forces};

}  // namespace supple::player
