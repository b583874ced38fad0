// SPDX-License-Identifier: Apache-2.0
#include "experiments/swim.hpp"

#include "experiments/swim_parts.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace supple::experiments {

namespace {

Swum swim_one(const Trial& trial, const bake::SwimStroke& stroke) {
  swim::BodySettings settings = trial.body;
  settings.hinges = stroke.graph.hinges;
  Swum swum;
  const auto body = swim::build_body(settings);
  if (!body.ok()) {
    swum.failure = body.error();
    return swum;
  }
  const auto recording =
      swim::record_swim(*body, trial.water, stroke.graph, stroke.start, trial.run, nullptr);
  if (!recording.ok()) {
    swum.failure = recording.error();
    return swum;
  }
  swum.report = swim::report(*recording, *body, trial.water);
  return swum;
}

}  // namespace

Result<std::vector<Swum>> swim_all(const std::vector<Trial>& trials) {
  std::map<std::string, bake::SwimStroke> strokes;
  for (const Trial& trial : trials) {
    if (strokes.contains(trial.stroke)) continue;
    SUPPLE_TRY(strokes[trial.stroke], bake::load_swim_stroke(trial.stroke));
  }
  std::vector<Swum> results(trials.size());
  parallel_for(trials.size(), 1, [&](std::size_t i) {
    results[i] = swim_one(trials[i], strokes.at(trials[i].stroke));
  });
  SUPPLE_TRY_VOID(check_interrupt());
  return results;
}

Trial paper_trial(double viscosity) {
  Trial trial;
  trial.stroke = "paper";
  trial.body.masses = swim::MassTable::Paper;
  trial.water.drag = swim::DragLaw::Linear;
  trial.water.viscosity = viscosity;
  return trial;
}

Result<Trial> shipped_trial(const std::string& name, double seconds) {
  SUPPLE_TRY(const bake::SwimStroke stroke, bake::load_swim_stroke(name));
  Trial trial;
  trial.stroke = name;
  trial.water = stroke.water.value_or(swim::WaterSettings());
  trial.run.seconds = seconds;
  return trial;
}

namespace {

struct SwimExperiment {
  const char* name;
  Result<void> (*run)(Bench& bench);
};

constexpr std::array<SwimExperiment, 7> kExperiments{{{"figure7", figure7},
                                                      {"figure8", figure8},
                                                      {"figure9", figure9},
                                                      {"convergence", convergence},
                                                      {"robustness", robustness},
                                                      {"swimmers", swimmers},
                                                      {"sweep", sweep}}};

bool wanted(const SwimExperiment& experiment, const std::vector<std::string>& chosen) {
  return chosen.empty() || std::ranges::find(chosen, experiment.name) != chosen.end();
}

Result<void> check_chosen(const std::vector<std::string>& chosen) {
  const std::vector<std::string> names = swim_experiment_names();
  for (const std::string& word : chosen) {
    if (std::ranges::find(names, word) != names.end()) continue;
    return Error(ErrorCode::Usage, fmt::format("unknown experiment '{}'{}; available: {}", word,
                                               did_you_mean(word, names), fmt::join(names, ", ")));
  }
  return {};
}

constexpr const char* kSwimIntroduction = R"(# Experiments on the swimmer

Written by `supple swim experiments`, following section 6 of [MMY] (Malik, Morris, Yang: Physically-based
Animation of Humanoid Swimming). Unless a section says otherwise, a run lasts 7 s in steps of 1/60 s.
)";

}  // namespace

std::vector<std::string> swim_experiment_names() {
  std::vector<std::string> names;
  names.reserve(std::size(kExperiments));
  for (const auto& experiment : kExperiments) names.emplace_back(experiment.name);
  return names;
}

Result<SwimExperimentReport> run_swim_experiments(const SwimExperimentSettings& settings) {
  SUPPLE_TRY_VOID(check_chosen(settings.chosen));
  Bench bench;
  const bool draws = settings.pictures && wanted(kExperiments[2], settings.chosen);
  SUPPLE_TRY_VOID(bench.open(settings.directory, draws));
  bench.text = kSwimIntroduction;
  for (const SwimExperiment& experiment : kExperiments) {
    if (!wanted(experiment, settings.chosen)) continue;
    log::info("{}", experiment.name);
    SUPPLE_TRY_VOID(experiment.run(bench).during(fmt::format("experiment '{}'", experiment.name)));
  }
  SUPPLE_TRY(std::vector<std::filesystem::path> files, bench.finish());
  return SwimExperimentReport{bench.summary.dump(), bench.text, std::move(files)};
}

}  // namespace supple::experiments
