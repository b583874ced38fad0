// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/body.hpp"
#include "supple/swim/recording.hpp"
#include "supple/swim/water.hpp"

#include <string>
#include <vector>

namespace supple::swim {

/// What no real body is like, each with its remedy: a mass that does not belong to the size, and,
/// where the water carries, a density with which it sinks like a stone or floats like a cork.
[[nodiscard]] std::vector<std::string> body_warnings(const Body& body, const WaterSettings& water);

/// That a surface without weight carries nobody, with the remedy; nothing where all is well.
[[nodiscard]] std::string surface_warning(const WaterSettings& water);

/// Which targets of the course were never reached, how near the swimmer came, and what helps;
/// nothing where all were.
[[nodiscard]] std::string course_warning(const Recording& recording, const Course& course);

/// That a swimmer who lies in the water does not get ahead, with the remedy; nothing where he does,
/// where he treads water upright, or where less than two cycles were swum. `height`: m.
[[nodiscard]] std::string progress_warning(const SwimReport& report, double height);

}  // namespace supple::swim
