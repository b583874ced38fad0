// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <algorithm>
#include <numbers>

namespace supple::samples {

inline constexpr double kTwoPi = 2 * std::numbers::pi;

/// 0 below `low`, 1 above `high`, smooth in between.
[[nodiscard]] inline double smooth_step(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/// The mirror image of a point on the body's other side.
[[nodiscard]] inline geometry::Vec3 mirrored(const geometry::Vec3& p) {
  return {-p.x(), p.y(), p.z()};
}

}  // namespace supple::samples
