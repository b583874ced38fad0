// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple view`: characters and their flesh in a browser.
[[nodiscard]] Command make_view_command(CLI::App& program);

}  // namespace supple::app
