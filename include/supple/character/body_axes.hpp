// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <Eigen/Geometry>

#include <optional>

namespace supple::character {

/// Columns: left, up, front. Rigs stand along the axes; a few degrees of lean belong to the pose,
/// not to the rig. Empty if a direction is zero or both are parallel.
[[nodiscard]] std::optional<Eigen::Matrix3d> body_axes(const geometry::Vec3& to_left,
                                                       const geometry::Vec3& to_head);

}  // namespace supple::character
