// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/record.hpp"

#include <string>

namespace CLI {
class App;
}

namespace supple::app {

/// The forces that act while a motion is recorded: --gravity, --wind, --medium, --push, --seconds.
void add_force_options(CLI::App& command, bake::RecordSettings& settings, const std::string& group);

}  // namespace supple::app
