// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace supple::experiments {

struct SceneExperimentSettings {
  std::filesystem::path directory;  ///< created if missing
  std::vector<std::string> scenes;  ///< of samples::scene_samples(); empty: all
  bool full = false;                ///< the samples' full size: hours
  std::string work;                 ///< keeps the samples there and goes on from them; "": removed
};

struct SceneExperimentReport {
  std::string json;                          ///< the content of summary.json, one object
  std::string text;                          ///< for people: the figures and what they mean
  std::vector<std::filesystem::path> files;  ///< in the order of writing
};

/// [JF03 table 1 and figure 12] for our scenes, and what the paper does not measure: play of random
/// sequences that were not sampled against the simulator itself, by the number of sampled states,
/// random against adaptive. Writes CSV files, plots, summary.json and README.md. Reports progress;
/// can be interrupted.
[[nodiscard]] Result<SceneExperimentReport> run_scene_experiments(
    const SceneExperimentSettings& settings);

}  // namespace supple::experiments
