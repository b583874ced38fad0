// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/optimise.hpp"

#include <string>

namespace supple::swim {

/// What the state of a search must have in common with the search that goes on from it.
[[nodiscard]] std::string key_of_search(const PoseGraph& stroke, const Body& body,
                                        const WaterSettings& water, const StartState& start,
                                        const OptimiseSettings& settings);

}  // namespace supple::swim
