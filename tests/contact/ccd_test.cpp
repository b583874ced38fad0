// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/ccd.hpp"

#include "contact/stencils.hpp"
#include "supple/core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace supple::contact::testing {
namespace {

/// Proves that two primitives stay further apart than a thickness during a motion, without closest
/// points: the difference of a point of the one and a point of the other is linear in time and in
/// each of its two coordinates on the primitives, so over a box of these three numbers it lies
/// within the hull of its eight corner values [WFS21]. Boxes whose hull may come too close to zero
/// are halved. Rounding is bounded, so a proof is a proof.
class Separation {
 public:
  /// Over the first `share` of the motion: what comes later must not add to the rounding.
  Separation(const Motion& motion, double share, double thickness, bool edges)
      : m_edges(edges), m_thickness(thickness) {
    m_from = motion.from.colwise() - motion.from.col(0);
    m_to = m_from + share * (motion.to - motion.from);
    const double size = std::max(m_from.cwiseAbs().maxCoeff(), m_to.cwiseAbs().maxCoeff());
    m_error = 64 * std::numeric_limits<double>::epsilon() * size;
  }

  [[nodiscard]] bool proved() const {
    std::vector<Region> open{{{0, 0, 0}, {1, 1, 1}}};
    int left = 400'000;
    while (!open.empty()) {
      const Region region = open.back();
      open.pop_back();
      if (!m_edges && region.low[1] + region.low[2] > 1) continue;  // outside the triangle
      if (stays_away(region)) continue;
      if (--left == 0) return false;
      // Halve the side along which the difference varies most.
      const std::size_t axis = widest(region);
      const double middle = 0.5 * (region.low[axis] + region.high[axis]);
      if (middle == region.low[axis] || middle == region.high[axis]) return false;
      Region first = region;
      Region second = region;
      first.high[axis] = middle;
      second.low[axis] = middle;
      open.push_back(second);
      open.push_back(first);
    }
    return true;
  }

 private:
  struct Region {
    std::array<double, 3> low, high;  // time, u, v
  };

  [[nodiscard]] Vec3 difference(double time, double u, double v) const {
    const Weights weights =
        m_edges ? Weights(1 - u, u, -(1 - v), -v) : Weights(1, -(1 - u - v), -u, -v);
    return (1 - time) * (m_from * weights) + time * (m_to * weights);
  }

  [[nodiscard]] bool stays_away(const Region& r) const {
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
    Vec3 high = -low;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 value = difference((corner & 1) != 0 ? r.high[0] : r.low[0],
                                    (corner & 2) != 0 ? r.high[1] : r.low[1],
                                    (corner & 4) != 0 ? r.high[2] : r.low[2]);
      low = low.cwiseMin(value);
      high = high.cwiseMax(value);
    }
    const Vec3 clearance = low.cwiseMax(-high).array() - m_error;
    return clearance.cwiseMax(0.0).norm() > m_thickness;
  }

  [[nodiscard]] std::size_t widest(const Region& r) const {
    const Vec3 origin = difference(r.low[0], r.low[1], r.low[2]);
    const std::array<double, 3> change{(difference(r.high[0], r.low[1], r.low[2]) - origin).norm(),
                                       (difference(r.low[0], r.high[1], r.low[2]) - origin).norm(),
                                       (difference(r.low[0], r.low[1], r.high[2]) - origin).norm()};
    return static_cast<std::size_t>(std::max_element(change.begin(), change.end()) -
                                    change.begin());
  }

  bool m_edges;
  double m_thickness;
  Stencil m_from;
  Stencil m_to;
  double m_error = 0;
};

/// Random motions, most of them towards a collision, and the degenerate kinds that trouble other
/// methods: coplanar and parallel primitives, points over edges and vertices, triangles without
/// width, motions far longer than the gap, lengths from micrometres to kilometres.
Motion random_motion(Random& random) {
  Motion motion{random_stencil(random), random_stencil(random)};
  const std::uint64_t kind = random.below(10);
  if (kind == 1) {  // everything in one plane
    motion.from.row(2).setZero();
    motion.to.row(2).setZero();
  } else if (kind == 2) {  // one plane at the end
    motion.to.row(1).setConstant(0.25);
  } else if (kind == 3) {  // parallel edges, or a point over an edge
    motion.from.col(3) = motion.from.col(2) + 0.7 * (motion.from.col(1) - motion.from.col(0));
    motion.to.col(3) = motion.to.col(2) + 0.7 * (motion.to.col(1) - motion.to.col(0));
  } else if (kind == 4) {  // towards a vertex
    motion.to.col(0) = motion.to.col(2);
  } else if (kind == 5) {  // degenerate primitives
    motion.from.col(2) = motion.from.col(3);
    motion.to.col(2) = motion.to.col(3);
  } else if (kind == 6) {  // a fast small thing
    motion.to.col(0) += 50 * random_vector(random);
  } else if (kind == 7) {  // sliding along at a small distance
    motion.from.row(1) *= 1e-3;
    motion.to.row(1) *= 1e-3;
  } else if (kind == 8) {  // thin triangles and short edges
    const double width = std::pow(10.0, random.uniform(-10, -3));
    motion.from.col(3) =
        0.5 * (motion.from.col(1) + motion.from.col(2)) + width * random_vector(random);
    motion.to.col(3) = 0.5 * (motion.to.col(1) + motion.to.col(2)) + width * random_vector(random);
  } else if (kind == 9) {  // a tiny gap and a long way
    const double gap = std::pow(10.0, random.uniform(-8, -2));
    motion.from.col(0) = motion.from.rightCols(3).rowwise().mean() + gap * random_vector(random);
    motion.to.col(0) += 100 * random_vector(random);
  }
  const double scale = std::pow(10.0, random.uniform(-6, 3));
  const Vec3 origin = scale * 10 * random_vector(random);
  motion.from = (scale * motion.from).colwise() + origin;
  motion.to = (scale * motion.to).colwise() + origin;
  return motion;
}

struct Outcome {
  int shortened = 0;
  int unproved = 0;
};

/// One motion, as point and triangle and as two edges, with and without a thickness.
Outcome query(std::uint64_t stream) {
  Random random(11, stream);
  const Motion motion = random_motion(random);
  Outcome outcome;
  for (const bool edges : {false, true}) {
    const double distance = (edges ? closest_edges : closest_point_triangle)(motion.from).distance;
    const double thickness = random.below(2) == 0 ? 0 : random.uniform(0, 0.5) * distance;
    const SafeShare safe =
        (edges ? safe_share_edges : safe_share_point_triangle)(motion, thickness);
    outcome.shortened += safe.share < 1 ? 1 : 0;
    const bool valid = safe.share >= 0 && safe.share <= 1;
    const bool proved =
        safe.share == 0 || Separation(motion, safe.share, thickness, edges).proved();
    outcome.unproved += valid && proved ? 0 : 1;
  }
  return outcome;
}

void expect_none_late(std::uint64_t first, std::size_t motions) {
  const Outcome all = parallel_reduce(
      motions, 64, Outcome{},
      [&](std::size_t begin, std::size_t end) {
        Outcome sum;
        for (std::size_t i = begin; i < end; ++i) {
          const Outcome one = query(first + i);
          if (one.unproved > 0) ADD_FAILURE() << "motion " << first + i;
          sum = {sum.shortened + one.shortened, sum.unproved + one.unproved};
        }
        return sum;
      },
      [](const Outcome& a, const Outcome& b) {
        return Outcome{a.shortened + b.shortened, a.unproved + b.unproved};
      });
  EXPECT_EQ(all.unproved, 0);
  EXPECT_GT(all.shortened, static_cast<int>(motions / 5)) << "too few collisions to mean anything";
}

TEST(Ccd, NeverReportsAnImpactLate) {
  expect_none_late(0, 3000);
}

TEST(Ccd, NeverReportsAnImpactLateInAMillionQueries) {
  expect_none_late(3000, 500'000);  // two queries each
}

TEST(Ccd, UsesMostOfTheWay) {
  Random random(12);
  for (int i = 0; i < 200; ++i) {
    // A point that meets a triangle head on at a known time.
    Motion motion;
    const double time = random.uniform(0.05, 0.95);
    motion.from << Vec3(0.2, 0, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1);
    motion.from.col(0).y() = random.uniform(0.01, 3);
    motion.to = motion.from;
    motion.to.col(0).y() *= 1 - 1 / time;
    const SafeShare safe = safe_share_point_triangle(motion);
    EXPECT_LE(safe.share, time);
    EXPECT_GE(safe.share, 0.85 * time);
    EXPECT_FALSE(safe.capped);
    // With a thickness the surfaces meet earlier.
    const double height = motion.from.col(0).y();
    const double met = time * 0.75;
    const SafeShare thick = safe_share_point_triangle(motion, 0.25 * height);
    EXPECT_LE(thick.share, met);
    EXPECT_GE(thick.share, 0.85 * met);
  }
}

TEST(Ccd, MotionsThatMissAreNotShortened) {
  Motion motion;
  motion.from << Vec3(0, 1, 0), Vec3(1, 1, 0), Vec3(0, 0, 0), Vec3(1, 0, 1);
  motion.to = motion.from;
  EXPECT_EQ(safe_share_edges(motion).share, 1) << "nothing moves";
  motion.to.colwise() += Vec3(1000, -1000, 3);
  EXPECT_EQ(safe_share_edges(motion).share, 1) << "all move alike";
  motion.to = motion.from;
  motion.to.leftCols(2).colwise() += Vec3(0, 5, 0);
  EXPECT_EQ(safe_share_edges(motion).share, 1) << "they part";
}

TEST(Ccd, AClosedGapAllowsNoMotion) {
  Motion motion;
  motion.from << Vec3(0.2, 0, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1);
  motion.to = motion.from;
  motion.to.col(0).y() = 1;
  EXPECT_EQ(safe_share_point_triangle(motion).share, 0);
  motion.from.col(0).y() = 0.1;
  EXPECT_EQ(safe_share_point_triangle(motion, 0.11).share, 0);
}

}  // namespace
}  // namespace supple::contact::testing
