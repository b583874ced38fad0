// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/unfinished.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <unistd.h>

namespace supple::app {
namespace {

std::atomic<bool> g_runs_until_interrupted{false};

/// The work at hand does not ask for signals, or takes long to end: ends the process as it would.
[[noreturn]] void give_up() {
  remove_unfinished();
  if (g_runs_until_interrupted) std::_Exit(0);
  constexpr std::string_view kText = "error: interrupted\n";
  pollfd ready{STDERR_FILENO, POLLOUT, 0};  // nobody may be reading from a pipe
  if (::poll(&ready, 1, 0) > 0 && ::write(STDERR_FILENO, kText.data(), kText.size()) < 0) {
    // There is nowhere to say so.
  }
  std::_Exit(static_cast<int>(ErrorCode::Interrupted));
}

}  // namespace

void add_common_options(CLI::App& command, CommonOptions& options) {
  auto* json = command.add_flag("--json", options.json,
                                "print one JSON object, and nothing else, on standard output");
  auto* quiet = command.add_flag("-q,--quiet", options.quiet, "print errors and warnings only");
  auto* verbose = command.add_flag("-v,--verbose", options.verbose, "print progress in detail");
  quiet->excludes(verbose);
  command.add_option("--threads", options.threads, "maximum number of threads; 0: one per core")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
  for (CLI::Option* option : {json, quiet, verbose}) option->group("Common");
  command.get_option("--threads")->group("Common");
}

Result<void> apply(const CommonOptions& options) {
  log::to_stderr(options.quiet     ? log::Level::Warning
                 : options.verbose ? log::Level::Debug
                                   : log::Level::Info);
  if (!options.quiet) show_progress_on_terminal();
  catch_interrupts(give_up);  // before there are threads
  if (options.threads > most_threads()) {
    log::warn("--threads {}: using {}, eight for each core", options.threads, most_threads());
  }
  const int threads = std::min(options.threads, most_threads());
  SUPPLE_TRY_VOID(check_threads(threads));
  set_thread_count(threads);
  return {};
}

void run_until_interrupted() {
  g_runs_until_interrupted = true;
}

void tell(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

Result<void> print_machine_text(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    return io_error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
  return {};
}

}  // namespace supple::app
