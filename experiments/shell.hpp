// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace supple::experiments {

struct ShellExperimentSettings {
  std::filesystem::path directory;  ///< created if missing
  std::vector<int> figures;         ///< of [CWK07]: some of 4, 5, 6, 7, 8; empty: all
  bool pictures = true;             ///< false, or no GPU: only numbers and plots
};

struct ShellExperimentReport {
  std::string json;                          ///< the content of summary.json, one object
  std::string text;                          ///< for people: the measures and what they mean
  std::vector<std::filesystem::path> files;  ///< in the order of writing
};

/// The experiments of [CWK07 4] on our own samples: CSV files, plots, pictures, summary.json and
/// README.md in the directory. Reports progress; can be interrupted between steps.
[[nodiscard]] Result<ShellExperimentReport> run_shell_experiments(
    const ShellExperimentSettings& settings);

}  // namespace supple::experiments
