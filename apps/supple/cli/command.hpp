// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace supple::app {

/// What every command understands.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  int threads = 0;  ///< 0: all cores
};
void add_common_options(CLI::App& command, CommonOptions& options);
/// Directs log and progress, sets the threads, catches Ctrl-C.
void apply(const CommonOptions& options);

/// One entry of the list that `run` chooses from.
struct Command {
  CLI::App* parser = nullptr;
  std::function<Result<void>()> run;
};

/// Human text goes to standard error, machine text to standard output and nothing else does.
void tell(std::string_view text);
[[nodiscard]] Result<void> print_machine_text(std::string_view text);

}  // namespace supple::app
