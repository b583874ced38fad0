// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/water.hpp"

#include "swim/water_parts.hpp"

#include <Eigen/Core>

namespace supple::swim {

/// Position of a segment relative to the surface.
struct Place {
  const SegmentMotion& motion;
  Eigen::Vector3d up;  ///< in the segment's axes
  bool cut = false;    ///< by the surface
  double depth = 0;    ///< of the segment's origin, where cut
  double time = 0;
};

/// Pressure, friction and lift of the water on all faces, and their damping.
void add_drag(const Water::Parts& parts, const WaterSettings& water, const Place& place,
              SegmentForce& out);

}  // namespace supple::swim
