// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple demo`: bakes the built-in samples and shows them as a gallery.
[[nodiscard]] Command make_demo_command(CLI::App& program);

}  // namespace supple::app
