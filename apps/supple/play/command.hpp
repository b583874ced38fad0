// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple play`: plays any motion offline.
[[nodiscard]] Command make_play_command(CLI::App& program);

}  // namespace supple::app
