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

/// The individual experiments; swim.cpp runs them.
namespace supple::experiments {

using Json = nlohmann::ordered_json;

using Bench = ExperimentBench;

/// One swim of many.
struct Trial {
  std::string stroke;
  swim::BodySettings body;  ///< its hinges come from the stroke
  swim::WaterSettings water;
  swim::RunSettings run;
};

/// The outcome of a trial.
struct Swum {
  swim::SwimReport report;
  std::optional<Error> failure;  ///< of the swim itself; that is a result too
};

/// Runs all trials on all threads, in any order; the results are in the order of the trials. Only
/// interrupts and unreadable strokes are errors.
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
