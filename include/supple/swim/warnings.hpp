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
/// empty if all were reached. `own_speed`: through the water, m/s.
[[nodiscard]] std::string course_warning(const Recording& recording, const Course& course,
                                         const WaterSettings& water, double own_speed);

/// Which obstacles the swimmer touched or passed with less than half its width clear; empty if it
/// kept away from all.
[[nodiscard]] std::string obstacle_warning(const Recording& recording, const Body& body);

/// Warns of a current that a swimmer without targets cannot hold its course in, empty if it can.
[[nodiscard]] std::string current_warning(const Recording& recording, const WaterSettings& water,
                                          const SwimReport& report);

/// Warns that a swimmer without targets went off course, by how much, and of the remedy; empty if
/// it did not. `steered`: it tried to hold its course; `steers`: its stroke can.
[[nodiscard]] std::string drift_warning(const SwimReport& report, double seconds, bool steered,
                                        bool steers);

/// States how much slower a body swims a stroke than the body it was made for, and the remedy;
/// empty if it is about as fast. `tuning`: the command that tunes the stroke to the body.
[[nodiscard]] std::string slower_warning(double speed, double made_for_speed,
                                         const std::string& tuning);

/// Warns that a swimmer lying in the water makes no headway, with the remedy; empty if it does, if
/// it treads water upright, or after less than two cycles. `height`: m.
[[nodiscard]] std::string progress_warning(const SwimReport& report, double height);

}  // namespace supple::swim
