// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/ccd.hpp"

#include <algorithm>
#include <cmath>

namespace supple::contact {
namespace {

/// The part of the first gap that is left when the motion ends early.
constexpr double kGapKept = 0.1;
/// The part of a gap that one step may use up: less than all, for rounding.
constexpr double kGapUsed = 0.9;
/// Steps shrink by a factor once the primitives approach; many steps mean that they slide along
/// each other at a tiny distance.
constexpr int kMostSteps = 1000;

/// Distances are rounded by less than a tenth of this part of the stencil's size and motion, speeds
/// by less than this part of themselves.
constexpr double kRounding = 1e-14;

double largest_norm(const Stencil& vectors, int first, int count) {
  return vectors.middleCols(first, count).colwise().norm().maxCoeff();
}

/// `closest` measures a stencil whose first primitive has `first_vertices` vertices.
template <class ClosestOf>
SafeShare advance(const Motion& motion, double thickness, int first_vertices,
                  const ClosestOf& closest) {
  // Relative to one vertex and to the mean motion: neither changes a distance.
  const Stencil x = motion.from.colwise() - motion.from.col(0);
  Stencil velocity = motion.to - motion.from;
  velocity.colwise() -= velocity.rowwise().mean().eval();
  const double speed = (largest_norm(velocity, 0, first_vertices) +
                        largest_norm(velocity, first_vertices, 4 - first_vertices)) /
                       (1 - kRounding);
  const double size = x.cwiseAbs().maxCoeff() + velocity.cwiseAbs().maxCoeff();
  double gap = closest(x).distance - thickness;
  if (!(gap > kRounding * size)) return {0, false};
  const double enough = kGapKept * gap;
  double share = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const double next = share + kGapUsed * gap / speed;
    if (next >= 1) return {1, false};
    const double left = closest(x + next * velocity).distance - thickness;
    // The first step leaves enough by its length, but for rounding.
    if ((share > 0 && !(left >= enough)) || !(left > 0) || next == share) return {share, false};
    gap = left;
    share = next;
  }
  return {share, true};
}

}  // namespace

SafeShare safe_share_point_triangle(const Motion& motion, double thickness) {
  return advance(motion, thickness, 1, closest_point_triangle);
}

SafeShare safe_share_edges(const Motion& motion, double thickness) {
  return advance(motion, thickness, 2, closest_edges);
}

}  // namespace supple::contact
