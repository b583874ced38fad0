// SPDX-License-Identifier: Apache-2.0
#include "filter_kernels.hpp"

#include "elementary.hpp"

namespace supple::player {
namespace {

static_assert(kLanes % kDoubles == 0);

struct Transition {
  Doubles a, b, d;
};

/// Below critical damping. Exact for constant force, where the recursion of [JP02 eq. 19] is right
/// for impulses only and is printed with the wrong sign of gamma.
Transition oscillating(const double* constants, std::size_t lanes, double h) {
  const Doubles xi_w = load(constants + kDecay * lanes);
  const Doubles angle = load(constants + kDampedFrequency * lanes) * h;
  Doubles sin;
  Doubles cos;
  // After so many turns nobody knows where in one it is: any phase is as good as another.
  sin_cos(select(angle < kLargestAngle, angle, splat(kLargestAngle)), sin, cos);
  const Doubles eps = exp_of_negative(-xi_w * h);
  const Doubles b = sin * load(constants + kInverseFrequency * lanes);
  const Doubles decayed = xi_w * b;
  return {eps * (cos + decayed), eps * b, eps * (cos - decayed)};
}

/// Past critical damping: two decays, whose difference is taken from its series while it is small.
SUPPLE_FOR_SIZE Transition creeping(const double* constants, std::size_t lanes, double h) {
  const Doubles slow = load(constants + kSlowRate * lanes);
  const Doubles fast = load(constants + kFastRate * lanes);
  const Doubles xi_w = load(constants + kDecay * lanes);
  const Doubles x = -load(constants + kCurvature * lanes) * (h * h);
  const Doubles e_slow = exp_of_negative(-slow * h);
  const Doubles e_fast = exp_of_negative(-fast * h);
  const Doubles gap = fast - slow;
  const Longs apart = x > 0.25;
  const Doubles safe_gap = select(apart, gap, splat(1));
  // sinh(sqrt x) / sqrt x and cosh(sqrt x) for x <= 1/4, to the last bit.
  Doubles sinhc = splat(1 / 6227020800.0);
  sinhc = sinhc * x + 1 / 39916800.0;
  sinhc = sinhc * x + 1 / 362880.0;
  sinhc = sinhc * x + 1 / 5040.0;
  sinhc = sinhc * x + 1 / 120.0;
  sinhc = sinhc * x + 1 / 6.0;
  sinhc = sinhc * x + 1.0;
  Doubles cosh = splat(1 / 87178291200.0);
  cosh = cosh * x + 1 / 479001600.0;
  cosh = cosh * x + 1 / 3628800.0;
  cosh = cosh * x + 1 / 40320.0;
  cosh = cosh * x + 1 / 720.0;
  cosh = cosh * x + 1 / 24.0;
  cosh = cosh * x + 0.5;
  cosh = cosh * x + 1.0;
  const Doubles eps = exp_of_negative(-xi_w * h);
  return {
      select(apart, (fast * e_slow - slow * e_fast) / safe_gap, eps * (cosh + xi_w * h * sinhc)),
      select(apart, (e_slow - e_fast) / safe_gap, eps * h * sinhc),
      select(apart, (fast * e_fast - slow * e_slow) / safe_gap, eps * (cosh - xi_w * h * sinhc))};
}

void transition(const double* constants, std::size_t lanes, std::size_t used, double h,
                double* rows) {
  for (std::size_t at = 0; at < used; at += kDoubles) {
    const double* group = constants + at;
    Transition t = oscillating(group, lanes, h);
    if (group[kCreeps * lanes] != 0) {
      const Transition slow = creeping(group, lanes, h);
      const Longs swings = load(group + kDampedFrequency * lanes) > 0.0;
      t = {select(swings, t.a, slow.a), select(swings, t.b, slow.b), select(swings, t.d, slow.d)};
    }
    store(rows + at, t.a);
    store(rows + lanes + at, t.b);
    store(rows + 2 * lanes + at, -load(group + kStiffness * lanes) * t.b);
    store(rows + 3 * lanes + at, t.d);
  }
}

void target(const double* constants, std::size_t lanes, std::size_t used, const Drive& drive,
            double* u) {
  for (std::size_t at = 0; at < used; at += kDoubles) {
    const double* group = constants + at;
    // Sums of their own, because each waits for its last addition.
    Doubles angular = splat(0);
    Doubles linear = splat(0);
    Doubles centrifugal = splat(0);
    for (std::size_t i = 0; i < 3; ++i) {
      angular += load(group + (kTransfer + i) * lanes) * drive.alpha[i];
      linear += load(group + (kTransfer + 3 + i) * lanes) * drive.acceleration[i];
    }
    for (std::size_t i = 0; i < 6; ++i) {
      centrifugal += load(group + (kCentrifugal + i) * lanes) * drive.s[i];
    }
    store(u + at, (angular + linear - centrifugal) * load(group + kCompliance * lanes));
  }
}

void advance(const double* rows, std::size_t lanes, std::size_t used, const double* u, double* q,
             double* q_dot) {
  for (std::size_t at = 0; at < used; at += kDoubles) {
    const Doubles goal = load(u + at);
    const Doubles away = load(q + at) - goal;
    const Doubles speed = load(q_dot + at);
    store(q + at, goal + (load(rows + at) * away + load(rows + lanes + at) * speed));
    store(q_dot + at, load(rows + 2 * lanes + at) * away + load(rows + 3 * lanes + at) * speed);
  }
}

void look_ahead(const double* rows, std::size_t lanes, std::size_t used, const double* u,
                const double* q, const double* q_dot, double* q_then) {
  for (std::size_t at = 0; at < used; at += kDoubles) {
    const Doubles goal = load(u + at);
    const Doubles away = load(q + at) - goal;
    store(q_then + at,
          goal + (load(rows + at) * away + load(rows + lanes + at) * load(q_dot + at)));
  }
}

void sweep(const double* before, const double* after, std::size_t lanes, std::size_t used,
           const double* u, const double* ahead, double* q, double* q_dot, double* q_then) {
  for (std::size_t at = 0; at < used; at += kDoubles) {
    const Doubles goal = load(u + at);
    Doubles away = load(q + at) - goal;
    Doubles speed = load(q_dot + at);
    Doubles place = goal;
    for (const double* rows : {before + at, after + at}) {
      place = goal + (load(rows) * away + load(rows + lanes) * speed);
      speed = load(rows + 2 * lanes) * away + load(rows + 3 * lanes) * speed;
      away = place - goal;
    }
    store(q + at, place);
    store(q_dot + at, speed);
    const Doubles then = load(ahead + at);
    store(q_then + at,
          then + (load(after + at) * (place - then) + load(after + lanes + at) * speed));
  }
}

void refine(const double* constants, const double* rows, std::size_t lanes, std::size_t used,
            const Refinement& by, const double* u, const double* last, const double* older,
            double* q, double* q_dot, double* ahead) {
  for (std::size_t at = 0; at < used; at += kDoubles) {
    const Doubles before = load(last + at);
    const Doubles change = load(u + at) - before;
    const Doubles bend = change - (before - load(older + at));
    const Doubles impulse = by.share * (load(constants + kStiffness * lanes + at) * bend);
    store(q + at, load(q + at) - load(rows + lanes + at) * impulse);
    store(q_dot + at, load(q_dot + at) - load(rows + 3 * lanes + at) * impulse);
    store(ahead + at, load(u + at) + (by.slope * change + by.curve * bend));
  }
}

}  // namespace

const FilterKernels SUPPLE_FILTER_KERNELS{transition, target, advance, look_ahead, sweep, refine};

}  // namespace supple::player
