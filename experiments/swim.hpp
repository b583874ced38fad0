// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace supple::experiments {

struct SwimExperimentSettings {
  std::filesystem::path directory;  ///< made if it is not there
  std::vector<std::string> chosen;  ///< of swim_experiment_names(); empty: all
  bool pictures = true;             ///< false, or no GPU: numbers and plots alone
};

struct SwimExperimentReport {
  std::string json;                          ///< what summary.json holds, one object
  std::string text;                          ///< for people: the figures and what they mean
  std::vector<std::filesystem::path> files;  ///< in the order in which they were written
};

/// "figure7", "figure8", "figure9", "convergence", "robustness", "swimmers", "sweep".
[[nodiscard]] std::vector<std::string> swim_experiment_names();

/// The experiments of [MMY section 6], and what shows that the swimmer can be trusted: CSV files,
/// plots, pictures, summary.json and README.md in the directory. Runs go to all threads. Reports
/// progress; can be interrupted.
[[nodiscard]] Result<SwimExperimentReport> run_swim_experiments(
    const SwimExperimentSettings& settings);

}  // namespace supple::experiments
