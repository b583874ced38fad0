// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake_job.hpp"

namespace supple::app {

/// What --motion asks for, read before the long work begins: a typo should not cost a bake.
[[nodiscard]] Result<std::vector<bake::Motion>> load_motions(const BakeRequest& request,
                                                             const BakeInput& input);

/// Encodes the flesh, plays the clips, and writes all files or none. Fills in the run's summary.
[[nodiscard]] Result<void> write_output(const BakeRequest& request, BakeRun& run);

}  // namespace supple::app
