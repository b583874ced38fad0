// SPDX-License-Identifier: Apache-2.0
#include "supple/core/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace supple {
namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // the handler may touch nothing else

void on_signal(int signal) {
  if (g_interrupted.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() {
  return g_interrupted.load(std::memory_order_relaxed);
}
void set_interrupted(bool value) {
  g_interrupted.store(value);
}

Result<void> check_interrupt() {
  if (interrupted()) return Error(ErrorCode::Interrupted, "interrupted");
  return {};
}

}  // namespace supple
