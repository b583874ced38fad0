// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

namespace supple {

/// Turns Ctrl-C and SIGTERM into a flag that long-running work polls; a second one kills at once.
///
/// For programs, before they start threads: both signals are blocked in this thread and in all that
/// it starts, and one thread waits for them. A handler would not do: METIS replaces it while it
/// runs, and jumps out of its own. Processes that are spawned must unblock them.
void catch_interrupts();
[[nodiscard]] bool interrupted();  ///< also in the threads of a cancelled Job
/// For tests and hosts with their own way to stop.
void set_interrupted(bool value);

/// SUPPLE_TRY_VOID(check_interrupt()) in long loops.
[[nodiscard]] Result<void> check_interrupt();

}  // namespace supple
