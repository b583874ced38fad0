// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/bench.hpp"
#include "experiments/shell.hpp"
#include "experiments/shell_comparison.hpp"

#include "supple/bake/bake_shells.hpp"
#include "supple/core/progress.hpp"
#include "supple/pictures/studio.hpp"
#include "supple/plot/sheet.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

/// The experiments, one by one; shell_experiments.cpp puts them together.
namespace supple::experiments {

using Json = nlohmann::ordered_json;

using Bench = ExperimentBench;

/// A sample, baked and in memory.
[[nodiscard]] Result<bake::ShellRun> bake_sample(const std::string& name);
/// A sample with a shell of its own put where the nodes are.
void place_shell(io::SkinnedModel& model, const bake::PreparedShell& shell,
                 const Eigen::VectorXd& x);
/// Leaves out all meshes but those named.
void keep_meshes(io::SkinnedModel& model, const std::vector<std::string>& names);

/// How all plots and pictures name and colour the methods.
[[nodiscard]] const char* method_name(ShellMethod method);
[[nodiscard]] plot::Colour method_colour(ShellMethod method);
/// Their names in their colours.
[[nodiscard]] plot::Drawing method_legend(std::span<const ShellMethod> methods);
/// The V-beam of the sample by several methods, in one place; the stand stays.
[[nodiscard]] Result<plot::Drawing> draw_overlay(pictures::Studio& studio,
                                                 const bake::PreparedShell& shell,
                                                 const ComparedLoad& load,
                                                 std::span<const ShellMethod> methods,
                                                 const pictures::Shot& shot);

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

}  // namespace supple::experiments
