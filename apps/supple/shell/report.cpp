// SPDX-License-Identifier: Apache-2.0
#include "shell/report.hpp"

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

using Align = TextTable::Align;

double degrees(double radians) {
  return radians * 180 / std::numbers::pi;
}

double frequency_hz(const soft::Vibration& mode) {
  return mode.omega / (2 * std::numbers::pi);
}

/// A linear sag beyond ten times the shell's size only says that the shell is limp; a shell that
/// floats does not sag.
std::string sag_text(const shell::ShellObject& object) {
  if (object.sag == 0) return "-";
  const double most = 10 * object.size;
  return object.sag > most ? "> " + format_si(most, "m") : format_si(object.sag, "m");
}

Json shell_json(const bake::PreparedShells& whole, const bake::PreparedShell& scene,
                const shell::ShellObject& object) {
  Json json{{"name", object.name},
            {"bone", whole.source.character.bones[scene.bone].name},
            {"vertices", scene.vertices.size()},
            {"nodes", scene.model.mesh.positions.size()},
            {"triangles", scene.model.mesh.triangles.size()},
            {"fixed_nodes", object.fixed_nodes},
            {"attachments", scene.attachments.size()},
            {"mass_kg", object.mass},
            {"size_m", object.size},
            {"modes", object.modes.size()},
            {"frequencies_hz", Json::array()},
            {"damping", Json::array()},
            {"shares", Json::array()},
            {"mechanisms", object.mechanisms},
            {"point_count", object.points.size()},
            {"point_error", object.point_error},
            {"follow_turn", object.follow_turn},
            {"sag_m", object.sag},
            {"sag_turn", object.sag_turn},
            {"stiffening", object.stiffening},
            {"rotation_strain", object.strain.has_value()},
            {"modelled_under_gravity", object.modelled_under_gravity},
            {"medium_density", object.medium_density},
            {"added_mass", object.added_mass},
            {"weight", object.weight},
            {"limit_m", object.limit},
            {"seconds", seconds_json(object.seconds)}};
  for (const soft::Vibration& mode : object.modes) {
    json["frequencies_hz"].push_back(frequency_hz(mode));
    json["damping"].push_back(mode.damping);
    json["shares"].push_back(mode.share);
  }
  return json;
}

std::string recording_table(const bake::ShellRun& run) {
  if (run.clips.empty()) return {};
  TextTable clips({{"clip", Align::Left}, {"length", Align::Right}, {"loop", Align::Left}});
  for (const bake::ClipSummary& clip : run.clips) {
    clips.row({clip.name, fmt::format("{:.2f} s", clip.seconds),
               clip.loops ? fmt::format("closed after {} rounds", clip.cycles) : "no"});
  }
  return fmt::format("{}\n{}keys of weights: {} of {} samples kept\n\n", clips.str(),
                     recorded_table(run.recorded), format_count(run.weight_keys),
                     format_count(run.weight_samples));
}

Json recording_json(const bake::ShellRun& run) {
  Json json{{"clips", Json::array()},
            {"shells", recorded_json(run.recorded)},
            {"samples", run.weight_samples},
            {"keys", run.weight_keys}};
  for (const bake::ClipSummary& clip : run.clips) {
    json["clips"].push_back({{"name", clip.name},
                             {"seconds", clip.seconds},
                             {"loops", clip.loops},
                             {"cycles", clip.cycles}});
  }
  return json;
}

}  // namespace

std::string shells_table(const bake::PreparedShells& scene,
                         const std::vector<shell::ShellObject>& objects) {
  TextTable table({{"shell", Align::Left},
                   {"carried by", Align::Left},
                   {"nodes", Align::Right},
                   {"triangles", Align::Right},
                   {"fixed", Align::Right},
                   {"handles", Align::Right},
                   {"mass", Align::Right},
                   {"modes", Align::Right},
                   {"lowest", Align::Right},
                   {"force points", Align::Right},
                   {"force error", Align::Right},
                   {"stiffened", Align::Right},
                   {"sag at 1 g", Align::Right},
                   {"follows to", Align::Right},
                   {"time", Align::Right}});
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const shell::ShellObject& object = objects[i];
    const bake::PreparedShell& shell = scene.shells[i];
    table.row({object.name, scene.source.character.bones[shell.bone].name,
               format_count(shell.model.mesh.positions.size()),
               format_count(shell.model.mesh.triangles.size()), format_count(object.fixed_nodes),
               fmt::format("{}", shell.attachments.size()), format_si(1000 * object.mass, "g"),
               fmt::format("{}", object.modes.size()),
               object.modes.empty() ? "" : format_frequency(frequency_hz(object.modes.front())),
               fmt::format("{}", object.points.size()),
               fmt::format("{:.2g} %", 100 * object.point_error),
               object.stiffening > 1 ? fmt::format("{:.3g} x", object.stiffening) : "no",
               sag_text(object), fmt::format("{:.0f} deg", degrees(object.follow_turn)),
               format_seconds(total_seconds(object.seconds))});
  }
  return table.str();
}

Json shells_json(const bake::PreparedShells& scene,
                 const std::vector<shell::ShellObject>& objects) {
  Json json = Json::array();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    json.push_back(shell_json(scene, scene.shells[i], objects[i]));
  }
  return json;
}

std::string recorded_table(const std::vector<bake::RecordedShell>& recorded) {
  TextTable shells({{"recorded", Align::Left},
                    {"shapes", Align::Right},
                    {"largest error", Align::Right},
                    {"of its size", Align::Right},
                    {"root mean square", Align::Right}});
  for (const bake::RecordedShell& shell : recorded) {
    shells.row({shell.name, fmt::format("{}", shell.shapes), format_si(shell.largest_error, "m"),
                fmt::format("{:.2g}", shell.largest_error / shell.size),
                format_si(shell.rms_error, "m")});
  }
  return shells.str();
}

Json recorded_json(const std::vector<bake::RecordedShell>& recorded) {
  Json json = Json::array();
  for (const bake::RecordedShell& shell : recorded) {
    json.push_back({{"name", shell.name},
                    {"shapes", shell.shapes},
                    {"largest_error_m", shell.largest_error},
                    {"rms_error_m", shell.rms_error},
                    {"largest_error_relative", shell.largest_error / shell.size},
                    {"rms_error_relative", shell.rms_error / shell.size}});
  }
  return json;
}

std::string human_report(const bake::ShellRun& run, const std::vector<WrittenFile>& files) {
  std::string text =
      fmt::format("{}: {} vertices, {} m per unit\n\n{}\n", run.input.title,
                  format_count(run.scene.source.character.positions.size()),
                  run.input.settings.metres_per_unit, shells_table(run.scene, run.objects));
  text += recording_table(run);
  return text + report_end(run.supple, files, run.seconds);
}

std::string json_report(const bake::ShellRun& run, const std::vector<WrittenFile>& files) {
  Json json{{"command", "shell"},
            {"version", version()},
            {"input", run.input.title},
            {"automatic", run.input.automatic},
            {"metres_per_unit", run.input.settings.metres_per_unit},
            {"vertices", run.scene.source.character.positions.size()},
            {"shells", shells_json(run.scene, run.objects)},
            {"config", bake::print_shell_settings(run.input.settings)},
            {"warnings", warnings_json(run.warnings)},
            {"rounding",
             {{"position_m", run.supple.position_error},
              {"relative", run.supple.relative_error},
              {"encoding_bits", run.input.settings.output.float32 ? 32 : 16}}},
            {"recorded", recording_json(run)},
            {"files", written_json(files)},
            {"seconds", seconds_json(run.seconds)},
            {"threads", thread_count()},
            {"peak_memory_mb", peak_memory_bytes() / 1e6}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace supple::app
