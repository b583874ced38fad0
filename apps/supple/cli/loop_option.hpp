// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/motion.hpp"

#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace supple::app {

/// --loop yes|no|auto: whether motions are played as loops.
CLI::Option* add_loop_option(CLI::App& command, character::Looping& looping,
                             const std::string& group = "Options");

}  // namespace supple::app
