// SPDX-License-Identifier: Apache-2.0
#include "experiments/shell.hpp"

#include "experiments/shell_parts.hpp"
#include "samples/requests.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::experiments {

Result<bake::ShellRun> bake_sample(const std::string& name) {
  bake::ShellRequest request;
  SUPPLE_TRY(request.model, samples::shell_model(name));
  OutputSet nothing;
  return bake::bake_shells(request, nothing);
}

void place_shell(io::SkinnedModel& model, const bake::PreparedShell& shell,
                 const Eigen::VectorXd& x) {
  for (io::SkinnedPart& part : model.parts) {
    if (part.mesh != shell.settings.mesh) continue;
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      part.positions[v] = x.segment<3>(3 * Eigen::Index{shell.node_of_vertex[v]});
    }
    part.normals = geometry::vertex_normals({part.positions, part.triangles});
  }
}

void keep_meshes(io::SkinnedModel& model, const std::vector<std::string>& names) {
  std::erase_if(model.parts, [&](const io::SkinnedPart& part) {
    return std::find(names.begin(), names.end(), part.mesh) == names.end();
  });
}

const char* method_name(ShellMethod method) {
  const ByMethod<const char*> names{{"linear modes", "warped", "rotation-strain", "nonlinear"}};
  return names[method];
}

plot::Colour method_colour(ShellMethod method) {
  const ByMethod<plot::Colour> colours{
      {plot::from_oklch(0.55F, 0.19F, 27), plot::from_oklch(0.52F, 0.16F, 255),
       plot::from_oklch(0.68F, 0.14F, 70), plot::from_oklch(0.56F, 0.13F, 150)}};
  return colours[method];
}

plot::Drawing method_legend(std::span<const ShellMethod> methods) {
  std::vector<plot::Word> words;
  words.reserve(methods.size());
  for (const ShellMethod method : methods) {
    words.push_back({method_name(method), method_colour(method)});
  }
  return plot::draw_legend(words);
}

namespace {

struct ShellExperiment {
  std::vector<int> figures;
  int steps;
  Result<void> (*run)(Bench& bench);
};

const std::vector<ShellExperiment>& all_experiments() {
  static const std::vector<ShellExperiment> all{{{4}, kBeamSteps, beams_at_rest},
                                                {{5, 6}, kGrowingSteps, growing_gravity},
                                                {{6}, kCantileverSteps, cantilever},
                                                {{7}, kHandleSteps, handles},
                                                {{8}, kDancerSteps, dancer}};
  return all;
}

bool wanted(const ShellExperiment& experiment, const std::vector<int>& figures) {
  return figures.empty() || std::any_of(figures.begin(), figures.end(), [&](int figure) {
           const auto& own = experiment.figures;
           return std::find(own.begin(), own.end(), figure) != own.end();
         });
}

constexpr const char* kShellIntroduction =
    R"(# Experiments on thin shells

Written by `supple shell experiments`, following the figures of [CWK07] (Choi, Woo, Ko: Real-time simulation
of thin shells, 2007). The strips are our own samples, 0.5 m x 0.1 m, 125 nodes, 0.3 kg/m2, held at
one end; "nonlinear" is the equilibrium of the same discrete shell found by Newton's method, the paper's
"DS". All modal methods use eight modes.
)";

}  // namespace
Result<ShellExperimentReport> run_shell_experiments(const ShellExperimentSettings& settings) {
  for (const int figure : settings.figures) {
    if (figure >= 4 && figure <= 8) continue;
    return Error(ErrorCode::Usage,
                 fmt::format("no experiment for figure {}; available: 4 to 8", figure));
  }
  Bench bench;
  SUPPLE_TRY_VOID(bench.open(settings.directory, settings.pictures));
  bench.text = kShellIntroduction;
  double steps = 0;
  for (const ShellExperiment& experiment : all_experiments()) {
    if (wanted(experiment, settings.figures)) steps += experiment.steps;
  }
  Progress progress("shell experiments", steps);
  bench.progress = &progress;
  for (const ShellExperiment& experiment : all_experiments()) {
    if (!wanted(experiment, settings.figures)) continue;
    SUPPLE_TRY_VOID(experiment.run(bench));
  }
  SUPPLE_TRY(std::vector<std::filesystem::path> files, bench.finish());
  return ShellExperimentReport{bench.summary.dump(), bench.text, std::move(files)};
}

}  // namespace supple::experiments
