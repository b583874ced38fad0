// SPDX-License-Identifier: Apache-2.0
#include "play/command.hpp"

#include "cli/force_options.hpp"
#include "cli/loop_option.hpp"
#include "cli/report.hpp"
#include "cli/usage_error.hpp"
#include "play/scene.hpp"
#include "samples/scenes.hpp"

#include "supple/bake/play_file.hpp"
#include "supple/bake/play_scene.hpp"
#include "supple/core/check.hpp"
#include "supple/core/console.hpp"
#include "supple/core/output.hpp"
#include "supple/pictures/motion_sheet.hpp"
#include "supple/plot/raster.hpp"

#include <fmt/format.h>
#include <supple.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

namespace supple::app {
namespace {

namespace fs = std::filesystem;

struct PlayOptions {
  CommonOptions common;
  bake::PlayRequest request;
  std::string picture;
  pictures::MotionSheetSettings sheet;
  std::string palette;
  std::string goal;
  std::optional<double> rate;
  std::string log;
  bool simulate = false;  ///< the same beside it
};

nlohmann::ordered_json shells_json(const bake::PlayRun& run) {
  auto shells = nlohmann::ordered_json::array();
  for (const bake::ShellExtremes& shell : run.clip.tracks.shells) {
    shells.push_back({{"name", shell.name},
                      {"largest_turn", shell.largest_turn},
                      {"follow_turn", shell.follow_turn},
                      {"beyond", shell.follow_turn > 0 && shell.largest_turn > shell.follow_turn},
                      {"handle_residual_m", shell.handle_residual}});
  }
  // The recording contains only shells, in the same order as the file.
  const auto recorded = run.exported ? run.exported->shells : std::vector<bake::RecordedShell>();
  SUPPLE_CHECK(recorded.empty() || recorded.size() == shells.size());
  for (std::size_t s = 0; s < recorded.size(); ++s) {
    shells[s]["shapes"] = recorded[s].shapes;
    shells[s]["largest_error_m"] = recorded[s].largest_error;
    shells[s]["rms_error_m"] = recorded[s].rms_error;
  }
  return shells;
}

nlohmann::ordered_json flesh_json(const bake::Tracks& tracks) {
  auto flesh = nlohmann::ordered_json::array();
  for (const bake::FleshExtremes& object : tracks.flesh) {
    flesh.push_back({{"name", object.name},
                     {"limit_m", object.limit},
                     {"largest_m", object.largest},
                     {"at_limit", object.at_limit}});
  }
  return flesh;
}

std::string flesh_text(const bake::Tracks& tracks) {
  if (tracks.flesh.empty()) return {};
  TextTable table(
      {{"flesh", TextTable::Align::Left}, {"moves by up to"}, {"limit"}, {"frames at the limit"}});
  for (const bake::FleshExtremes& object : tracks.flesh) {
    table.row({object.name, format_si(object.largest, "m"),
               object.limit > 0 ? format_si(object.limit, "m") : std::string("none"),
               fmt::format("{:.0f} %", 100 * object.at_limit)});
  }
  return "\n" + table.str();
}

std::string play_json(const bake::PlayRun& run, const std::vector<WrittenFile>& files) {
  nlohmann::ordered_json json;
  json["motion"] = run.clip.motion.name;
  json["duration"] = run.clip.tracks.duration;
  json["loops"] = run.clip.tracks.loops;
  json["cycles"] = run.clip.tracks.cycles;
  json["warnings"] = warnings_json(run.clip.tracks.warnings);
  json["flesh"] = flesh_json(run.clip.tracks);
  json["shells"] = shells_json(run);
  json["modes"] = nlohmann::ordered_json::array();
  for (const bake::ModeName& mode : run.modes) {
    json["modes"].push_back(
        {{"object", mode.object}, {"mode", mode.number}, {"frequency_hz", mode.hertz}});
  }
  json["times"] = nlohmann::ordered_json::array();
  json["coefficients"] = nlohmann::ordered_json::array();
  for (Eigen::Index f = 0; f < run.clip.tracks.values.rows(); ++f) {
    json["times"].push_back(run.clip.tracks.time(f));
    const Eigen::RowVectorXd row = run.clip.tracks.values.row(f);
    json["coefficients"].push_back(std::vector<double>(row.begin(), row.end()));
  }
  if (run.exported) {
    json["weight_error"] = run.exported->largest_error;
    json["keys"] = run.exported->keys;
  }
  json["files"] = written_json(files);
  return json.dump() + "\n";
}

std::string play_text(const bake::PlayRun& run, const std::vector<WrittenFile>& files) {
  std::string text =
      fmt::format("motion '{}': {}, {} frames, {}\n\n", run.clip.motion.name,
                  format_seconds(run.clip.tracks.duration), run.clip.tracks.values.rows(),
                  run.clip.tracks.loops
                      ? fmt::format("loops (periodic after {} cycles)", run.clip.tracks.cycles)
                      : std::string("does not loop"));
  TextTable table({{"mode", TextTable::Align::Left}, {"Hz"}, {"lowest"}, {"highest"}});
  for (std::size_t m = 0; m < run.modes.size(); ++m) {
    const auto column = run.clip.tracks.values.col(static_cast<Eigen::Index>(m));
    table.row({run.modes[m].text(), fmt::format("{:.2f}", run.modes[m].hertz),
               fmt::format("{:.4g}", column.minCoeff()), fmt::format("{:.4g}", column.maxCoeff())});
  }
  text += table.str();
  text += flesh_text(run.clip.tracks);
  for (const bake::ShellExtremes& shell : run.clip.tracks.shells) {
    text += fmt::format("\nshell '{}' turned by {}; its modes follow up to {}", shell.name,
                        format_turn(shell.largest_turn), format_turn(shell.follow_turn));
    if (shell.handle_residual > 0) {
      text += fmt::format("; handles missed by up to {}", format_si(shell.handle_residual, "m"));
    }
  }
  if (!run.clip.tracks.shells.empty()) text += "\n";
  if (run.exported) {
    for (const bake::RecordedShell& shell : run.exported->shells) {
      text += fmt::format("\n{} shapes show '{}' within {} ({} root mean square)", shell.shapes,
                          shell.name, format_si(shell.largest_error, "m"),
                          format_si(shell.rms_error, "m"));
    }
    text += fmt::format("\n{} keys of {} samples; largest error of a weight {:.2g}\n",
                        run.exported->keys, run.exported->samples, run.exported->largest_error);
  }
  return text + written_text(files);
}

Result<void> check_picture(const PlayOptions& options) {
  if (options.picture.empty()) return {};
  const bake::PlayRequest& request = options.request;
  SUPPLE_TRY_VOID(
      keep_apart({request.file, request.character, request.motion, request.record.bone_map},
                 {options.picture, request.glb, request.csv}));
  if (request.character.empty()) {
    return Error(ErrorCode::Usage, "--picture draws the character: give --character");
  }
  const fs::path extension = fs::path(options.picture).extension();
  if (extension != ".png" && extension != ".svg") {
    return Error(ErrorCode::Usage,
                 fmt::format("--picture '{}' must end in .png or .svg", options.picture));
  }
  for (const double time : options.sheet.times) {
    if (!std::isfinite(time)) return Error(ErrorCode::Usage, "--at takes times in seconds");
  }
  return {};
}

Result<void> stage_picture(const PlayOptions& options, const bake::PlayRun& run,
                           OutputSet& output) {
  if (options.picture.empty()) return {};
  const auto subject =
      pictures::Subject::of({&*run.stage.asset, &run.stage.source, &run.file, &run.clip});
  SUPPLE_TRY(pictures::Studio studio, pictures::Studio::create());
  SUPPLE_TRY(const plot::Drawing sheet,
             pictures::draw_motion_sheet(studio, subject, options.sheet));
  SUPPLE_TRY(const Bytes bytes, plot::to_file(sheet, options.picture));
  return output.stage(options.picture, bytes);
}

bool means_scene(const PlayOptions& options) {
  return !options.palette.empty() || !options.goal.empty();
}

/// Options that only one of flesh, shells and scenes has.
Result<void> check_scene_options(const PlayOptions& options) {
  if (!means_scene(options)) {
    if (!options.log.empty()) return usage_error("--log is for scenes: give --palette as well");
    if (options.simulate) {
      return usage_error("--simulate is for scenes: give --palette as well");
    }
    if (options.request.motion.empty()) {
      return usage_error("choose a --motion, or for a scene a --palette or a --goal");
    }
    return {};
  }
  if (!options.request.motion.empty()) {
    return usage_error("a scene answers to its palette: omit --motion");
  }
  if (!options.picture.empty()) {
    return usage_error("--picture draws characters; 'supple render --palette' draws scenes");
  }
  if (options.simulate && options.rate) {
    return usage_error("the simulation has its own rate: omit --fps");
  }
  const bake::PlaySettings& play = options.request.record.play;
  if (play.gravity || play.wind || play.medium || play.push) {
    return usage_error("a scene answers to its palette alone: omit gravity, wind, medium and push");
  }
  return {};
}

Result<void> run_scene_play(const PlayOptions& options) {
  bake::ScenePlayRequest request;
  request.file = options.request.file;
  request.character = options.request.character;
  request.palette = options.palette;
  request.goal = options.goal;
  request.play.seconds = options.request.record.seconds;
  request.play.rate = options.rate.value_or(0);
  request.play.gain = options.request.output.gain;
  request.signed_weights = options.request.output.signed_weights;
  request.csv = options.request.csv;
  request.glb = options.request.glb;
  request.log = options.log;
  if (options.simulate) {
    SUPPLE_TRY(request.simulation, samples::simulated_scene_of(request.file));
  }
  OutputSet output;
  SUPPLE_TRY(const bake::ScenePlayRun run, bake::play_scene_file(request, output));
  SUPPLE_TRY_VOID(output.commit());
  if (options.common.json) return print_machine_text(scene_play_json(run, output.files()));
  if (!options.common.quiet) tell(scene_play_text(run, output.files()));
  return {};
}

Result<void> run_play(const PlayOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  SUPPLE_TRY_VOID(check_scene_options(options));
  if (means_scene(options)) return run_scene_play(options);
  SUPPLE_TRY_VOID(check_picture(options));
  OutputSet output;
  bake::PlayRequest request = options.request;
  request.output.rate = options.rate.value_or(request.output.rate);
  SUPPLE_TRY(const bake::PlayRun run, bake::play_file(request, output));
  SUPPLE_TRY_VOID(stage_picture(options, run, output));
  SUPPLE_TRY_VOID(output.commit());
  if (options.common.json) return print_machine_text(play_json(run, output.files()));
  if (!options.common.quiet) tell(play_text(run, output.files()));
  return {};
}

std::string play_footer() {
  std::string text = "Built-in motions:\n";
  for (const character::BuiltInMotion& motion : character::built_in_motions()) {
    text += fmt::format("  {:<8} {}\n", motion.name, motion.description);
  }
  return text +
         "\nExamples:\n"
         "  supple play hero.supple --motion jump --csv jump.csv\n"
         "  supple play hero.supple --character hero.glb --motion clip:Run --json\n"
         "  supple play hero.supple --character hero.glb --motion walk.bvh -o walk.glb\n"
         "  supple play leaf.supple --motion wind --wind 4,0,0,0.5 --csv leaf.csv\n"
         "  supple play door.supple --palette push@0,pull@1.5*0.5 --csv door.csv -o played.glb\n"
         "  supple play door.supple --goal rest@1.5\n"
         "  supple play door.supple --palette open@0 --simulate\n"
         "  supple play hero.supple --character hero.glb --motion clip:Jump --picture jump.png "
         "--at 1.1,1.2,1.3\n";
}

void add_picture_options(CLI::App& parser, PlayOptions& options) {
  const std::string group = "Picture";
  auto* picture = parser
                      .add_option("--picture", options.picture,
                                  "draw the character at several times of the motion (.png, .svg)")
                      ->type_name("FILE")
                      ->group(group);
  parser
      .add_option("--at", options.sheet.times,
                  "the times in seconds, such as 1.1,1.2 (default: around the liveliest moment)")
      ->type_name("T,...")
      ->delimiter(',')
      ->needs(picture)
      ->group(group);
  parser
      .add_option(
          "--turn", options.sheet.direction.yaw,
          "direction of view: 0 from the front, 90 from the character's left, 180 from behind (40)")
      ->type_name("DEGREES")
      ->check(CLI::Range(-360.0, 360.0))
      ->needs(picture)
      ->group(group);
  parser.add_option("--tilt", options.sheet.direction.pitch, "angle of view from above (9)")
      ->type_name("DEGREES")
      ->check(CLI::Range(-89.0, 89.0))
      ->needs(picture)
      ->group(group);
  parser.add_option("--width", options.sheet.width, "width of the picture (1600)")
      ->type_name("PIXELS")
      ->check(CLI::Range(200, 8000))
      ->needs(picture)
      ->group(group);
  parser.add_option("--focus", options.sheet.focus, "zoom in on this soft part")
      ->type_name("OBJECT")
      ->needs(picture)
      ->group(group);
}

void add_scene_play_options(CLI::App& parser, PlayOptions& options) {
  const std::string group = "Scene";
  auto* palette =
      parser
          .add_option("--palette", options.palette,
                      "entries of a scene's palette, by name or key, with times and strengths, "
                      "such as \"poke-left@0.0,kick@1.5*0.5\"")
          ->type_name("ENTRY@T,...")
          ->group(group);
  parser
      .add_option("--goal", options.goal,
                  "plan the entries instead: rest@SECONDS, or pose:RESPONSE:FRAME@SECONDS")
      ->type_name("GOAL")
      ->excludes(palette)
      ->group(group);
  parser
      .add_flag("--simulate", options.simulate,
                "simulate the same sequence and tell how far play is from it")
      ->group(group);
  parser
      .add_option("--log", options.log,
                  "write the transitions, worst first, for 'supple scene refine' (.json)")
      ->type_name("FILE")
      ->group(group);
}

}  // namespace

Command make_play_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("play", "play a motion offline and write the result");
  auto options = std::make_shared<PlayOptions>();
  parser
      ->add_option("FILE", options->request.file,
                   "a file written by 'supple bake', 'supple shell' or 'supple scene' (.supple)")
      ->required();
  parser
      ->add_option("--motion", options->request.motion,
                   "a built-in motion (below), a clip of the character (its name, its number or "
                   "clip:NAME), a .bvh or .csv file, a stroke (swim:breaststroke), or for shells "
                   "\"gravity\" or \"wind\"")
      ->type_name("SPEC");
  add_scene_play_options(*parser, *options);
  parser
      ->add_option("--character", options->request.character,
                   "the glTF file that was baked; needed for clips, BVH files and -o")
      ->type_name("FILE");
  parser
      ->add_option("--bone-map", options->request.record.bone_map,
                   "lines 'joint = bone' for a BVH file")
      ->type_name("FILE");
  add_loop_option(*parser, options->request.record.looping);
  parser
      ->add_option("--rate,--fps", options->rate,
                   "steps per second (60; of a scene, those it was sampled with)")
      ->type_name("HZ")
      ->check(CLI::Range(12.0, 1000.0));
  parser
      ->add_option("--gain", options->request.output.gain, "factor on the motion of soft parts (1)")
      ->type_name("G");
  parser->add_option("--csv", options->request.csv, "write the mode coefficients over time")
      ->type_name("FILE");
  parser
      ->add_option("-o,--output", options->request.glb,
                   "write the character with this motion and its soft parts (.glb)")
      ->type_name("FILE");
  parser->add_flag("--signed", options->request.output.signed_weights,
                   "one morph target per mode with weights of both signs, instead of a pair");
  add_force_options(*parser, options->request.record, "Forces");
  add_picture_options(*parser, *options);
  add_common_options(*parser, options->common);
  parser->footer(play_footer());
  return {parser, [options] { return run_play(*options); }};
}

}  // namespace supple::app
