// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment_bench.hpp"
#include "shell_comparison.hpp"
#include "shell_experiments.hpp"

#include "supple/bake/bake_shells.hpp"
#include "supple/core/progress.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

/// The experiments, one by one; shell_experiments.cpp puts them together.
namespace supple::app::experiments {

using Json = nlohmann::ordered_json;

using Bench = ExperimentBench;

/// A sample, baked and in memory.
[[nodiscard]] Result<bake::ShellRun> bake_sample(const std::string& name);
/// A sample with a shell of its own put where the nodes are.
void place_shell(io::SkinnedModel& model, const bake::SceneShell& shell, const Eigen::VectorXd& x);
/// Leaves out all meshes but those named.
void keep_meshes(io::SkinnedModel& model, const std::vector<std::string>& names);

/// The V-beam of the sample by several methods, in one place; the stand stays.
[[nodiscard]] Result<Canvas> draw_overlay(const ShellStudio& studio, const bake::SceneShell& shell,
                                          const ComparedLoad& load,
                                          std::span<const ShellMethod> methods, const Shot& shot);
/// Their names in their colours.
[[nodiscard]] std::vector<CaptionWord> method_legend(std::span<const ShellMethod> methods);

/// Steps that each takes, for progress.
inline constexpr int kBeamSteps = 7;
inline constexpr int kGrowingSteps = 31;
inline constexpr int kCantileverSteps = 6;
inline constexpr int kHandleSteps = 5;
inline constexpr int kDancerSteps = 4;

[[nodiscard]] Result<void> beams_at_rest(Bench& bench);    ///< figure 4
[[nodiscard]] Result<void> growing_gravity(Bench& bench);  ///< figures 5 and 6
[[nodiscard]] Result<void> cantilever(Bench& bench);       ///< what each method does to areas
[[nodiscard]] Result<void> handles(Bench& bench);          ///< figure 7
[[nodiscard]] Result<void> dancer(Bench& bench);           ///< figure 8

}  // namespace supple::app::experiments
