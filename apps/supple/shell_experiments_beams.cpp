// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_beams.hpp"
#include "shell_experiments_parts.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <cmath>

namespace supple::app::experiments {
namespace {

using geometry::Vec3;

constexpr double kGravity = 9.81;

/// Loads from nothing up, so that the nonlinear solver follows the branch that a hand would.
std::vector<double> up_to(double gravity, int steps) {
  std::vector<double> loads;
  loads.reserve(static_cast<std::size_t>(steps));
  for (int k = 1; k <= steps; ++k) loads.push_back(gravity * k / steps);
  return loads;
}

/// How far the middle of the free end hangs below where it is at rest, metres.
double tip_drop(const fem::DiscreteShell& shell, const Eigen::VectorXd& x) {
  const auto& points = shell.model().mesh.positions;
  std::size_t tip = 0;
  for (std::size_t v = 1; v < points.size(); ++v) {
    const double further = points[v].x() - points[tip].x();
    if (further > 1e-9 || (further > -1e-9 && points[v].y() < points[tip].y() - 1e-9)) tip = v;
  }
  const auto row = 3 * static_cast<Eigen::Index>(tip) + 1;
  return shell.rest()[row] - x[row];
}

std::string beam_row(const std::string& name, const fem::DiscreteShell& shell,
                     const ComparedLoad& load) {
  return fmt::format("{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f}\n", name,
                     tip_drop(shell, load.x[1]), tip_drop(shell, load.x[3]), load.error[1],
                     load.turn, load.area[1], load.area[3]);
}

}  // namespace

Result<void> beams_at_rest(Bench& bench) {
  SUPPLE_TRY(const ShellRun run, bake_sample("beams"));
  io::SkinnedModel warped = samples::shell_beams();
  io::SkinnedModel nonlinear = warped;
  std::string csv =
      "beam,tip_drop_warped_m,tip_drop_nonlinear_m,error_warped,largest_turn_rad,area_warped,"
      "area_nonlinear\n";
  std::string snapped;
  Json rows = Json::array();
  for (std::size_t k = 0; k < run.scene.shells.size(); ++k) {
    const bake::SceneShell& own = run.scene.shells[k];
    SUPPLE_TRY(const fem::DiscreteShell shell, fem::DiscreteShell::create(own.model));
    SUPPLE_TRY(const ShellComparison compared,
               compare_shell(shell, run.objects[k], up_to(kGravity, 8)));
    const ComparedLoad& load = compared.loads.back();
    place_shell(warped, own, load.x[1]);
    place_shell(nonlinear, own, load.x[3]);
    const std::string& name = run.objects[k].name;
    csv += beam_row(name, shell, load);
    rows.push_back({{"beam", name},
                    {"tipDropWarped", tip_drop(shell, load.x[1])},
                    {"tipDropNonlinear", tip_drop(shell, load.x[3])},
                    {"error", load.error[1]},
                    {"largestTurn", load.turn}});
    constexpr double kSnapped = 0.5;  // of the displacements: no longer the same shape
    if (load.error[1] > kSnapped) snapped += (snapped.empty() ? "`" : ", `") + name + "`";
    bench.progress->advance();
  }
  bench.summary["figure4"] = {{"gravity", kGravity}, {"beams", rows}};
  SUPPLE_TRY_VOID(bench.write("figure4.csv", csv));
  bench.text += R"(
## Figure 4: flat and V-beams under gravity

Three pairs; from pair to pair the bending stiffness grows tenfold. As in the paper a fold makes a
strip stiffer, the more so the softer the sheet (figure4.csv).
)";
  if (!snapped.empty()) {
    bench.text += fmt::format(
        R"(
Where this fails: {} is so soft that its fold opens and the beam snaps over like a tape measure. The
modes of the rest shape know nothing of that: warping leaves it nearly straight. The paper does not
mention it.
)",
        snapped);
  }
  if (!bench.studio) return {};
  Shot shot;
  shot.direction = {52, 16};
  shot.width = 620;
  shot.height = 520;
  for (const io::SkinnedModel* model : {&warped, &nonlinear}) {
    for (const io::SkinnedPart& part : model->parts) {
      shot.frame.insert(shot.frame.end(), part.positions.begin(), part.positions.end());
    }
  }
  SUPPLE_TRY(const Canvas left, bench.studio->draw(warped, shot));
  SUPPLE_TRY(const Canvas right, bench.studio->draw(nonlinear, shot));
  bench.text += "\n![figure 4](figure4.png)\n";
  return bench.write("figure4.png",
                     picture_row({left, right}, {"modal warping, 8 modes", "nonlinear shell"}));
}

Result<void> cantilever(Bench& bench) {
  // Area changes in percent: linear, warped, rotation-strain, nonlinear, as computed once by an
  // independent program for a strip of as many nodes; its unit of load is ours by the first entry.
  struct Reference {
    double load;
    std::array<double, kShellMethods> area;
  };
  const std::array<Reference, 3> references{{{0.2, {2.3, -0.43, -0.001, 0}},
                                             {0.8, {31, -3.7, -0.005, -0.001}},
                                             {4, {319, -9.6, -0.02, -0.005}}}};
  constexpr double kUnit = 4.548;  // m/s^2 for a load of 1
  const samples::BeamMaterial material;
  fem::ShellModel model;
  model.mesh = samples::make_beam({});
  model.materials = {{"strip", material.area_stiffness, material.length_stiffness,
                      material.bending_stiffness, material.area_density}};
  for (const Vec3& p : model.mesh.positions) {
    model.fixed.push_back(p.x() < 0.0215 ? fem::kFixAll : std::uint8_t{0});
  }
  SUPPLE_TRY(const fem::DiscreteShell shell, fem::DiscreteShell::create(std::move(model)));
  shell::ObjectSettings settings;
  settings.name = "flat beam";
  SUPPLE_TRY(const shell::ShellObject object, shell::bake_shell(shell, settings));
  std::vector<double> loads;
  for (const double load : {0.1, 0.2, 0.4, 0.8, 2.0, 4.0}) loads.push_back(kUnit * load);
  SUPPLE_TRY(const ShellComparison compared,
             compare_shell(shell, object, loads, [&] { bench.progress->advance(); }));
  SUPPLE_TRY_VOID(bench.write("cantilever.csv", comparison_csv(compared)));
  bench.text += R"(
## A flat cantilever: what each method does to the area

Change of area in percent; in brackets the figures of an independent program.

| load | linear | warped | rotation-strain | nonlinear | error linear / warped / rotation-strain |
| --- | --- | --- | --- | --- | --- |
)";
  Json rows = Json::array();
  for (const ComparedLoad& at : compared.loads) {
    const double load = at.gravity / kUnit;
    std::string line = fmt::format("| {:.3g} |", load);
    for (std::size_t m = 0; m < kShellMethods; ++m) {
      line += fmt::format(" {:.3g}", 100 * at.area[m]);
      for (const Reference& reference : references) {
        if (std::abs(reference.load - load) < 1e-9) line += fmt::format(" ({})", reference.area[m]);
      }
      line += " |";
    }
    bench.text +=
        line + fmt::format(" {:.2f} / {:.3f} / {:.3f} |\n", at.error[0], at.error[1], at.error[2]);
    rows.push_back({{"load", load}, {"area", at.area}, {"error", at.error}});
  }
  bench.text += R"(
Warping shrinks a sheet of constant curvature by about th^2/12 (th: the turn along it), and linear
modes stretch it by th^2/6: "almost zero" holds beside the linear method alone.
)";
  bench.summary["cantilever"] = rows;
  return {};
}

}  // namespace supple::app::experiments
