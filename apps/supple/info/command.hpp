// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace supple::app {

/// `supple info`: shows what a .supple or glTF file contains.
[[nodiscard]] Command make_info_command(CLI::App& program);

}  // namespace supple::app
