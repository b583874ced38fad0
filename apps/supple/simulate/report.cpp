// SPDX-License-Identifier: Apache-2.0
#include "simulate/report.hpp"

#include "cli/json.hpp"
#include "cli/report.hpp"

#include "supple/core/console.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace supple::app {
namespace {

using Align = TextTable::Align;

const char* kind_name(simulator::BodyKind kind) {
  switch (kind) {
    case simulator::BodyKind::Solid:
      return "solid";
    case simulator::BodyKind::Sheet:
      return "cloth";
    case simulator::BodyKind::Obstacle:
      break;
  }
  return "obstacle";
}

/// More than twenty bodies would hide the rest of the report.
std::string bodies_text(const bake::SimulateReport& report) {
  TextTable table({{"body", Align::Left},
                   {"kind", Align::Left},
                   {"vertices", Align::Right},
                   {"triangles", Align::Right}});
  constexpr std::size_t kMostRows = 20;
  for (std::size_t b = 0; b < std::min(kMostRows, report.bodies.size()); ++b) {
    const simulator::Body& body = report.bodies[b];
    table.row({body.name, kind_name(body.kind),
               format_count(static_cast<std::uint64_t>(body.vertex_count)),
               format_count(body.surface.size())});
  }
  std::string text = table.str();
  if (report.bodies.size() > kMostRows) {
    text += fmt::format("and {} more\n", report.bodies.size() - kMostRows);
  }
  return text;
}

std::string reduced_text(const std::vector<bake::ReducedBody>& reduced) {
  if (reduced.empty()) return {};
  TextTable table({{"in OUT.glb", Align::Left},
                   {"shapes", Align::Right},
                   {"relative error", Align::Right},
                   {"largest error", Align::Right},
                   {"of its size", Align::Right},
                   {"root mean square", Align::Right}});
  for (const bake::ReducedBody& body : reduced) {
    table.row({body.name, fmt::format("{}", body.shapes),
               fmt::format("{:.2g}", body.relative_error), format_si(body.largest_error, "m"),
               fmt::format("{:.2g}", body.size > 0 ? body.largest_error / body.size : 0),
               format_si(body.rms_error, "m")});
  }
  return "\n" + table.str();
}

Json bodies_json(const bake::SimulateReport& report) {
  Json json = Json::array();
  for (const simulator::Body& body : report.bodies) {
    json.push_back({{"name", body.name},
                    {"kind", kind_name(body.kind)},
                    {"vertices", body.vertex_count},
                    {"triangles", body.surface.size()}});
  }
  return json;
}

Json reduced_json(const std::vector<bake::ReducedBody>& reduced) {
  Json json = Json::array();
  for (const bake::ReducedBody& body : reduced) {
    json.push_back({{"name", body.name},
                    {"vertices", body.vertices},
                    {"shapes", body.shapes},
                    {"size_m", body.size},
                    {"relative_error", body.relative_error},
                    {"largest_error_m", body.largest_error},
                    {"rms_error_m", body.rms_error}});
  }
  return json;
}

/// JSON has no infinity: null says that nothing came close.
Json distance_json(double distance) {
  return std::isfinite(distance) ? Json(distance) : Json(nullptr);
}

/// A body without shapes moves rigidly to within the tolerance: its error relative to what is left
/// says nothing.
double largest_reduction_error(const std::vector<bake::ReducedBody>& reduced) {
  double error = 0;
  for (const bake::ReducedBody& body : reduced) {
    if (body.shapes > 0) error = std::max(error, body.relative_error);
  }
  return error;
}

}  // namespace

std::string human_report(const bake::SimulateReport& report,
                         const std::vector<WrittenFile>& files) {
  const bake::SimulationSettings& settings = report.input.settings;
  std::string text = bodies_text(report);
  text += fmt::format("\n{} steps of {} ({} s)", format_count(report.steps),
                      format_seconds(1 / settings.rate), settings.seconds);
  if (report.resumed_at > 0) text += fmt::format(", resumed after {}", report.resumed_at);
  text += fmt::format(
      "\n{:.1f} Newton iterations a step, at most {} contacts, smallest distance {}, "
      "{} intersections\n",
      report.steps > 0
          ? static_cast<double>(report.newton_iterations) / static_cast<double>(report.steps)
          : 0.0,
      format_count(report.contacts_max),
      std::isfinite(report.smallest_distance) ? format_si(report.smallest_distance, "m") : "none",
      report.intersections);
  const simulator::Energies& e = report.energies;
  text += fmt::format("energy at the end: kinetic {}, elastic {}, gravity {}, contact {}\n",
                      format_si(e.kinetic, "J"), format_si(e.elastic, "J"),
                      format_si(e.gravity, "J"), format_si(e.contact, "J"));
  text += reduced_text(report.reduced) + "\n" + written_text(files);
  return text + fmt::format("{} in all, {}B of memory, state {}\n",
                            format_seconds(total_seconds(report.seconds)),
                            format_si(peak_memory_bytes(), ""), report.digest);
}

std::string json_report(const bake::SimulateReport& report, const std::vector<WrittenFile>& files) {
  const simulator::Energies& e = report.energies;
  const Json json{{"version", version()},
                  {"scene", report.input.title},
                  {"steps", report.steps},
                  {"resumed_at", report.resumed_at},
                  {"rate_hz", report.input.settings.rate},
                  {"newton_iterations", report.newton_iterations},
                  {"substeps", report.substeps},
                  {"contacts_max", report.contacts_max},
                  {"contact_width_m", report.contact_width},
                  {"smallest_distance_m", distance_json(report.smallest_distance)},
                  {"intersections", report.intersections},
                  {"energy_j",
                   {{"kinetic", e.kinetic},
                    {"elastic", e.elastic},
                    {"gravity", e.gravity},
                    {"contact", e.contact}}},
                  {"digest", report.digest},
                  {"reduction_error", largest_reduction_error(report.reduced)},
                  {"bodies", bodies_json(report)},
                  {"reduced", reduced_json(report.reduced)},
                  {"warnings", warnings_json(report.warnings)},
                  {"files", written_json(files)},
                  {"seconds", seconds_json(report.seconds)},
                  {"threads", thread_count()},
                  {"peak_memory_mb", peak_memory_bytes() / 1e6}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace supple::app
