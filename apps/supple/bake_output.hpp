// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake_job.hpp"

namespace supple::app {

/// The player's file beside OUT.glb.
[[nodiscard]] std::string supple_path(const std::string& glb);

/// What --motion asks for, read before the long work begins: a typo should not cost a bake.
[[nodiscard]] Result<std::vector<bake::Motion>> load_motions(const BakeRequest& request,
                                                             const BakeInput& input);

/// Tries every file before the work begins: a wrong directory must not cost the whole bake.
[[nodiscard]] Result<void> check_writable(const BakeRequest& request);

/// Encodes the flesh, plays the clips, and writes all files or none. Fills in the run's summary.
[[nodiscard]] Result<void> write_output(const BakeRequest& request, BakeRun& run);

}  // namespace supple::app
