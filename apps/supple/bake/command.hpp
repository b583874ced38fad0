// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple bake`: makes the flesh of a rigged character soft.
[[nodiscard]] Command make_bake_command(CLI::App& program);

}  // namespace supple::app
