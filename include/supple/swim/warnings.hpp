// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/body.hpp"
#include "supple/swim/recording.hpp"
#include "supple/swim/water.hpp"

#include <string>
#include <vector>

namespace supple::swim {

/// Unrealistic properties of a body, each with its remedy: a mass that does not match the size,
/// and, if there is buoyancy, a density at which it sinks like a stone or floats like a cork.
[[nodiscard]] std::vector<std::string> body_warnings(const Body& body, const WaterSettings& water);

/// Warns that a surface needs gravity, with the remedy; empty if all is well.
[[nodiscard]] std::string surface_warning(const WaterSettings& water);

/// Which targets of the course were never reached, how near the swimmer came, and what would help;
/// empty if all were reached.
[[nodiscard]] std::string course_warning(const Recording& recording, const Course& course);

/// Warns that a swimmer lying in the water makes no headway, with the remedy; empty if it does, if
/// it treads water upright, or after less than two cycles. `height`: m.
[[nodiscard]] std::string progress_warning(const SwimReport& report, double height);

}  // namespace supple::swim
