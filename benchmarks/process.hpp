// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace supple::bench {

/// Cost of one run of a program, as accounted for by the system.
struct RunCost {
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double peak_bytes = 0;
};

/// Runs a program in `directory` with its standard output and errors in `log`; a failure is an
/// error that names the log.
[[nodiscard]] Result<RunCost> run(const std::vector<std::string>& command,
                                  const std::filesystem::path& directory,
                                  const std::filesystem::path& log);

/// A directory that is removed with its owner.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

}  // namespace supple::bench
