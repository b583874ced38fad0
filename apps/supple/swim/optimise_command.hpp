// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

#include <vector>

namespace supple::app {

/// supple swim optimise and supple swim turns, below the parser of supple swim.
[[nodiscard]] std::vector<Command> add_swim_searches(CLI::App& swim);

}  // namespace supple::app
