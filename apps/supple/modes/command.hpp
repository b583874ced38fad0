// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple modes`: natural frequencies and mode shapes of a solid.
[[nodiscard]] Command make_modes_command(CLI::App& program);

}  // namespace supple::app
