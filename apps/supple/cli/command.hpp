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

/// The options of every command.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  int threads = 0;  ///< 0: all cores
};
void add_common_options(CLI::App& command, CommonOptions& options);
/// Sets up log, progress, threads and the handling of Ctrl-C.
[[nodiscard]] Result<void> apply(const CommonOptions& options);
/// From here on Ctrl-C is the normal end of the program, with status 0, also where ending takes so
/// long that the process is ended for it.
void run_until_interrupted();

/// One entry of the list from which `run` chooses.
struct Command {
  CLI::App* parser = nullptr;
  std::function<Result<void>()> run;
};

/// Text for people goes to standard error. Only text for machines goes to standard output.
void tell(std::string_view text);
[[nodiscard]] Result<void> print_machine_text(std::string_view text);

}  // namespace supple::app
