// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple::app {

/// Runs the whole program: parses the arguments, runs the command and prints any error. Returns the
/// exit status: 0 or an ErrorCode.
[[nodiscard]] int run(int argc, const char* const* argv);

}  // namespace supple::app
