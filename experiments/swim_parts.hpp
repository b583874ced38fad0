// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/bench.hpp"
#include "experiments/swim.hpp"

#include "supple/bake/swim_stroke.hpp"
#include "supple/core/progress.hpp"
#include "supple/swim/recording.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

/// The experiments, one by one; swim_experiments.cpp puts them together.
namespace supple::experiments {

using Json = nlohmann::ordered_json;

using Bench = ExperimentBench;

/// One swim of many.
struct Trial {
  std::string stroke;
  swim::BodySettings body;  ///< its hinges are the stroke's
  swim::WaterSettings water;
  swim::RunSettings run;
};

/// What became of it.
struct Swum {
  swim::SwimReport report;
  std::optional<Error> failure;  ///< the swim itself; it is a result too
};

/// Swims them all on all threads, in any order; the results are in that of the trials. Only
/// interrupts and strokes that cannot be read are errors.
[[nodiscard]] Result<std::vector<Swum>> swim_all(const std::vector<Trial>& trials);

/// The trial of [MMY]: its stroke, body and law of drag, weightless, 7 s.
[[nodiscard]] Trial paper_trial(double viscosity);
/// A shipped stroke in the water it is meant for.
[[nodiscard]] Result<Trial> shipped_trial(const std::string& stroke, double seconds);

[[nodiscard]] Result<void> figure7(Bench& bench);
[[nodiscard]] Result<void> figure8(Bench& bench);
[[nodiscard]] Result<void> figure9(Bench& bench);
[[nodiscard]] Result<void> convergence(Bench& bench);
[[nodiscard]] Result<void> robustness(Bench& bench);
[[nodiscard]] Result<void> swimmers(Bench& bench);
[[nodiscard]] Result<void> sweep(Bench& bench);

}  // namespace supple::experiments
