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
inline constexpr std::size_t kPointPacks = kBlock / kWidth;

inline Points3 rows3(const float* p) {
  return {load_floats(p), load_floats(p + kBlock), load_floats(p + 2 * kBlock)};
}

inline void store3(float* p, const Points3& v) {
  store_floats(p, v.x);
  store_floats(p + kBlock, v.y);
  store_floats(p + 2 * kBlock, v.z);
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
inline float sum(const Floats (&packs)[kPointPacks]) {
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

/// Whether forces differ from point to point at all.
inline bool turns(const PointField& field) {
  bool any = false;
  for (int i = 0; i < 3; ++i) any = any || field.alpha[i] != 0 || field.spin[i] != 0;
  return any;
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

/// A turn hangs as well one whole turn further, where a soft shell that was flung would stay wound
/// round itself. Beyond half a turn the load pulls it back, as a spring of |c| |a| would.
inline Floats unwinding(Floats th, Floats lever_square, Floats acceleration_square) {
  constexpr float kHalfTurn = 3.14159265358979323846F;
  const Floats beyond = choose(th > kHalfTurn, th - kHalfTurn, Floats{});
  return root(lever_square * acceleration_square) * beyond / (th + 1e-30F);
}

/// What acts on some points beyond what acts at rest, in their own axes: moments go with turns,
/// forces with displacements.
struct Loads {
  Points3 force, moment;
};

/// Of the points whose rows begin at `base`; forces only where there can be any.
inline Loads point_loads(const PointJob& job, const float* base, bool forced, float* still,
                         Floats& largest) {
  State s = sum_modes(job, base + format::kPointRows * kBlock);
  Floats z = dot3(s.w, s.w);
  largest = choose(z > largest, z, largest);
  if (!job.warp) {
    s.w = Points3{};
    z = Floats{};
  }
  const Floats th = root(z);
  const WarpFactors<Floats> f = warp_factors<Floats, Ints>(z, th);
  const Points3 acceleration = splat3(job.field.acceleration);
  const Points3 lever = rows3(base + 7 * kBlock);
  const Points3 minus_w = splat_float(-1) * s.w;
  const Points3 pulled = cross(turned(s.w, f.a, f.b, lever), acceleration);
  Loads loads{};
  loads.moment = turned(minus_w, f.b, f.c, pulled) - cross(lever, acceleration) -
                 unwinding(th, dot3(lever, lever), dot3(acceleration, acceleration)) * s.w;
  if (!forced) return loads;
  const Points3 rest = rows3(base);
  const Points3 place = rest + turned(s.w, f.b, f.c, s.p);
  const Floats mass = load_floats(base + 3 * kBlock);
  const Points3 centre = splat3(job.field.centre);
  const Points3 now = turning(job.field, place - centre);
  loads.force = mass * (turned(minus_w, f.a, f.b, now) - turning(job.field, rest - centre));
  if (!(job.field.density > 0)) return loads;
  const Points3 area = rows3(base + 4 * kBlock);
  const Floats across = flow_across(job.field, place, s.w, f, area);
  store_floats(still, across);
  loads.force = loads.force + (job.field.density * size_of(across) * across) * area;
  return loads;
}

void forces(const PointJob& job) {
  const std::size_t rows = (format::kPointRows + format::kRows * job.modes) * kBlock;
  const bool forced = job.field.density > 0 || turns(job.field);
  Floats largest{};
  for (std::size_t block = 0; block < job.blocks; ++block) {
    for (std::size_t lane = 0; lane < kBlock; lane += kWidth) {
      const Loads loads = point_loads(job, job.rows + block * rows + lane, forced,
                                      job.still + kBlock * block + lane, largest);
      float* to = job.scratch + 6 * kBlock * block + lane;
      store3(to, loads.moment);
      if (forced) store3(to + 3 * kBlock, loads.force);
    }
  }
  for (std::size_t k = 0; k < job.used; ++k) {
    const float* modes = job.rows + (format::kPointRows + format::kRows * k) * kBlock;
    Floats along[kPointPacks] = {};
    for (std::size_t block = 0; block < job.blocks; ++block) {
      for (std::size_t i = 0; i < kPointPacks; ++i) {
        const std::size_t lane = i * kWidth;
        const float* from = modes + block * rows + lane;
        const float* loads = job.scratch + 6 * kBlock * block + lane;
        along[i] += dot3(rows3(from + 3 * kBlock), rows3(loads));
        if (forced) along[i] += dot3(rows3(from), rows3(loads + 3 * kBlock));
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
      Floats along[kPointPacks] = {};
      for (std::size_t block = 0; block < job.points; block += kBlock) {
        for (std::size_t i = 0; i < kPointPacks; ++i) {
          const std::size_t at = block + i * kWidth;
          along[i] +=
              load_floats(job.weights + at) * load_floats(row + at) * load_floats(other + at);
        }
      }
      job.matrix[k * job.modes + l] = static_cast<double>(sum(along));
    }
  }
}

/// Twice the area of triangles.
inline Floats double_area(const Points3 (&x)[3]) {
  const Points3 across = cross(x[1] - x[0], x[2] - x[0]);
  return root(dot3(across, across));
}

/// Relative, of the triangles whose rows begin at `base`.
inline Floats area_change(const StretchJob& job, const float* base, Floats& largest) {
  Points3 rest[3];
  Points3 x[3];
  for (std::size_t i = 0; i < 3; ++i) {
    rest[i] = rows3(base + 3 * i * kBlock);
    const float* modes = base + (kTriangleRows + 6 * i) * kBlock;
    Points3 p{};
    Points3 w{};
    for (std::size_t k = 0; k < job.used; ++k, modes += kTriangleModeRows * kBlock) {
      const Floats q = splat_float(job.q[k]);
      p = p + q * rows3(modes);
      w = w + q * rows3(modes + 3 * kBlock);
    }
    const Floats z = dot3(w, w);
    largest = choose(z > largest, z, largest);
    const WarpFactors<Floats> f = warp_factors<Floats, Ints>(z, root(z));
    x[i] = rest[i] + turned(w, f.b, f.c, p);
  }
  return double_area(x) / (double_area(rest) + 1e-30F) - 1.0F;
}

void stretch(const StretchJob& job) {
  const std::size_t rows = (kTriangleRows + kTriangleModeRows * job.modes) * kBlock;
  Floats change[kPointPacks] = {};
  Floats largest{};
  for (std::size_t block = 0; block < job.blocks; ++block) {
    for (std::size_t i = 0; i < kPointPacks; ++i) {
      const float* base = job.rows + block * rows + i * kWidth;
      const Floats relative = area_change(job, base, largest);
      change[i] += load_floats(base + 9 * kBlock) * relative * relative;
    }
  }
  *job.area = sum(change);
  *job.turn = 0;
  for (std::size_t i = 0; i < kWidth; ++i) {
    if (largest[i] > *job.turn) *job.turn = largest[i];
  }
}

}  // namespace

const PointKernels SUPPLE_POINT_KERNELS{forces, brakes, stretch};

}  // namespace supple::player
