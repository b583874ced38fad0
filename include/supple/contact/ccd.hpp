// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/contact/closest.hpp"

namespace supple::contact {

/// Four vertices that move in straight lines.
struct Motion {
  Stencil from;
  Stencil to;
};

/// The share of a motion, from 0 to 1, during which a gap stays open.
struct SafeShare {
  double share = 1;
  bool capped = false;  ///< the iteration ran out of steps; the share is safe but may be small
};

/// How far two primitives may move until the gap, their distance less `thickness`, is about to
/// close; a tenth of it is left then. Additive continuous collision detection [LKJ21 section 4]:
/// every step is as long as the current gap allows at the largest possible speed of approach, so no
/// impact can be missed; degenerate and parallel primitives need no special case.
///
/// A gap that is closed at the start, or open only by rounding, gives 0.
[[nodiscard]] SafeShare safe_share_point_triangle(const Motion& motion, double thickness = 0);
[[nodiscard]] SafeShare safe_share_edges(const Motion& motion, double thickness = 0);

}  // namespace supple::contact
