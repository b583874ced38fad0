// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <Eigen/Geometry>

#include <optional>

namespace supple::character {

/// Columns: to the left, up, to the front. Rigs stand along the axes; a few degrees of lean are
/// the pose's, not the rig's. Nothing where the two directions are none or the same.
[[nodiscard]] std::optional<Eigen::Matrix3d> body_axes(const geometry::Vec3& to_left,
                                                       const geometry::Vec3& to_head);

}  // namespace supple::character
