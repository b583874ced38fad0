// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// supple swim
[[nodiscard]] Command make_swim_command(CLI::App& program);

}  // namespace supple::app
