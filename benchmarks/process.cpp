// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/process.hpp"

#include "supple/core/resources.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace supple::bench {

Result<RunCost> run(const std::vector<std::string>& command, const std::filesystem::path& directory,
                    const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const Stopwatch watch;
  const pid_t child = ::fork();
  if (child < 0) return io_error("cannot start a process");
  if (child == 0) {
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (out < 0 || ::chdir(directory.c_str()) != 0) ::_exit(126);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  RunCost cost;
  cost.wall_seconds = watch.seconds();
  cost.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.peak_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return io_error(fmt::format("'{}' failed; see {}", command[0], log.string()));
  }
  return cost;
}

ScratchDirectory::ScratchDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "supple-bench-XXXXXX").string();
  if (::mkdtemp(name.data()) != nullptr) m_path = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (!m_path.empty()) std::filesystem::remove_all(m_path, ignored);
}

}  // namespace supple::bench
