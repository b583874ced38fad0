// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace supple::experiments {

struct SwimExperimentSettings {
  std::filesystem::path directory;  ///< created if missing
  std::vector<std::string> chosen;  ///< of swim_experiment_names(); empty: all
  bool pictures = true;             ///< false, or no GPU: only numbers and plots
};

struct SwimExperimentReport {
  std::string json;                          ///< the content of summary.json, one object
  std::string text;                          ///< for people: the figures and what they mean
  std::vector<std::filesystem::path> files;  ///< in the order of writing
};

/// "figure7", "figure8", "figure9", "convergence", "robustness", "swimmers", "sweep".
[[nodiscard]] std::vector<std::string> swim_experiment_names();

/// The experiments of [MMY section 6] and the validation of the swimmer: writes CSV files, plots,
/// pictures, summary.json and README.md to the directory. Runs use all threads. Reports progress;
/// can be interrupted.
[[nodiscard]] Result<SwimExperimentReport> run_swim_experiments(
    const SwimExperimentSettings& settings);

}  // namespace supple::experiments
