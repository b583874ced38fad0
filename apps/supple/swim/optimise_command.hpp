// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

#include <vector>

namespace supple::app {

/// Adds `supple swim optimise` and `supple swim turns` to the parser of `supple swim`.
[[nodiscard]] std::vector<Command> add_swim_searches(CLI::App& swim);

}  // namespace supple::app
