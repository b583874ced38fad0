// SPDX-License-Identifier: Apache-2.0
#include "modes/report.hpp"

#include "cli/json.hpp"
#include "cli/report.hpp"

#include "supple/core/console.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <numbers>

namespace supple::app {
namespace {

// Keeps keys in the order of insertion, so that the results come first.
using Align = TextTable::Align;
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

std::string_view mesher_name(geometry::Mesher mesher) {
  return mesher == geometry::Mesher::Netgen ? "netgen" : "stuffing";
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

std::string timing(const bake::ModesRun& run) {
  std::string text;
  for (const auto& [stage, duration] : run.seconds) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stage, format_seconds(duration));
  }
  return fmt::format("{}; {}B of memory; largest residual {:.1e}\n", text,
                     format_si(peak_memory_bytes(), ""), run.modes.residual_max);
}

}  // namespace

std::string human_report(const bake::ModesRun& run, const std::vector<WrittenFile>& files) {
  TextTable table({{"mode", Align::Right},
                   {"frequency", Align::Right},
                   {"period", Align::Right},
                   {"mass x", Align::Right},
                   {"mass y", Align::Right},
                   {"mass z", Align::Right}});
  const Eigen::VectorXd frequencies = run.modes.frequencies_hz();
  const Eigen::MatrixXd fractions = bake::effective_mass_fractions(run);
  const auto percent = [](double fraction) { return fmt::format("{:.2f} %", 100 * fraction); };
  for (Eigen::Index i = 0; i < frequencies.size(); ++i) {
    table.row({fmt::format("{}", i + 1), format_frequency(frequencies[i]),
               format_seconds(1 / frequencies[i]), percent(fractions(i, 0)),
               percent(fractions(i, 1)), percent(fractions(i, 2))});
  }
  const Eigen::RowVectorXd sums = fractions.colwise().sum();
  table.row({"sum", "", "", percent(sums[0]), percent(sums[1]), percent(sums[2])});
  std::string written;
  for (const WrittenFile& file : files) written += fmt::format("wrote {}\n", file.path);
  return bake::modes_summary(run) + table.str() + timing(run) + written;
}

std::string json_report(const bake::ModesRun& run, const std::vector<WrittenFile>& files) {
  const fem::SolidModel& model = run.input.model;
  const Eigen::VectorXd frequencies = run.modes.frequencies_hz();
  const geometry::Box box = geometry::bounding_box(model.mesh.nodes);
  Json json;
  json["command"] = "modes";
  json["version"] = version();
  json["input"] = run.input.title;
  json["warnings"] = warnings_json();
  json["frequencies_hz"] = std::vector<double>(frequencies.begin(), frequencies.end());
  json["rigid_modes"] = run.modes.rigid_modes;
  json["participation"] = to_json(run.modes.participation);
  json["effective_mass_fraction"] = to_json(bake::effective_mass_fractions(run));
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
  if (run.input.mesher) json["mesher"] = mesher_name(*run.input.mesher);
  if (run.input.meshed_volume) json["volume_m3"] = *run.input.meshed_volume;
  if (run.input.surface_volume) {
    json["surface_volume_m3"] = *run.input.surface_volume;
    json["volume_error"] = *run.input.meshed_volume / *run.input.surface_volume - 1;
  }
  json["method"] = run.modes.method;
  json["iterations"] = run.modes.iterations;
  json["threads"] = thread_count();
  json["seconds"] = to_json(run.seconds);
  json["peak_memory_mb"] = peak_memory_bytes() / 1e6;
  json["files"] = Json::array();
  for (const WrittenFile& file : files) json["files"].push_back(file.path);
  // File names may contain bytes that are not UTF-8; the JSON must stay valid.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace supple::app
