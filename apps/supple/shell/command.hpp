// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// supple shell
[[nodiscard]] Command make_shell_command(CLI::App& program);

}  // namespace supple::app
