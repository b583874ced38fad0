// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "temporary_directory.hpp"

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace supple::testing {

struct Outcome {
  int status = -1;  ///< exit status; 128 + signal if killed
  std::string out;
  std::string err;
  double processor_seconds = 0;  ///< a measure of work, whatever else the machine does
  double peak_bytes = 0;         ///< of memory in use
};

using Arguments = std::vector<std::string>;

/// Runs a program to its end.
[[nodiscard]] Outcome run_program(const Arguments& command);
/// The binary under test.
[[nodiscard]] Outcome supple(const Arguments& arguments);
/// The same, interrupted. The signal is sent when the program waits for signals and has used
/// `seconds` of processor time, so that the load of the machine does not matter.
[[nodiscard]] Outcome supple_interrupted_after(double seconds, const Arguments& arguments,
                                               int signal = SIGINT);
/// The same, as soon as a file of this name lies in or below `directory`.
[[nodiscard]] Outcome supple_interrupted_at(const std::string& file,
                                            const std::filesystem::path& directory,
                                            const Arguments& arguments);
/// The same in a shell line in which "$@" is the command: to set limits or redirect.
[[nodiscard]] Outcome supple_in_shell(const std::string& line, const Arguments& arguments);
/// The same, interrupted as soon as `is_time`.
[[nodiscard]] Outcome supple_in_shell_interrupted(const std::string& line,
                                                  const Arguments& arguments,
                                                  const std::function<bool()>& is_time);

}  // namespace supple::testing
