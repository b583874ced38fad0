// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

[[nodiscard]] Command make_light_command(CLI::App& program);

}  // namespace supple::app
