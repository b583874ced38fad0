// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple::app {

/// The whole program: parses, runs the command, prints an error if there is one. Returns the exit
/// status: 0 or an ErrorCode.
[[nodiscard]] int run(int argc, const char* const* argv);

}  // namespace supple::app
