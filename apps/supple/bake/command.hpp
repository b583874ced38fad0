// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple bake`: flesh for a rigged character.
[[nodiscard]] Command make_bake_command(CLI::App& program);

}  // namespace supple::app
