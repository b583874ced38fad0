// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/bake_character.hpp"

namespace supple::bake {

/// Reads the motions that become clips before the long work begins: a typo should not cost a bake.
[[nodiscard]] Result<std::vector<Motion>> load_motions(const BakeRequest& request,
                                                       const BakeInput& input);

/// Encodes the flesh, plays the clips and stages the files. Fills in the run's summary.
[[nodiscard]] Result<void> stage_output(const BakeRequest& request, BakeRun& run,
                                        OutputSet& output);

}  // namespace supple::bake
