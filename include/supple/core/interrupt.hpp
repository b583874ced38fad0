// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

namespace supple {

/// Turns Ctrl-C and SIGTERM into a flag that long-running work polls. Not all work can: ordering a
/// large matrix is one call of a library. So the waiting thread calls `give_up`, which should end
/// the process, 0.8 s after the first signal or at the second one: every signal is answered within
/// a second. One more kills. Without `give_up` the second one does.
///
/// For programs, before they start threads: both signals are blocked in this thread and in all that
/// it starts, and one thread waits for them. A handler would not do: METIS replaces it while it
/// runs, and jumps out of its own. Processes that are spawned must unblock them.
void catch_interrupts(void (*give_up)() = nullptr);
[[nodiscard]] bool interrupted();  ///< also in the threads of a cancelled Job
/// For tests and hosts with their own way to stop.
void set_interrupted(bool value);

/// SUPPLE_TRY_VOID(check_interrupt()) in long loops.
[[nodiscard]] Result<void> check_interrupt();

}  // namespace supple
