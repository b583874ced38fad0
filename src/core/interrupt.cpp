// SPDX-License-Identifier: Apache-2.0
#include "supple/core/interrupt.hpp"

#include "supple/core/job.hpp"

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>

namespace supple {
namespace {

std::atomic<bool> g_interrupted{false};

/// The first signal sets the flag; the second ends the process by its default action.
[[noreturn]] void watch(sigset_t signals) {
  for (;;) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0 || !g_interrupted.exchange(true)) continue;
    std::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    std::raise(signal);
  }
}

}  // namespace

void catch_interrupts() {
  static std::once_flag once;
  std::call_once(once, [] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread(watch, signals).detach();
  });
}

bool interrupted() {
  const Job* job = current_job();
  return g_interrupted.load(std::memory_order_relaxed) || (job != nullptr && job->cancelled());
}
void set_interrupted(bool value) {
  g_interrupted.store(value);
}

Result<void> check_interrupt() {
  if (interrupted()) return Error(ErrorCode::Interrupted, "interrupted");
  return {};
}

}  // namespace supple
