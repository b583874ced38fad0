// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"
#include "supple/character/motion.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Geometry>

#include <functional>
#include <optional>
#include <vector>

namespace supple::character {

/// All bones, each after its parent.
[[nodiscard]] std::vector<std::size_t> parents_first(const Character& character);

/// World matrices of bones rotated from rest by `turns`, in world axes, and positioned at `places`;
/// a bone without either stays still relative to its parent.
[[nodiscard]] std::vector<Eigen::Matrix4d> turned_pose(
    const Character& character, const std::vector<std::size_t>& order,
    const std::vector<std::optional<Eigen::Matrix3d>>& turns,
    const std::vector<std::optional<geometry::Vec3>>& places);

/// Fills bones, frames and loops; name and duration must be set already. A motion too long for the
/// memory is an error: see `count_steps`.
[[nodiscard]] Result<void> sample_motion(
    Motion& motion, const Character& character, double rate,
    const std::function<std::vector<Eigen::Matrix4d>(double)>& pose);

}  // namespace supple::character
