// SPDX-License-Identifier: Apache-2.0
#include "application.hpp"
#include "cli/command.hpp"

#include "supple/core/result.hpp"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <unistd.h>

namespace {

/// OpenBLAS starts threads while it is loaded, before main(). They have nothing to do, because all
/// our calls are single-threaded, but under a memory limit they wait for memory for ever, and they
/// would take the signals that this program blocks. Only the environment prevents them, so the
/// program starts once more with it. Where it cannot, it goes on as it is.
void start_without_threads_of_blas(char** argv) {
  constexpr const char* kVariable = "OPENBLAS_NUM_THREADS";
  const char* threads = std::getenv(kVariable);  // NOLINT(concurrency-mt-unsafe): no threads
  if (threads != nullptr && std::string_view(threads) == "1") return;
  if (::setenv(kVariable, "1", 1) == 0) ::execv("/proc/self/exe", argv);
}

/// TBB starts its threads where no exception can pass: a failure ends in std::terminate.
[[noreturn]] void explain_termination() {
  try {
    if (const std::exception_ptr failure = std::current_exception())
      std::rethrow_exception(failure);
  } catch (const std::exception& failure) {
    const std::string_view what = failure.what();
    if (what.find("pthread_create") != std::string_view::npos) {
      supple::app::tell(
          "error: cannot start a thread; use fewer (--threads), or raise the limits of the system "
          "(ulimit -u, -v)\n");
      std::_Exit(static_cast<int>(supple::ErrorCode::Io));
    }
    supple::app::tell("error: unexpected: ");
    supple::app::tell(what);
    supple::app::tell("\n");
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  start_without_threads_of_blas(argv);
  std::set_terminate(explain_termination);
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the size limit is a failed write, with a message
  return supple::app::run(argc, argv);
}
