// SPDX-License-Identifier: Apache-2.0
#include "modes_report.hpp"

#include "application.hpp"

#include "supple/core/console.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <numbers>

namespace supple::app {
namespace {

// Keeps the order in which keys are added, so that a reader finds the answer first.
using Align = TextTable::Align;
using Json = nlohmann::ordered_json;

Json to_json(const geometry::Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

Json to_json(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json to_json(const fem::Material& material) {
  return {{"name", material.name},
          {"youngs_modulus", material.youngs_modulus},
          {"poisson_ratio", material.poisson_ratio},
          {"density", material.density}};
}

Json to_json(const std::vector<std::pair<std::string, double>>& seconds) {
  Json stages = Json::object();
  double total = 0;
  for (const auto& [stage, duration] : seconds) {
    stages[stage] = stages.value(stage, 0.0) + duration;
    total += duration;
  }
  stages["total"] = total;
  return stages;
}

double in_degrees(double radians) {
  return radians * 180 / std::numbers::pi;
}

Json quality_json(const geometry::TetQuality& quality) {
  return {{"min_dihedral_degrees", in_degrees(quality.min_dihedral)},
          {"max_dihedral_degrees", in_degrees(quality.max_dihedral)},
          {"min_volume", quality.min_volume},
          {"min_radius_ratio", quality.min_radius_ratio}};
}

std::string_view mass_rule_name(fem::MassRule rule) {
  switch (rule) {
    case fem::MassRule::Consistent:
      return "consistent";
    case fem::MassRule::FourPoint:
      return "4-point";
    case fem::MassRule::OnePoint:
      return "1-point";
    case fem::MassRule::Lumped:
      return "lumped";
  }
  return "";
}

std::string summary(const ModesRun& run) {
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

std::string timing(const ModesRun& run) {
  std::string text;
  for (const auto& [stage, duration] : run.seconds) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stage, format_seconds(duration));
  }
  return fmt::format("{}; {}B of memory; largest residual {:.1e}\n", text,
                     format_si(peak_memory_bytes(), ""), run.modes.residual_max);
}

}  // namespace

Eigen::MatrixXd effective_mass_fractions(const ModesRun& run) {
  return run.modes.participation.leftCols(3).array().square() / run.input.mass;
}

std::string human_report(const ModesRun& run) {
  TextTable table({{"mode", Align::Right},
                   {"frequency", Align::Right},
                   {"period", Align::Right},
                   {"mass x", Align::Right},
                   {"mass y", Align::Right},
                   {"mass z", Align::Right}});
  const Eigen::VectorXd frequencies = run.modes.frequencies_hz();
  const Eigen::MatrixXd fractions = effective_mass_fractions(run);
  const auto percent = [](double fraction) { return fmt::format("{:.2f} %", 100 * fraction); };
  for (Eigen::Index i = 0; i < frequencies.size(); ++i) {
    table.row({fmt::format("{}", i + 1), format_frequency(frequencies[i]),
               format_seconds(1 / frequencies[i]), percent(fractions(i, 0)),
               percent(fractions(i, 1)), percent(fractions(i, 2))});
  }
  const Eigen::RowVectorXd sums = fractions.colwise().sum();
  table.row({"sum", "", "", percent(sums[0]), percent(sums[1]), percent(sums[2])});
  std::string files;
  for (const std::string& file : run.files) files += fmt::format("wrote {}\n", file);
  return summary(run) + table.str() + timing(run) + files;
}

std::string text_table(const ModesRun& run) {
  std::string text = fmt::format("# supple {} modes\n# {}", version(), summary(run));
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

std::string json_report(const ModesRun& run) {
  const fem::SolidModel& model = run.input.model;
  const Eigen::VectorXd frequencies = run.modes.frequencies_hz();
  const geometry::Box box = geometry::bounding_box(model.mesh.nodes);
  Json json;
  json["command"] = "modes";
  json["version"] = version();
  json["input"] = run.input.title;
  json["frequencies_hz"] = std::vector<double>(frequencies.begin(), frequencies.end());
  json["rigid_modes"] = run.modes.rigid_modes;
  json["participation"] = to_json(run.modes.participation);
  json["effective_mass_fraction"] = to_json(effective_mass_fractions(run));
  json["residual_max"] = run.modes.residual_max;
  json["dof"] = run.modes.free_dofs;
  json["elements"] = model.mesh.element_count();
  json["nodes"] = model.mesh.nodes.size();
  json["nodes_per_element"] = model.mesh.nodes_per_element();
  json["fixed_nodes"] = run.input.fixed_nodes;
  json["mass_kg"] = run.input.mass;
  json["mass_rule"] = mass_rule_name(model.mass_rule);
  json["materials"] = Json::array();
  for (const fem::Material& material : model.materials) {
    json["materials"].push_back(to_json(material));
  }
  json["bounding_box"] = {{"low", to_json(box.low)}, {"high", to_json(box.high)}};
  if (run.input.quality) json["mesh"] = quality_json(*run.input.quality);
  json["method"] = run.modes.method;
  json["iterations"] = run.modes.iterations;
  json["threads"] = thread_count();
  json["seconds"] = to_json(run.seconds);
  json["peak_memory_mb"] = peak_memory_bytes() / 1e6;
  json["files"] = run.files;
  // File names may hold bytes that are no UTF-8; those must not spoil the object.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace supple::app
