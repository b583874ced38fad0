// SPDX-License-Identifier: Apache-2.0
#include "bake/report.hpp"

#include "cli/json.hpp"
#include "cli/report.hpp"
#include "shell/report.hpp"

#include "supple/core/console.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <numbers>

namespace supple::app {
namespace {

using Align = TextTable::Align;

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

double hertz(const soft::Mode& mode) {
  return mode.omega / (2 * std::numbers::pi);
}

std::string objects_table(const bake::BakeRun& run) {
  TextTable table({{"object", Align::Left},
                   {"bone", Align::Left},
                   {"vertices", Align::Right},
                   {"elements", Align::Right},
                   {"nodes", Align::Right},
                   {"fixed", Align::Right},
                   {"mass", Align::Right},
                   {"sag at 1 g", Align::Right},
                   {"stiffened", Align::Right},
                   {"limit", Align::Right},
                   {"modes", Align::Right},
                   {"captured", Align::Right},
                   {"time", Align::Right}});
  flesh::FleshObject sum;
  std::size_t vertices = 0;
  std::size_t modes = 0;
  double seconds = 0;
  for (const flesh::FleshObject& object : run.objects) {
    double captured = 0;
    for (const soft::Mode& mode : object.modes) captured += mode.share;
    table.row({object.name, object.bone, format_count(object.vertices.size()),
               format_count(object.elements), format_count(object.nodes),
               format_count(object.fixed_nodes), fmt::format("{:.3g} kg", object.mass),
               format_si(object.sag, "m"),
               object.stiffening > 1 ? fmt::format("{:.3g} x", object.stiffening) : "no",
               format_si(object.limit, "m"), fmt::format("{}", object.modes.size()),
               percent(captured), format_seconds(total_seconds(object.seconds))});
    vertices += object.vertices.size();
    modes += object.modes.size();
    seconds += total_seconds(object.seconds);
    sum.elements += object.elements;
    sum.nodes += object.nodes;
    sum.fixed_nodes += object.fixed_nodes;
    sum.mass += object.mass;
  }
  table.row({"sum", "", format_count(vertices), format_count(sum.elements), format_count(sum.nodes),
             format_count(sum.fixed_nodes), fmt::format("{:.3g} kg", sum.mass), "", "", "",
             fmt::format("{}", modes), "", format_seconds(seconds)});
  return table.str();
}

/// The contribution of each mode: its share of the response to the bone's motion, and the running
/// sum.
std::string modes_table(const bake::BakeRun& run) {
  TextTable table({{"object", Align::Left},
                   {"mode", Align::Right},
                   {"frequency", Align::Right},
                   {"damping", Align::Right},
                   {"adds", Align::Right},
                   {"together", Align::Right}});
  for (const flesh::FleshObject& object : run.objects) {
    double together = 0;
    for (std::size_t m = 0; m < object.modes.size(); ++m) {
      const soft::Mode& mode = object.modes[m];
      together += mode.share;
      table.row({m == 0 ? object.name : "", fmt::format("{}", m + 1), format_frequency(hertz(mode)),
                 fmt::format("{:.3f}", mode.damping), percent(mode.share), percent(together)});
    }
  }
  return table.str();
}

std::string clips_table(const bake::BakeRun& run) {
  if (run.clips.empty()) return {};
  TextTable table({{"clip", Align::Left},
                   {"length", Align::Right},
                   {"at the limit", Align::Right},
                   {"loop", Align::Left}});
  for (const bake::ClipSummary& clip : run.clips) {
    table.row({clip.name, fmt::format("{:.2f} s", clip.seconds),
               fmt::format("{:.0f} %", 100 * clip.at_limit),
               clip.loops ? fmt::format("closed after {} rounds", clip.cycles) : "no"});
  }
  return fmt::format("{}keys of weights: {} of {} samples kept, error {:.2g}\n\n", table.str(),
                     format_count(run.weight_keys), format_count(run.weight_samples),
                     run.weight_error);
}

Json clips_json(const bake::BakeRun& run) {
  Json clips = Json::array();
  for (const bake::ClipSummary& clip : run.clips) {
    clips.push_back({{"name", clip.name},
                     {"seconds", clip.seconds},
                     {"loops", clip.loops},
                     {"cycles", clip.cycles},
                     {"at_limit", clip.at_limit}});
  }
  return clips;
}

Json mode_json(const soft::Mode& mode, double together) {
  return {{"frequency_hz", hertz(mode)}, {"damping", mode.damping},
          {"share", mode.share},         {"cumulative_share", together},
          {"transfer", mode.transfer},   {"centrifugal", mode.centrifugal}};
}

Json object_json(const flesh::FleshObject& object) {
  Json json{{"name", object.name},
            {"bone", object.bone},
            {"vertices", object.vertices.size()},
            {"elements", object.elements},
            {"nodes", object.nodes},
            {"fixed_nodes", object.fixed_nodes},
            {"mass_kg", object.mass},
            {"thickness_m", object.thickness},
            {"sag_m", object.sag},
            {"stiffening", object.stiffening},
            {"limit_m", object.limit},
            {"coriolis", !object.coriolis.empty()},
            {"modes", Json::array()},
            {"seconds", seconds_json(object.seconds)}};
  double together = 0;
  for (const soft::Mode& mode : object.modes) {
    together += mode.share;
    json["modes"].push_back(mode_json(mode, together));
  }
  return json;
}

}  // namespace

std::string human_report(const bake::BakeRun& run, const std::vector<WrittenFile>& files) {
  const character::Character& character = run.input.source.character;
  std::string text =
      fmt::format("{}: {} vertices, {} bones, {} m per unit\n\n{}\n{}\n", run.input.title,
                  format_count(character.positions.size()), character.bones.size(),
                  character.metres_per_unit, objects_table(run), modes_table(run));
  if (!run.shells.empty()) text += shells_table(run.input.scene->shells, run.shells) + "\n";
  text += clips_table(run);
  if (!run.recorded.empty()) text += recorded_table(run.recorded) + "\n";
  return text + report_end(run.supple, files, run.seconds);
}

std::string json_report(const bake::BakeRun& run, const std::vector<WrittenFile>& files) {
  const character::Character& character = run.input.source.character;
  Json json{{"command", "bake"},
            {"version", version()},
            {"input", run.input.title},
            {"automatic", run.input.automatic},
            {"metres_per_unit", character.metres_per_unit},
            {"vertices", character.positions.size()},
            {"triangles", character.triangles.size()},
            {"bones", character.bones.size()},
            {"objects", Json::array()},
            {"shells", Json::array()},
            {"config", bake::print_bake_settings(run.input.settings)},
            {"warnings", warnings_json(run.warnings)},
            {"rounding",
             {{"position_m", run.supple.position_error},
              {"relative", run.supple.relative_error},
              {"encoding_bits", run.input.settings.output.float32 ? 32 : 16}}},
            {"clips", clips_json(run)},
            {"weights",
             {{"samples", run.weight_samples},
              {"keys", run.weight_keys},
              {"largest_error", run.weight_error}}},
            {"files", written_json(files)},
            {"seconds", seconds_json(run.seconds)},
            {"threads", thread_count()},
            {"peak_memory_mb", peak_memory_bytes() / 1e6}};
  for (const flesh::FleshObject& object : run.objects) {
    json["objects"].push_back(object_json(object));
  }
  if (!run.shells.empty()) {
    json["shells"] = shells_json(run.input.scene->shells, run.shells);
    json["recorded"] = recorded_json(run.recorded);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace supple::app
