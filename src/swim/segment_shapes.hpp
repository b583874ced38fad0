// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/body.hpp"

namespace supple::swim {

/// Sets the surface and faces of a segment of known `size` around `middle`. A box has 6 * cuts^2
/// faces; a capsule, rounded in all directions, about as many.
void give_shape(Segment& segment, SegmentShape shape, const Eigen::Vector3d& middle,
                std::size_t cuts);

/// One face per triangle of the surface; `long_axis` determines which of them are ends.
void faces_from_surface(Segment& segment, const Eigen::Vector3d& long_axis);

/// Mass, centre and inertia of the homogeneous solid within the surface.
void give_mass(Segment& segment, double mass);

}  // namespace supple::swim
