// SPDX-License-Identifier: Apache-2.0
#include "point_kernels.hpp"

#include "float_vectors.hpp"
#include "warp.hpp"

#include "supple/format/layout.hpp"

#include <cstdint>
#include <cstring>

namespace supple::player {
namespace {

using format::kBlock;

/// One coordinate each of as many points as a register holds. What is summed over points is kept
/// for each of the sixteen lanes of a block, so that the order is the same whatever that number is.
using Points3 = Floats3;
inline constexpr std::size_t kPacks = kBlock / kWidth;

inline Points3 rows3(const float* p) {
  return {load_floats(p), load_floats(p + kBlock), load_floats(p + 2 * kBlock)};
}

inline Points3 splat3(const float v[3]) {
  return {splat_float(v[0]), splat_float(v[1]), splat_float(v[2])};
}

inline Points3 operator+(const Points3& a, const Points3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Points3 operator-(const Points3& a, const Points3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Points3 operator*(Floats s, const Points3& a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline Points3 cross(const Points3& a, const Points3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline Points3 turned(const Points3& w, Floats first, Floats second, const Points3& v) {
  const Points3 once = cross(w, v);
  return v + first * once + second * cross(w, once);
}

inline Floats choose(Ints mask, Floats a, Floats b) {
  return (Floats)(((Ints)a & mask) | ((Ints)b & ~mask));
}

/// Halves are added to each other, always the same ones.
inline float sum(const Floats (&packs)[kPacks]) {
  float parts[kBlock];
  std::memcpy(parts, packs, sizeof parts);
  for (std::size_t width = kBlock / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) parts[i] += parts[i + width];
  }
  return parts[0];
}

/// sin of any angle, good enough for gusts.
inline Floats gust_sine(Floats x) {
  constexpr float kRound = 0x1.8p23F;
  const Floats turns = x * 0.15915494309189533577F;
  const Floats r = (turns - ((turns + kRound) - kRound)) * 6.28318530717958647693F;
  // A parabola through the zeros, sharpened: within 1e-3 of the sine.
  const Floats size = choose(r < 0.0F, -r, r);
  const Floats y = r * (1.27323954473516268615F - 0.40528473456935108578F * size);
  const Floats height = choose(y < 0.0F, -y, y);
  return y * (0.775F + 0.225F * height);
}

/// What the modes make of some points.
struct State {
  Points3 p, w;
};

inline State sum_modes(const PointJob& job, const float* modes) {
  State s{};
  for (std::size_t k = 0; k < job.used; ++k, modes += format::kRows * kBlock) {
    const Floats q = splat_float(job.q[k]);
    s.p = s.p + q * rows3(modes);
    s.w = s.w + q * rows3(modes + 3 * kBlock);
  }
  return s;
}

/// -(alpha x r + spin x (spin x r)): what differs from point to point.
inline Points3 turning(const PointField& field, const Points3& r) {
  const Points3 spin = splat3(field.spin);
  const Points3 pull = cross(splat3(field.alpha), r) + cross(spin, cross(spin, r));
  return splat_float(-1) * pull;
}

inline Floats size_of(Floats x) {
  return choose(x < 0.0F, -x, x);
}

/// Speed of the medium across a point that does not move against the frame, in the point's own
/// axes, in which its area vector is that at rest.
inline Floats flow_across(const PointField& field, const Points3& place, const Points3& w,
                          const WarpFactors<Floats>& f, const Points3& area) {
  const Floats phase = dot3(splat3(field.gust_direction), place) + field.gust_phase;
  const Floats gust =
      field.gusts * (0.6F * gust_sine(phase) + 0.4F * gust_sine(2.7F * phase + 1.3F));
  const Points3 spinning = cross(splat3(field.spin), place);
  const Points3 flow = splat3(field.wind) + gust * splat3(field.ground) - spinning;
  const Points3 local = turned(splat_float(-1) * w, f.a, f.b, flow);
  return dot3(local, area) / (root(dot3(area, area)) + 1e-30F);
}

/// R^T F - F at rest of the points whose rows begin at `base`.
inline Points3 point_forces(const PointJob& job, const float* base, float* still, Floats& largest) {
  State s = sum_modes(job, base + format::kPointRows * kBlock);
  Floats z = dot3(s.w, s.w);
  largest = choose(z > largest, z, largest);
  if (!job.warp) {
    s.w = Points3{};
    z = Floats{};
  }
  const WarpFactors<Floats> f = warp_factors<Floats, Ints>(z, root(z));
  const Points3 rest = rows3(base);
  const Points3 place = rest + turned(s.w, f.b, f.c, s.p);
  const Floats mass = load_floats(base + 3 * kBlock);
  const Points3 uniform = splat3(job.field.acceleration);
  const Points3 before = uniform + turning(job.field, rest);
  const Points3 now = uniform + turning(job.field, place);
  const Points3 minus_w = splat_float(-1) * s.w;
  const Points3 force = mass * (turned(minus_w, f.a, f.b, now) - before);
  if (!(job.field.density > 0)) return force;
  const Points3 area = rows3(base + 4 * kBlock);
  const Floats across = flow_across(job.field, place, s.w, f, area);
  store_floats(still, across);
  return force + (job.field.density * size_of(across) * across) * area;
}

void forces(const PointJob& job) {
  const std::size_t rows = (format::kPointRows + format::kRows * job.modes) * kBlock;
  Floats largest{};
  for (std::size_t block = 0; block < job.blocks; ++block) {
    for (std::size_t lane = 0; lane < kBlock; lane += kWidth) {
      const Points3 force = point_forces(job, job.rows + block * rows + lane,
                                         job.still + kBlock * block + lane, largest);
      float* to = job.scratch + 3 * kBlock * block + lane;
      store_floats(to, force.x);
      store_floats(to + kBlock, force.y);
      store_floats(to + 2 * kBlock, force.z);
    }
  }
  for (std::size_t k = 0; k < job.used; ++k) {
    const float* modes = job.rows + (format::kPointRows + format::kRows * k) * kBlock;
    Floats along[kPacks] = {};
    for (std::size_t block = 0; block < job.blocks; ++block) {
      for (std::size_t i = 0; i < kPacks; ++i) {
        const std::size_t lane = i * kWidth;
        along[i] += dot3(rows3(modes + block * rows + lane),
                         rows3(job.scratch + 3 * kBlock * block + lane));
      }
    }
    job.force[k] = sum(along);
  }
  *job.largest_turn = 0;
  for (std::size_t i = 0; i < kWidth; ++i) {
    if (largest[i] > *job.largest_turn) *job.largest_turn = largest[i];
  }
}

/// Pressure is density |v| v. A point's own speed changes the flow across it from `still` to
/// `across`, and the pressure by so much times its speed: the slope between the two, never
/// negative.
inline Floats brake_slope(Floats still, Floats across) {
  const Floats a = size_of(still);
  const Floats b = size_of(across);
  const Floats product = still * across;
  const Floats together = choose(product > 0.0F, product, Floats{});
  return (a * a + b * b + 2.0F * together) / (a + b + 1e-30F);
}

void brakes(const BrakeJob& job) {
  for (std::size_t at = 0; at < job.points; at += kWidth) {
    Floats own{};
    for (std::size_t k = 0; k < job.modes; ++k) {
      own += splat_float(job.velocity[k]) * load_floats(job.across + k * job.points + at);
    }
    const Floats still = load_floats(job.still + at);
    const Floats slope = brake_slope(still, still - own);
    store_floats(job.weights + at, job.density * slope * load_floats(job.areas + at));
  }
  for (std::size_t k = 0; k < job.modes; ++k) {
    const float* row = job.across + k * job.points;
    for (std::size_t l = 0; l <= k; ++l) {
      const float* other = job.across + l * job.points;
      Floats along[kPacks] = {};
      for (std::size_t block = 0; block < job.points; block += kBlock) {
        for (std::size_t i = 0; i < kPacks; ++i) {
          const std::size_t at = block + i * kWidth;
          along[i] +=
              load_floats(job.weights + at) * load_floats(row + at) * load_floats(other + at);
        }
      }
      job.matrix[k * job.modes + l] = static_cast<double>(sum(along));
    }
  }
}

}  // namespace

const PointKernels SUPPLE_POINT_KERNELS{forces, brakes};

}  // namespace supple::player
