// SPDX-License-Identifier: Apache-2.0
#include "application.hpp"

#include <csignal>
#include <cstdlib>
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

}  // namespace

int main(int argc, char** argv) {
  start_without_threads_of_blas(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the size limit is a failed write, with a message
  return supple::app::run(argc, argv);
}
