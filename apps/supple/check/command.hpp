// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple check`: checks that a .supple file is intact and belongs to a mesh.
[[nodiscard]] Command make_check_command(CLI::App& program);

}  // namespace supple::app
