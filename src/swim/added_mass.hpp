// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/body.hpp"
#include "supple/swim/water.hpp"

#include <Eigen/Core>

namespace supple::swim {

/// The added mass of an ellipsoid in an ideal fluid that is at rest far away.
struct AddedMass {
  Eigen::Vector3d mass = Eigen::Vector3d::Zero();     ///< kg, for velocities along its axes
  Eigen::Vector3d inertia = Eigen::Vector3d::Zero();  ///< kg m^2, for spins about its axes
};

/// [Lam32 sections 114 and 115] `semi_axes` positive, of any proportions.
[[nodiscard]] AddedMass added_mass(const Eigen::Vector3d& semi_axes, double density);

/// Added mass of the ellipsoid around the segment's centre of volume that displaces as much water
/// as the segment and has the proportions of its box; (spin, velocity) of the segment's origin.
[[nodiscard]] Matrix6d added_inertia(const Segment& segment, double density);

}  // namespace supple::swim
