// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace supple {

/// Held while the files of an OutputSet are put in place, so that a process that gives up does so
/// before or after.
[[nodiscard]] std::unique_lock<std::mutex> lock_commits();

}  // namespace supple
