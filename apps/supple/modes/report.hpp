// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/modes.hpp"
#include "supple/core/output.hpp"

#include <string>
#include <vector>

namespace supple::app {

/// "cube.inp: 10,206 elements, ..." and a row per mode, for the screen.
[[nodiscard]] std::string human_report(const bake::ModesRun& run,
                                       const std::vector<WrittenFile>& files);

/// One JSON object followed by a newline.
[[nodiscard]] std::string json_report(const bake::ModesRun& run,
                                      const std::vector<WrittenFile>& files);

}  // namespace supple::app
