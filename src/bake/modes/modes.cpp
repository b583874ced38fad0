// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/modes.hpp"

#include "supple/core/console.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/version.hpp"
#include "supple/io/gltf_morph_animation.hpp"
#include "supple/io/volume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace supple::bake {
namespace {

/// Real periods are often too short or too long to watch: the slowest mode takes this long, the
/// others keep their ratio to it, down to a limit that a screen can still show.
constexpr double kSlowestPeriod = 1.6;   // seconds
constexpr double kShortestPeriod = 0.2;  // seconds

}  // namespace

Result<ModesRun> solve_modes(const ModesRequest& request) {
  SUPPLE_TRY_VOID(check(request.model));
  SUPPLE_TRY_VOID(request.solver.validate());
  ModesRun run;
  SUPPLE_TRY(run.input, load_model(request.model));
  const geometry::TetMesh& mesh = run.input.model.mesh;
  log::debug("{}: {} elements, {} nodes, {} fixed", run.input.title,
             format_count(mesh.element_count()), format_count(mesh.nodes.size()),
             format_count(run.input.fixed_nodes));
  SUPPLE_TRY_VOID(check_interrupt());
  fem::ModalSettings solver = request.solver;
  solver.count = request.count.value_or(run.input.requested_modes.value_or(solver.count));
  SUPPLE_TRY(run.modes, fem::solve_modes(run.input.model, solver)
                            .during(fmt::format("solving '{}'", run.input.title)));
  run.seconds = run.input.seconds;
  run.seconds.insert(run.seconds.end(), run.modes.seconds.begin(), run.modes.seconds.end());
  return run;
}

Eigen::MatrixXd effective_mass_fractions(const ModesRun& run) {
  return run.modes.participation.leftCols(3).array().square() / run.input.mass;
}

std::string modes_summary(const ModesRun& run) {
  const fem::SolidModel& model = run.input.model;
  std::string text = fmt::format(
      "{}: {} elements with {} nodes each, {} nodes, {} unknowns, {:.4g} kg\n", run.input.title,
      format_count(model.mesh.element_count()), model.mesh.nodes_per_element(),
      format_count(model.mesh.nodes.size()), format_count(run.modes.free_dofs), run.input.mass);
  if (run.modes.rigid_modes > 0) {
    text += fmt::format("{}: {} rigid motions left out\n",
                        run.input.fixed_nodes == 0 ? "free body" : "loosely held",
                        run.modes.rigid_modes);
  }
  return text;
}

Result<Bytes> modes_vtu(const ModesRun& run) {
  std::vector<io::NodalField> fields;
  const Eigen::VectorXd frequencies = run.modes.frequencies_hz();
  for (Eigen::Index i = 0; i < frequencies.size(); ++i) {
    const double* column = run.modes.shapes.col(i).data();
    fields.push_back(
        {fmt::format("mode {:03} ({})", i + 1, format_frequency(frequencies[i])), 3,
         std::span<const double>(column, static_cast<std::size_t>(run.modes.shapes.rows()))});
  }
  return io::write_vtu(run.input.model.mesh, fields);
}

Result<Bytes> modes_glb(const ModesRun& run, const geometry::BoundarySurface& surface) {
  io::MorphAnimation animation;
  animation.surface = surface.mesh;
  const double peak = 0.1 * geometry::bounding_box(surface.mesh.positions).diagonal();
  const Eigen::VectorXd frequencies = run.modes.frequencies_hz();
  for (Eigen::Index i = 0; i < frequencies.size(); ++i) {
    io::MorphSwing swing;
    swing.name = fmt::format("mode {} ({})", i + 1, format_frequency(frequencies[i]));
    swing.period = std::max(kShortestPeriod, kSlowestPeriod * frequencies[0] / frequencies[i]);
    double largest = 0;
    for (const geometry::Index node : surface.node_of_vertex) {
      swing.displacement.push_back(run.modes.shapes.col(i).segment<3>(3 * Eigen::Index{node}));
      largest = std::max(largest, swing.displacement.back().norm());
    }
    if (largest > 0) {
      for (geometry::Vec3& displacement : swing.displacement) displacement *= peak / largest;
    }
    animation.swings.push_back(std::move(swing));
  }
  return io::write_morph_animation(animation);
}

std::string modes_table(const ModesRun& run) {
  std::string text = fmt::format("# supple {} modes\n# {}", version(), modes_summary(run));
  for (const fem::Material& material : run.input.model.materials) {
    text +=
        fmt::format("# material {}: E {:.6g} Pa, nu {:.6g}, density {:.6g} kg/m^3\n", material.name,
                    material.youngs_modulus, material.poisson_ratio, material.density);
  }
  text +=
      "# participation Phi^T M Gamma: translations (sqrt kg), rotations about the origin "
      "(sqrt kg m); mass: part of the total\n";
  std::vector<TextTable::Column> columns;
  for (const char* title : {"mode", "frequency_hz", "period_s", "px", "py", "pz", "rx", "ry", "rz",
                            "mass_x", "mass_y", "mass_z"}) {
    columns.push_back({title, TextTable::Align::Right});
  }
  TextTable table(columns);
  const Eigen::VectorXd frequencies = run.modes.frequencies_hz();
  const Eigen::MatrixXd fractions = effective_mass_fractions(run);
  for (Eigen::Index i = 0; i < frequencies.size(); ++i) {
    std::vector<std::string> cells{fmt::format("{}", i + 1), fmt::format("{:.9g}", frequencies[i]),
                                   fmt::format("{:.9g}", 1 / frequencies[i])};
    for (Eigen::Index j = 0; j < 6; ++j) {
      cells.push_back(fmt::format("{:.6e}", run.modes.participation(i, j)));
    }
    for (Eigen::Index j = 0; j < 3; ++j) cells.push_back(fmt::format("{:.6f}", fractions(i, j)));
    table.row(std::move(cells));
  }
  return text + table.str();
}

}  // namespace supple::bake
