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

/// The individual experiments; shell.cpp runs them.
namespace supple::experiments {

using Json = nlohmann::ordered_json;

using Bench = ExperimentBench;

/// A baked sample in memory.
[[nodiscard]] Result<bake::ShellRun> bake_sample(const std::string& name);
/// A sample with the vertices of one shell moved to the given nodes.
void place_shell(io::SkinnedModel& model, const bake::PreparedShell& shell,
                 const Eigen::VectorXd& x);
/// Removes all meshes except the named ones.
void keep_meshes(io::SkinnedModel& model, const std::vector<std::string>& names);

/// The names and colours of the methods in all plots and pictures.
[[nodiscard]] const char* method_name(ShellMethod method);
[[nodiscard]] plot::Colour method_colour(ShellMethod method);
/// Their names in their colours.
[[nodiscard]] plot::Drawing method_legend(std::span<const ShellMethod> methods);
/// The V-beam of the sample computed with several methods, overlaid; the stand stays.
[[nodiscard]] Result<plot::Drawing> draw_overlay(pictures::Studio& studio,
                                                 const bake::PreparedShell& shell,
                                                 const ComparedLoad& load,
                                                 std::span<const ShellMethod> methods,
                                                 const pictures::Shot& shot);

/// The number of steps of each, for progress.
inline constexpr int kBeamSteps = 7;
inline constexpr int kGrowingSteps = 31;
inline constexpr int kCantileverSteps = 6;
inline constexpr int kHandleSteps = 5;
inline constexpr int kDancerSteps = 4;

[[nodiscard]] Result<void> beams_at_rest(Bench& bench);    ///< figure 4
[[nodiscard]] Result<void> growing_gravity(Bench& bench);  ///< figures 5 and 6
[[nodiscard]] Result<void> cantilever(Bench& bench);       ///< how each method changes areas
[[nodiscard]] Result<void> handles(Bench& bench);          ///< figure 7
[[nodiscard]] Result<void> dancer(Bench& bench);           ///< figure 8

}  // namespace supple::experiments
