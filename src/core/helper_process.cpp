// SPDX-License-Identifier: Apache-2.0
#include "supple/core/helper_process.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include <signal.h>
#include <sys/wait.h>

namespace supple {
namespace {

/// Never destroyed: threads may still use it while the process ends.
struct Helpers {
  std::mutex mutex;
  std::vector<int> running;

  static Helpers& get() {
    static Helpers& only = *new Helpers;
    return only;
  }
};

}  // namespace

void HelperProcess::own(int pid) {
  release();
  Helpers& helpers = Helpers::get();
  const std::lock_guard lock(helpers.mutex);
  helpers.running.push_back(pid);
  m_pid = pid;
}

void HelperProcess::release() {
  if (m_pid < 0) return;
  Helpers& helpers = Helpers::get();
  const std::lock_guard lock(helpers.mutex);
  std::erase(helpers.running, m_pid);
  m_pid = -1;
}

void kill_helpers() {
  Helpers& helpers = Helpers::get();
  const std::lock_guard lock(helpers.mutex);
  for (const int pid : helpers.running) ::kill(pid, SIGKILL);
  for (const int pid : helpers.running) ::waitpid(pid, nullptr, 0);
}

}  // namespace supple
