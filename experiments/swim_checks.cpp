// SPDX-License-Identifier: Apache-2.0
#include "experiments/swim_parts.hpp"

#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"
#include "supple/plot/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace supple::experiments {
namespace {

/// Steps per second, from the coarsest to the reference.
constexpr std::array<int, 7> kRates{30, 60, 120, 250, 500, 1000, 2000};

struct Case {
  std::string name;
  Trial trial;
};

Result<std::vector<Case>> convergence_cases() {
  std::vector<Case> cases{{"paper, linear drag", paper_trial(300)}};
  SUPPLE_TRY(Trial own, shipped_trial("breaststroke", 7));
  cases.push_back({"breaststroke", std::move(own)});
  return cases;
}

/// The frame rate must not exceed the step rate.
void set_rate(Trial& trial, int rate) {
  trial.run.step = 1.0 / rate;
  trial.run.rate = std::min(rate, 60);
}

}  // namespace

Result<void> convergence(Bench& bench) {
  SUPPLE_TRY(const std::vector<Case> cases, convergence_cases());
  std::vector<Trial> trials;
  for (const Case& one : cases) {
    for (const int rate : kRates) {
      trials.push_back(one.trial);
      set_rate(trials.back(), rate);
    }
  }
  SUPPLE_TRY(const std::vector<Swum> results, swim_all(trials));
  std::string csv = "case,step_s,distance_m,of_reference,power_w,energy_error\n";
  std::string table =
      "| case | step, s | distance, m | against the finest | power, W | energy error |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n";
  std::vector<plot::Curve> curves;
  Json rows = Json::array();
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const std::size_t first = c * kRates.size();
    const double reference = results[first + kRates.size() - 1].report.distance_m;
    plot::Curve curve;
    curve.label = cases[c].name;
    curve.points = true;
    curve.colour = plot::from_oklch(0.55F, 0.16F, c == 0 ? 255 : 27);
    for (std::size_t k = 0; k < kRates.size(); ++k) {
      const Swum& swum = results[first + k];
      if (swum.failure) return *swum.failure;
      const double off = swum.report.distance_m / reference - 1;
      csv += fmt::format("\"{}\",{:.6g},{:.5f},{:.5f},{:.2f},{:.3g}\n", cases[c].name,
                         1.0 / kRates.at(k), swum.report.distance_m, 1 + off, swum.report.power_w,
                         swum.report.energy_error);
      table += fmt::format("| {} | 1/{} | {:.3f} | {:+.2f} % | {:.0f} | {:.2g} % |\n",
                           cases[c].name, kRates.at(k), swum.report.distance_m, 100 * off,
                           swum.report.power_w, 100 * swum.report.energy_error);
      curve.x.push_back(1000.0 / kRates.at(k));
      curve.y.push_back(100 * off);
      rows.push_back({{"case", cases[c].name},
                      {"step_s", 1.0 / kRates.at(k)},
                      {"distance_m", swum.report.distance_m},
                      {"relative_error", off}});
    }
    curves.push_back(std::move(curve));
  }
  SUPPLE_TRY_VOID(bench.write("convergence.csv", csv));
  plot::PlotSettings settings;
  settings.title = "distance in 7 s, off that of the finest step";
  settings.x_label = "step (ms)";
  settings.log_x = true;
  settings.y_label = "difference (%)";
  settings.width = 860;
  SUPPLE_TRY_VOID(bench.write_plot("convergence", plot::draw_plot(curves, settings)));
  bench.summary["convergence"] = rows;
  bench.text += fmt::format(R"(
## Convergence under step refinement

The distance at frame rate must agree with that of a fine step (convergence.csv).

{}
![convergence](convergence.svg)
)",
                            table);
  return {};
}

Result<void> robustness(Bench& bench) {
  constexpr std::array<double, 9> kViscosities{0, 1, 10, 100, 300, 1000, 3000, 1e4, 1e5};
  constexpr std::array<double, 5> kGains{0.25, 0.5, 1, 2, 4};
  std::vector<Trial> trials;
  for (const double gain : kGains) {
    for (const double viscosity : kViscosities) {
      trials.push_back(paper_trial(viscosity));
      trials.back().body.gain = gain;
      set_rate(trials.back(), 30);
    }
  }
  for (const double gain : kGains) {
    SUPPLE_TRY(Trial trial, shipped_trial("breaststroke", 7));
    trial.body.gain = gain;
    set_rate(trial, 30);
    trials.push_back(std::move(trial));
  }
  SUPPLE_TRY(const std::vector<Swum> results, swim_all(trials));
  std::string csv = "stroke,viscosity_Ns_per_m3,gain,distance_m,power_w,failure\n";
  std::size_t failures = 0;
  double fastest = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const Swum& swum = results[k];
    const bool quadratic = trials[k].water.drag == swim::DragLaw::Quadratic;
    csv += fmt::format("{},{},{},{:.4f},{:.2f},\"{}\"\n", trials[k].stroke,
                       quadratic ? "" : fmt::format("{}", trials[k].water.viscosity),
                       trials[k].body.gain, swum.report.distance_m, swum.report.power_w,
                       swum.failure ? swum.failure->message() : "");
    failures += swum.failure ? 1 : 0;
    fastest = std::max(fastest, swum.report.distance_m / trials[k].run.seconds);
  }
  SUPPLE_TRY_VOID(bench.write("robustness.csv", csv));
  bench.summary["robustness"] = {
      {"runs", results.size()}, {"failures", failures}, {"fastest_mps", fastest}};
  bench.text += fmt::format(R"(
## Robustness

{} runs in steps of 1/30 s: viscosities from 0 to 1e5 N s/m3 with the gains of all muscles scaled by a
quarter to four, and the breaststroke with those gains (robustness.csv). {} of them became unstable;
the fastest swimmer reached {:.2f} m/s on average.
)",
                            results.size(), failures, fastest);
  return {};
}

Result<void> sweep(Bench& bench) {
  constexpr std::size_t kRuns = 16;
  std::vector<Trial> trials;
  for (std::size_t k = 0; k < kRuns; ++k) {
    SUPPLE_TRY(Trial trial, shipped_trial("breaststroke", 20));
    trial.body.mass = 60 + 2 * static_cast<double>(k);
    trials.push_back(std::move(trial));
  }
  const int threads = thread_count();
  Stopwatch watch;
  SUPPLE_TRY(const std::vector<Swum> together, swim_all(trials));
  const double parallel = watch.lap();
  set_thread_count(1);
  auto alone = swim_all(trials);
  const double serial = watch.lap();
  set_thread_count(threads);
  if (!alone.ok()) return std::move(alone).error();
  std::string csv = "mass_kg,distance_m,power_w,same_on_one_thread\n";
  bool same = true;
  for (std::size_t k = 0; k < kRuns; ++k) {
    if (together[k].failure) return *together[k].failure;
    const bool equal = together[k].report.distance_m == (*alone)[k].report.distance_m &&
                       together[k].report.power_w == (*alone)[k].report.power_w;
    same = same && equal;
    csv += fmt::format("{},{:.5f},{:.2f},{}\n", trials[k].body.mass, together[k].report.distance_m,
                       together[k].report.power_w, equal ? "yes" : "no");
  }
  SUPPLE_TRY_VOID(bench.write("sweep.csv", csv));
  bench.summary["sweep"] = {{"runs", kRuns},
                            {"threads", threads},
                            {"seconds", parallel},
                            {"seconds_one_thread", serial},
                            {"faster", serial / parallel},
                            {"same", same}};
  bench.text += fmt::format(R"(
## A sweep of sixteen swimmers

Swimmers of 60 to 90 kg, 20 s each (sweep.csv): {:.2f} s on {} threads, {:.2f} s on one, {:.2f} times
as fast; the results are {}.
)",
                            parallel, threads, serial, serial / parallel,
                            same ? "identical to the last bit" : "NOT identical");
  return {};
}

}  // namespace supple::experiments
