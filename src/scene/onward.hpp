// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/scene/palette.hpp"
#include "supple/scene/portrait.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace supple::scene::detail {

/// Per response: the state at which play goes on after its last frame, see find_transitions.
/// `points` are those of phase_points.
[[nodiscard]] std::vector<std::uint32_t> find_onward(const Portrait& portrait,
                                                     const Palette& palette,
                                                     const Eigen::MatrixXd& points);

}  // namespace supple::scene::detail
