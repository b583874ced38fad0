// SPDX-License-Identifier: Apache-2.0
#include "experiments/scene.hpp"

#include "experiments/bench.hpp"
#include "experiments/scene_parts.hpp"
#include "samples/scenes.hpp"

#include "supple/bake/output_names.hpp"
#include "supple/core/console.hpp"
#include "supple/core/log.hpp"
#include "supple/plot/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace supple::experiments {
namespace {

/// [JF03 table 1].
struct PaperScene {
  const char* name;
  int rank;
  double error;  ///< of the shapes
  int states, responses;
};
constexpr std::array<PaperScene, 3> kPaper{{{"dinosaur", 12, 0.005, 20010, 260},
                                            {"plant", 18, 0.020, 6245, 150},
                                            {"door", 30, 0.015, 8001, 171}}};

/// Unsampled sequences of each scene.
constexpr std::size_t kSequences = 8;

/// One bake of a series.
struct SeriesPoint {
  bool adaptive = false;
  bake::SceneReport report;
  SequenceFigures figures;
};

plot::Colour scene_colour(std::size_t scene) {
  constexpr std::array<float, 3> kHues{255, 150, 27};
  return plot::from_oklch(0.55F, 0.15F, kHues.at(scene % kHues.size()));
}

double seconds_of(const bake::SceneReport& report, const std::string& stage) {
  for (const auto& [name, seconds] : report.seconds) {
    if (name == stage) return seconds;
  }
  return 0;
}

class SceneExperiments {
 public:
  SceneExperiments(const SceneExperimentSettings& settings, ExperimentBench& bench)
      : m_settings(settings), m_bench(bench) {}

  Result<void> run(const std::string& name) {
    m_name = name;
    const auto size = m_settings.full ? samples::SampleSize::Full : samples::SampleSize::Small;
    SUPPLE_TRY(m_model, samples::scene_model(name, size));
    bake::SceneRequest request;
    request.model = m_model;
    SUPPLE_TRY(m_input, bake::read_scene_input(request));
    if (!m_settings.full) {  // steps between the numbers of states that take minutes, not an hour
      m_input.settings.sampling.chain = 3;
      m_input.settings.sampling.rest = 3;
    }
    SUPPLE_TRY(m_sequences, simulate_sequences(m_input, kSequences));
    // At random first: the more states, the same and more chains.
    std::vector<SeriesPoint> series;
    const std::size_t first = m_input.settings.sampling.states / (m_settings.full ? 4 : 1);
    std::size_t sampled = first;
    for (const std::size_t factor : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
      SUPPLE_TRY(SeriesPoint point, sample(false, factor == 1 ? first : factor * sampled));
      if (factor == 1) sampled = point.report.sampled_states;
      series.push_back(std::move(point));
    }
    for (const SeriesPoint& random : std::vector(series)) {
      SUPPLE_TRY(SeriesPoint adaptive, sample(true, random.report.sampled_states));
      series.push_back(std::move(adaptive));
    }
    add_table_row(series.back().report);
    add_ranks(series.back().report);
    add_series(series);
    ++m_done;
    return {};
  }

  Result<void> write() {
    SUPPLE_TRY_VOID(m_bench.write("table1.csv", m_table_csv));
    SUPPLE_TRY_VOID(m_bench.write("figure12.csv", m_rank_csv));
    SUPPLE_TRY_VOID(m_bench.write("sequences.csv", m_series_csv));
    plot::PlotSettings ranks;
    ranks.title = "Error by number of shapes";
    ranks.x_label = "shapes";
    ranks.y_label = "of the motion, %";
    ranks.y_low = 0;
    ranks.y_high = 30;
    SUPPLE_TRY_VOID(m_bench.write_plot("figure12", plot::draw_plot(m_rank_curves, ranks)));
    plot::PlotSettings errors;
    errors.title = "Play of sequences that were not sampled";
    errors.x_label = "sampled states";
    errors.y_label = "RMS error, % of the motion (dashed: adaptive)";
    errors.log_x = true;
    errors.y_high = 1.1 * m_largest_error;
    SUPPLE_TRY_VOID(m_bench.write_plot("sequences", plot::draw_plot(m_error_curves, errors)));
    m_bench.text += text();
    return {};
  }

 private:
  Result<SeriesPoint> sample(bool adaptive, std::size_t states) {
    log::info("{}: {} states, {}", m_name, states, adaptive ? "adaptive" : "at random");
    SeriesPoint point;
    point.adaptive = adaptive;
    bake::SceneSettings settings = m_input.settings;
    settings.sampling.adaptive = adaptive;
    bake::SceneRequest request;
    request.model = m_model;
    request.model->toml = bake::print_scene_settings(settings);
    request.states = states;
    request.output = (m_bench.directory / (m_name + ".glb")).string();
    const std::filesystem::path work =
        m_settings.work.empty() ? m_bench.directory : std::filesystem::path(m_settings.work);
    request.work = (work / fmt::format("{}{}-{}", m_settings.full ? "full-" : "", m_name,
                                       adaptive ? "adaptive" : "random"))
                       .string();
    OutputSet output;
    SUPPLE_TRY(point.report, bake::bake_scene(request, output));
    SUPPLE_TRY_VOID(output.commit());
    SUPPLE_TRY(point.figures, play_sequences(bake::supple_path(request.output), m_sequences));
    log::info("{}: {} sampled, error {:.3g}, floor {:.3g}, blend {:.3g}", m_name,
              point.report.sampled_states, point.figures.error, point.figures.floor,
              point.figures.blend);
    return point;
  }

  void add_table_row(const bake::SceneReport& report) {
    const auto paper =
        std::ranges::find_if(kPaper, [&](const PaperScene& scene) { return m_name == scene.name; });
    const double sampling = seconds_of(report, "sample");
    // Chains that the folder had took their time in an earlier call.
    const std::string sampled = report.resumed_chains > 0 ? "resumed" : format_seconds(sampling);
    const double rest =
        seconds_of(report, "shapes") + seconds_of(report, "portrait") + seconds_of(report, "write");
    m_table_csv +=
        fmt::format("{},{},{},{:.5g},{},{},{:.1f},{:.2f},{},{},{}\n", m_name, report.vertices,
                    report.rank, report.relative_error, report.states, report.responses, sampling,
                    rest, report.bytes, report.raw_bytes, report.certificate.texture_bytes);
    m_table +=
        fmt::format("| {} | {} | {} | {:.1f} % | {} | {} | {} | {} | {}B | {}B | {}B |\n", m_name,
                    format_count(report.vertices), report.rank, 100 * report.relative_error,
                    format_count(report.states), report.responses, format_seconds(sampling),
                    format_seconds(rest), format_si(static_cast<double>(report.bytes), ""),
                    format_si(static_cast<double>(report.raw_bytes), ""),
                    format_si(static_cast<double>(report.certificate.texture_bytes), ""));
    if (paper != kPaper.end()) {
      m_table += fmt::format(
          "| [JF03] | | {} | {:.1f} % | {} | {} | | | | | |\n", paper->rank, 100 * paper->error,
          format_count(static_cast<std::size_t>(paper->states)), paper->responses);
    }
    m_bench.summary["table1"].push_back({{"scene", m_name},
                                         {"vertices", report.vertices},
                                         {"rank", report.rank},
                                         {"relative_error", report.relative_error},
                                         {"states", report.states},
                                         {"responses", report.responses},
                                         {"sampling_seconds", sampling},
                                         {"resumed_chains", report.resumed_chains},
                                         {"other_seconds", rest},
                                         {"bytes", report.bytes},
                                         {"raw_bytes", report.raw_bytes},
                                         {"texture_bytes", report.certificate.texture_bytes}});
  }

  void add_ranks(const bake::SceneReport& report) {
    plot::Curve curve{m_name, scene_colour(m_done), {}, {}, false, false};
    for (std::size_t r = 1; r < report.error_by_rank.size(); ++r) {
      curve.x.push_back(static_cast<double>(r));
      curve.y.push_back(100 * report.error_by_rank[r]);
      m_rank_csv += fmt::format("{},{},{:.6g}\n", m_name, r, report.error_by_rank[r]);
    }
    m_rank_curves.push_back(std::move(curve));
  }

  void add_series(const std::vector<SeriesPoint>& series) {
    plot::Curve random{m_name, scene_colour(m_done), {}, {}, false, true};
    plot::Curve adaptive{"", scene_colour(m_done), {}, {}, true, true};
    for (const SeriesPoint& point : series) {
      const auto states = static_cast<double>(point.report.sampled_states);
      const bake::SceneCertificate& certificate = point.report.certificate;
      plot::Curve& curve = point.adaptive ? adaptive : random;
      curve.x.push_back(states);
      curve.y.push_back(100 * point.figures.error);
      m_largest_error = std::max(m_largest_error, curve.y.back());
      const char* sampling = point.adaptive ? "adaptive" : "random";
      m_series_csv += fmt::format("{},{},{},{},{:.5g},{:.5g},{:.5g},{:.5g},{:.5g},{:.5g},{},{}\n",
                                  m_name, sampling, point.report.sampled_states,
                                  point.report.responses, point.figures.error, point.figures.floor,
                                  point.figures.blend, certificate.coverage.mean,
                                  certificate.paper_pops.mean, certificate.pops.largest,
                                  certificate.transitions.crossing, certificate.transitions.tested);
      m_series += fmt::format(
          "| {} | {} | {} | {} | {:.1f} % | {:.1f} % | {:.1f} % | {:.1f} % | {:.3f} | {:.0e} | {} "
          "of {} |\n",
          m_name, sampling, format_count(point.report.sampled_states), point.report.responses,
          100 * point.figures.error, 100 * point.figures.floor, 100 * point.figures.blend,
          100 * certificate.coverage.mean, certificate.paper_pops.mean, certificate.pops.largest,
          certificate.transitions.crossing, certificate.transitions.tested);
      m_bench.summary["sequences"].push_back({{"scene", m_name},
                                              {"sampling", sampling},
                                              {"states", point.report.sampled_states},
                                              {"responses", point.report.responses},
                                              {"error", point.figures.error},
                                              {"floor", point.figures.floor},
                                              {"blend", point.figures.blend},
                                              {"coverage", certificate.coverage.mean},
                                              {"paper_pop", certificate.paper_pops.mean},
                                              {"pop", certificate.pops.largest},
                                              {"crossing", certificate.transitions.crossing},
                                              {"tested", certificate.transitions.tested}});
    }
    m_error_curves.push_back(std::move(random));
    if (!adaptive.x.empty()) m_error_curves.push_back(std::move(adaptive));
  }

  [[nodiscard]] std::string text() const {
    return fmt::format(R"(
## Table 1

Each of our scenes and the paper's below it (table1.csv). Samples are the adaptive ones of the last
table. "Error" is what the shapes leave of the motion; "other" is everything after sampling;
"snapshots" are all sampled frames as floats, "textures" positions and normals of the playable
states with 16 bits.

| scene | vertices | shapes | error | states | responses | sampling | other | .supple | snapshots | textures |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
{}
## Figure 12

figure12.svg and figure12.csv: the error by the number of shapes.

## Sequences that were not sampled

{} random sequences of 5 entries for each scene, simulated and played (sequences.csv, sequences.svg).
"Error" is the RMS distance of all vertices in all frames, relative to the RMS displacement; "floor"
is that of the true motion in the scene's shapes, which no play can be closer than; "blend" is the
mean distance that a transition has to make up for, of the portrait's size. The last columns are
those of the certificate: over random play the mean distance from the samples, the mean jump of the
velocity by the paper's blend and the largest by ours, both relative to the largest speed; and how
many of the tested transitions intersect anywhere.

| scene | sampling | states | responses | error | floor | blend | off | pops, paper | pops | intersect |
| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
{})",
                       m_table, kSequences, m_series);
  }

  const SceneExperimentSettings& m_settings;
  ExperimentBench& m_bench;
  std::string m_name;
  bake::SimulationModel m_model;
  bake::SceneInput m_input;
  std::vector<TrueSequence> m_sequences;
  std::size_t m_done = 0;
  std::string m_table, m_series;
  std::string m_table_csv =
      "scene,vertices,rank,relative_error,states,responses,sampling_s,other_s,bytes,raw_bytes,"
      "texture_bytes\n";
  std::string m_rank_csv = "scene,rank,relative_error\n";
  std::string m_series_csv =
      "scene,sampling,states,responses,error,floor,blend,coverage,paper_pop,pop,crossing,tested\n";
  std::vector<plot::Curve> m_rank_curves, m_error_curves;
  double m_largest_error = 0;
};

constexpr const char* kSceneIntroduction = R"(# Experiments on scenes

Written by `supple scene experiments`, following [JF03] (James, Fatahalian: Precomputing interactive
dynamic deformable scenes, 2003), section 6. docs/scenes.md discusses the figures.
)";

}  // namespace

Result<SceneExperimentReport> run_scene_experiments(const SceneExperimentSettings& settings) {
  std::vector<std::string> scenes = settings.scenes;
  if (scenes.empty()) {
    for (const samples::SimulationSample& sample : samples::scene_samples()) {
      scenes.push_back(sample.name);
    }
  }
  ExperimentBench bench;
  SUPPLE_TRY_VOID(bench.open(settings.directory, false));
  bench.text = kSceneIntroduction;
  SceneExperiments experiments(settings, bench);
  for (const std::string& name : scenes) {
    SUPPLE_TRY_VOID(experiments.run(name).during(fmt::format("experiments on '{}'", name)));
  }
  SUPPLE_TRY_VOID(experiments.write());
  SUPPLE_TRY(std::vector<std::filesystem::path> files, bench.finish());
  return SceneExperimentReport{bench.summary.dump(), bench.text, std::move(files)};
}

}  // namespace supple::experiments
