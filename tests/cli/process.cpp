// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "source_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace supple::testing {
namespace {

namespace fs = std::filesystem;

std::string read_whole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void redirect(const std::string& path, int descriptor) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(127);
}

bool has_ended(pid_t child) {
  siginfo_t info{};  // left as it is while the child runs
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == child;
}

bool has_file(const fs::path& directory, const std::string& name) {
  std::error_code gone;  // what is listed may be renamed or removed meanwhile
  for (auto entry = fs::recursive_directory_iterator(directory, gone);
       !gone && entry != fs::recursive_directory_iterator(); entry.increment(gone)) {
    if (entry->path().filename() == name) return true;
  }
  return false;
}

/// From /proc/PID/status: whether the program waits for SIGINT, which it blocks to that end.
bool catches_interrupts(pid_t child) {
  std::ifstream file("/proc/" + std::to_string(child) + "/status");
  for (std::string word; file >> word;) {
    std::uint64_t blocked = 0;
    if (word == "SigBlk:" && file >> std::hex >> blocked) return (blocked >> (SIGINT - 1) & 1) != 0;
  }
  return false;
}

/// From /proc/PID/stat, fields 14 and 15; the second, the program's name, may hold blanks.
double processor_seconds(pid_t child) {
  const std::string text = read_whole("/proc/" + std::to_string(child) + "/stat");
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string skipped;
  for (int k = 0; k < 11; ++k) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void wait_while(pid_t child, const std::function<bool()>& condition) {
  while (!has_ended(child) && condition()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// The signal comes when `wait`, if any, is over.
Outcome run(const Arguments& command, const std::function<void(pid_t child)>& wait = {},
            int signal = SIGINT) {
  const TemporaryDirectory capture;
  const std::string out = capture.path("out");
  const std::string err = capture.path("err");
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  if (wait) {
    wait(child);
    ::kill(child, signal);
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  Outcome outcome;
  outcome.processor_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  outcome.peak_bytes = 1024.0 * static_cast<double>(usage.ru_maxrss);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_whole(out);
  outcome.err = read_whole(err);
  return outcome;
}

Arguments with_program(const Arguments& arguments) {
  Arguments command{built_program().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

Arguments in_shell(const std::string& line, const Arguments& arguments) {
  Arguments command{"/bin/bash", "-c", line, "bash"};
  const Arguments program = with_program(arguments);
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

}  // namespace

Outcome run_program(const Arguments& command) {
  return run(command);
}

Outcome supple(const Arguments& arguments) {
  return run(with_program(arguments));
}

Outcome supple_interrupted_after(double seconds, const Arguments& arguments, int signal) {
  return run(
      with_program(arguments),
      [&](pid_t child) {
        wait_while(child, [&] {
          return !catches_interrupts(child) || processor_seconds(child) < seconds;
        });
      },
      signal);
}

Outcome supple_interrupted_at(const std::string& file, const fs::path& directory,
                              const Arguments& arguments) {
  return run(with_program(arguments),
             [&](pid_t child) { wait_while(child, [&] { return !has_file(directory, file); }); });
}

Outcome supple_in_shell(const std::string& line, const Arguments& arguments) {
  return run(in_shell(line, arguments));
}

Outcome supple_in_shell_interrupted(const std::string& line, const Arguments& arguments,
                                    const std::function<bool()>& is_time) {
  return run(in_shell(line, arguments),
             [&](pid_t child) { wait_while(child, [&] { return !is_time(); }); });
}

}  // namespace supple::testing
