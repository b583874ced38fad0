// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

namespace supple {

/// Turns Ctrl-C and SIGTERM into a flag that long-running work polls; a second Ctrl-C kills at
/// once.
void catch_interrupts();
[[nodiscard]] bool interrupted();
/// For tests and hosts with their own way to stop.
void set_interrupted(bool value);

/// SUPPLE_TRY_VOID(check_interrupt()) in long loops.
[[nodiscard]] Result<void> check_interrupt();

}  // namespace supple
