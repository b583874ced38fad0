// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple info`: what a .supple or glTF file holds.
[[nodiscard]] Command make_info_command(CLI::App& program);

}  // namespace supple::app
