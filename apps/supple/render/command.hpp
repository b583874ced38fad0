// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple render`: renders pictures and videos of a character on the GPU, without a screen.
[[nodiscard]] Command make_render_command(CLI::App& program);

}  // namespace supple::app
