// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple view`: shows characters and their soft parts in a browser.
[[nodiscard]] Command make_view_command(CLI::App& program);

}  // namespace supple::app
