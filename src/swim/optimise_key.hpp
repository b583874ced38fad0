// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/optimise.hpp"

#include <string>

namespace supple::swim {

/// What a saved state must have in common with the search that resumes it.
[[nodiscard]] std::string key_of_search(const PoseGraph& stroke, const Body& body,
                                        const WaterSettings& water, const StartState& start,
                                        const OptimiseSettings& settings);

}  // namespace supple::swim
