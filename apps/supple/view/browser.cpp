// SPDX-License-Identifier: Apache-2.0
#include "view/browser.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace supple::app {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nothing writes them
  return value != nullptr && *value != '\0';
}

/// Some openers pass the address on and return; others become the browser. The latter keep running
/// in their own process group, so that Ctrl-C does not reach them. Their output is discarded
/// because it would mix with ours, and no signal is blocked there, as they are here.
bool run_quietly(const char* program, const std::string& argument) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (::posix_spawn_file_actions_init(&actions) != 0) return false;
  if (::posix_spawnattr_init(&attributes) != 0) return false;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  std::array<char*, 3> arguments{const_cast<char*>(program), const_cast<char*>(argument.c_str()),
                                 nullptr};
  pid_t child = 0;
  const int failure =
      ::posix_spawnp(&child, program, &actions, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failure != 0) return false;
  for (int i = 0; i < 20; ++i) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) {
      return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return true;
}

}  // namespace

bool open_browser(const std::string& address) {
#ifdef __APPLE__
  return run_quietly("open", address);
#else
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return false;
  return run_quietly("xdg-open", address);
#endif
}

}  // namespace supple::app
