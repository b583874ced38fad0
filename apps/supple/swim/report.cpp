// SPDX-License-Identifier: Apache-2.0
#include "swim/report.hpp"

#include "cli/json.hpp"
#include "cli/report.hpp"

#include "supple/bake/swim_settings.hpp"
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

std::string water_text(const swim::WaterSettings& water) {
  std::string text = fmt::format("{} drag", bake::swim_law_name(water.drag));
  if (water.drag == swim::DragLaw::Linear || water.drag == swim::DragLaw::Isotropic) {
    text += fmt::format(" of {:g} N s/m3", water.viscosity);
  }
  if (water.friction > 0) text += ", friction";
  if (water.lift != 0) text += ", lift";
  if (water.added_mass) text += ", added mass";
  text += water.gravity > 0 ? ", weight and buoyancy" : ", weightless";
  text += water.surface ? fmt::format(", surface at {:g} m", *water.surface) : ", no surface";
  if (water.flow) text += ", flowing";
  return text;
}

std::string figures_table(const bake::SwimRun& run) {
  const swim::SwimReport& r = run.report;
  TextTable table({{"figure", Align::Left}, {"value", Align::Right}, {"", Align::Left}});
  const auto row = [&](const char* name, double value, int digits, const char* unit) {
    table.row({name, fmt::format("{:.{}f}", value, digits), unit});
  };
  row("distance", r.distance_m, 2, "m, start to end");
  table.row({"", fmt::format("{:.2f}", r.ahead_m),
             fmt::format("m ahead, {:.2f} m to the {}, {:.2f} m {}", std::abs(r.right_m),
                         r.right_m < 0 ? "left" : "right", std::abs(r.up_m),
                         r.up_m < 0 ? "down" : "up")});
  row("mean speed", r.mean_speed_mps, 2, "m/s");
  row("variation", 100 * r.speed_variation, 0, "% up and down within a cycle");
  row("strokes", r.strokes_per_min, 1, "per minute");
  row("stroke length", r.metres_per_stroke, 2, "m");
  row("power", r.power_w, 0, "W, positive work of the muscles");
  row("efficiency", 100 * r.efficiency, 1, "% of it would tow the outstretched body");
  row("pitch", r.pitch_deg, 1, "degrees, head up");
  row("energy error", 100 * r.energy_error, 2, "% of all work");
  return table.str();
}

/// Where people swim, m/s.
bool is_swimming_speed(double speed) {
  return speed >= 0.3 && speed <= 2.5;
}

/// What a person would need at the same speed.
std::string person_text(const swim::SwimReport& r) {
  if (!is_swimming_speed(r.mean_speed_mps)) return {};
  const swim::MeasuredRange power = swim::person_power(r.mean_speed_mps);
  std::string text = fmt::format(
      "an adult's front crawl at {:.2f} m/s takes {:.0f} to {:.0f} W, with {:.0f} to {:.0f} % "
      "propelling efficiency",
      r.mean_speed_mps, power.low, power.high, 100 * swim::kPersonEfficiency.low,
      100 * swim::kPersonEfficiency.high);
  if (r.power_w > power.high) text += ": this stroke is not as economical as a person's";
  return text + "\n";
}

Json energy_json(const swim::Energy& energy) {
  return {{"muscles_J", energy.muscles},     {"effort_J", energy.effort},
          {"drag_J", energy.drag},           {"buoyancy_J", energy.buoyancy},
          {"limits_J", energy.limits},       {"kinetic_J", energy.kinetic},
          {"potential_J", energy.potential}, {"error_J", energy.error}};
}

/// The distance to every target of the course; null for targets not attempted.
Json nearest_json(const swim::Recording& recording) {
  Json json = Json::array();
  for (const swim::TargetOutcome& outcome : recording.targets) {
    json.push_back(std::isfinite(outcome.nearest) ? Json(outcome.nearest) : Json());
  }
  return json;
}

double steps_per_second(const bake::SwimRun& run) {
  return static_cast<double>(run.steps) / std::max(run.swim_seconds, 1e-9);
}

}  // namespace

Json figures_json(const swim::SwimReport& report) {
  return {{"distance_m", report.distance_m},
          {"ahead_m", report.ahead_m},
          {"right_m", report.right_m},
          {"up_m", report.up_m},
          {"turned_deg", report.turned_deg},
          {"mean_speed_mps", report.mean_speed_mps},
          {"speed_variation", report.speed_variation},
          {"strokes_per_min", report.strokes_per_min},
          {"metres_per_stroke", report.metres_per_stroke},
          {"power_w", report.power_w},
          {"efficiency", report.efficiency},
          {"pitch_deg", report.pitch_deg},
          {"energy_error", report.energy_error}};
}

std::string human_report(const bake::SwimRun& run, const bake::SwimRequest& request,
                         const std::vector<WrittenFile>& files) {
  const bake::SwimInput& input = run.input;
  std::string text = fmt::format(
      "{}: {} joints, {:g} kg, {:g} m tall; {}\n"
      "{:.2f} s in {} steps, {} steps/s\n\n{}\n{}",
      input.swimmer.stroke.graph.name, input.swimmer.body.joints.size(), input.swimmer.shape.mass,
      input.swimmer.shape.height, water_text(input.swimmer.water), run.recording.duration(),
      format_count(run.steps), format_count(static_cast<std::uint64_t>(steps_per_second(run))),
      figures_table(run), person_text(run.report));
  if (input.course && !input.course->targets.empty()) {
    const std::size_t reached = run.recording.targets_reached;
    const std::size_t count = input.course->targets.size();
    text += input.course->loop ? fmt::format("{} targets reached ({} in a round)", reached, count)
                               : fmt::format("{} of {} targets reached", reached, count);
    if (run.recording.targets_missed > 0) {
      text += fmt::format(", {} passed out of reach", run.recording.targets_missed);
    }
    text += '\n';
  }
  if (request.look.arrows) {
    text += fmt::format("arrows: 1 m stands for {:g} N\n", request.look.newtons_per_metre);
  }
  return text + written_text(files);
}

std::string json_report(const bake::SwimRun& run, const bake::SwimRequest& request,
                        const std::vector<WrittenFile>& files) {
  const bake::SwimInput& input = run.input;
  Json json{{"command", "swim"},
            {"version", version()},
            {"stroke", input.swimmer.stroke.graph.name},
            {"seconds", run.recording.duration()}};
  json.update(figures_json(run.report));
  const double step =
      run.recording.duration() / static_cast<double>(std::max<std::size_t>(1, run.steps));
  json.update(Json{{"steps", run.steps},
                   {"step_s", step},
                   {"steps_per_second", steps_per_second(run)},
                   {"cycles", run.recording.frames.back().cycles},
                   {"targets", input.course ? input.course->targets.size() : 0},
                   {"targets_reached", run.recording.targets_reached},
                   {"targets_missed", run.recording.targets_missed},
                   {"targets_nearest_m", nearest_json(run.recording)},
                   {"obstacle_clearance_m", run.recording.clearances},
                   {"loop", input.course && input.course->loop},
                   {"momentum_error_Ns", run.recording.largest_momentum_error},
                   {"energy", energy_json(run.recording.energy)},
                   {"body",
                    {{"joints", input.swimmer.body.joints.size()},
                     {"segments", input.swimmer.body.segments.size()},
                     {"mass_kg", input.swimmer.body.mass()},
                     {"height_m", input.swimmer.shape.height}}},
                   {"water", water_text(input.swimmer.water)},
                   {"warnings", warnings_json(run.warnings)},
                   {"files", written_json(files)},
                   {"times", seconds_json(run.seconds)},
                   {"threads", thread_count()},
                   {"peak_memory_mb", peak_memory_bytes() / 1e6}});
  if (is_swimming_speed(run.report.mean_speed_mps)) {
    const swim::MeasuredRange power = swim::person_power(run.report.mean_speed_mps);
    json["person_power_w"] = {power.low, power.high};
    json["person_efficiency"] = {swim::kPersonEfficiency.low, swim::kPersonEfficiency.high};
  }
  if (run.straight_speeds) {
    json["straight_speed_mps"] = run.straight_speeds->first;
    json["default_body_speed_mps"] = run.straight_speeds->second;
  }
  if (request.look.arrows) json["newtons_per_metre"] = request.look.newtons_per_metre;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::string> stroke_list() {
  TextTable table({{"stroke", Align::Left},
                   {"joints", Align::Right},
                   {"cycle", Align::Right},
                   {"", Align::Left}});
  for (const std::string& name : bake::shipped_strokes()) {
    SUPPLE_TRY(const bake::SwimStroke stroke, bake::load_swim_stroke(name));
    const swim::PoseGraph& graph = stroke.graph;
    table.row({name, fmt::format("{}", graph.poses.front().angles.size()),
               fmt::format("{:.2f} s", graph.cycle_seconds()), graph.description});
  }
  return table.str();
}

}  // namespace supple::app
