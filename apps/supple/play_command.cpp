// SPDX-License-Identifier: Apache-2.0
#include "play_command.hpp"

#include "force_options.hpp"
#include "motion_sheet.hpp"
#include "output_paths.hpp"
#include "written_file.hpp"

#include "supple/bake/gltf_export.hpp"
#include "supple/bake/node_character.hpp"
#include "supple/bake/shell_export.hpp"
#include "supple/core/check.hpp"
#include "supple/core/console.hpp"
#include "supple/core/files.hpp"
#include "supple/core/log.hpp"

#include <fmt/format.h>
#include <supple.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>

namespace supple::app {
namespace {

namespace fs = std::filesystem;

struct PlayOptions {
  CommonOptions common;
  std::string file;
  std::string character;
  std::string motion;
  bake::RecordSettings record;
  bake::ExportSettings output;
  std::string csv;
  std::string glb;
  std::string picture;
  MotionSheetSettings sheet;
};

struct ModeName {
  std::string object;
  std::uint32_t number = 0;  ///< within the object, from 1
  double hertz = 0;

  [[nodiscard]] std::string text() const { return fmt::format("{} {}", object, number); }
};

struct PlayRun {
  std::vector<ModeName> modes;
  bake::Motion motion;
  bake::Tracks tracks;
  std::optional<bake::GltfExport> exported;
  std::vector<bake::RecordedShell> recorded;  ///< shells in what was exported
  std::vector<WrittenFile> files;
};

std::vector<ModeName> mode_names(const bake::BakedFile& file) {
  std::vector<ModeName> names;
  supple_asset_info info{};
  (void)supple_asset_describe(file.asset(), &info);
  for (std::uint32_t o = 0; o < info.object_count; ++o) {
    supple_object_info object{};
    (void)supple_asset_object(file.asset(), o, &object);
    for (std::uint32_t m = 0; m < object.mode_count; ++m) {
      supple_mode_info mode{};
      (void)supple_asset_mode(file.asset(), object.first_mode + m, &mode);
      names.push_back({object.name, m + 1, mode.frequency_hz});
    }
  }
  return names;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_text(const PlayRun& run) {
  std::string text = "time";
  for (const ModeName& mode : run.modes) text += "," + csv_field(mode.text());
  text += "\n";
  for (Eigen::Index f = 0; f < run.tracks.values.rows(); ++f) {
    text += fmt::format("{:.9g}", run.tracks.time(f));
    for (const double value : run.tracks.values.row(f)) text += fmt::format(",{:.9g}", value);
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json shells_json(const PlayRun& run) {
  auto shells = nlohmann::ordered_json::array();
  for (const bake::ShellExtremes& shell : run.tracks.shells) {
    shells.push_back({{"name", shell.name},
                      {"largest_turn", shell.largest_turn},
                      {"follow_turn", shell.follow_turn},
                      {"beyond", shell.follow_turn > 0 && shell.largest_turn > shell.follow_turn},
                      {"handle_residual_m", shell.handle_residual}});
  }
  // What was recorded has shells alone, in the order of the file as here.
  SUPPLE_CHECK(run.recorded.empty() || run.recorded.size() == shells.size());
  for (std::size_t s = 0; s < run.recorded.size(); ++s) {
    shells[s]["shapes"] = run.recorded[s].shapes;
    shells[s]["largest_error_m"] = run.recorded[s].largest_error;
    shells[s]["rms_error_m"] = run.recorded[s].rms_error;
  }
  return shells;
}

std::string play_json(const PlayRun& run) {
  nlohmann::ordered_json json;
  json["motion"] = run.motion.name;
  json["duration"] = run.tracks.duration;
  json["loops"] = run.tracks.loops;
  json["cycles"] = run.tracks.cycles;
  json["warnings"] = run.tracks.warnings;
  json["shells"] = shells_json(run);
  json["modes"] = nlohmann::ordered_json::array();
  for (const ModeName& mode : run.modes) {
    json["modes"].push_back(
        {{"object", mode.object}, {"mode", mode.number}, {"frequency_hz", mode.hertz}});
  }
  json["times"] = nlohmann::ordered_json::array();
  json["coefficients"] = nlohmann::ordered_json::array();
  for (Eigen::Index f = 0; f < run.tracks.values.rows(); ++f) {
    json["times"].push_back(run.tracks.time(f));
    const Eigen::RowVectorXd row = run.tracks.values.row(f);
    json["coefficients"].push_back(std::vector<double>(row.begin(), row.end()));
  }
  if (run.exported) {
    json["weight_error"] = run.exported->largest_error;
    json["keys"] = run.exported->keys;
  }
  json["files"] = written_json(run.files);
  return json.dump() + "\n";
}

std::string play_text(const PlayRun& run) {
  std::string text = fmt::format(
      "motion '{}': {}, {} frames, {}\n\n", run.motion.name, format_seconds(run.tracks.duration),
      run.tracks.values.rows(),
      run.tracks.loops ? fmt::format("loops (periodic after {} cycles)", run.tracks.cycles)
                       : std::string("does not loop"));
  TextTable table({{"mode", TextTable::Align::Left}, {"Hz"}, {"lowest"}, {"highest"}});
  for (std::size_t m = 0; m < run.modes.size(); ++m) {
    const auto column = run.tracks.values.col(static_cast<Eigen::Index>(m));
    table.row({run.modes[m].text(), fmt::format("{:.2f}", run.modes[m].hertz),
               fmt::format("{:.4g}", column.minCoeff()), fmt::format("{:.4g}", column.maxCoeff())});
  }
  text += table.str();
  for (const bake::ShellExtremes& shell : run.tracks.shells) {
    text += fmt::format("\nshell '{}' turned by {}; it follows up to {}", shell.name,
                        format_turn(shell.largest_turn), format_turn(shell.follow_turn));
    if (shell.handle_residual > 0) {
      text += fmt::format("; handles missed by up to {}", format_si(shell.handle_residual, "m"));
    }
  }
  if (!run.tracks.shells.empty()) text += "\n";
  for (const bake::RecordedShell& shell : run.recorded) {
    text += fmt::format("\n{} shapes show '{}' within {} ({} root mean square)", shell.shapes,
                        shell.name, format_si(shell.largest_error, "m"),
                        format_si(shell.rms_error, "m"));
  }
  if (run.exported) {
    text += fmt::format("\n{} keys of {} samples; largest error of a weight {:.2g}\n",
                        run.exported->keys, run.exported->samples, run.exported->largest_error);
  }
  return text + written_text(run.files);
}

Result<void> check_options(const PlayOptions& options) {
  SUPPLE_TRY_VOID(
      keep_apart({options.file, options.character, options.motion, options.record.bone_map},
                 {options.glb, options.picture, options.csv}));
  if (!options.glb.empty() && options.character.empty()) {
    return Error(ErrorCode::Usage, "-o writes the character with its flesh: give --character");
  }
  if (!options.glb.empty() && fs::path(options.glb).extension() != ".glb") {
    return Error(ErrorCode::Usage, fmt::format("-o '{}' must end in .glb", options.glb));
  }
  if (!options.picture.empty() && options.character.empty()) {
    return Error(ErrorCode::Usage, "--picture shows the character: give --character");
  }
  if (!options.picture.empty() && fs::path(options.picture).extension() != ".png") {
    return Error(ErrorCode::Usage, fmt::format("--picture '{}' must end in .png", options.picture));
  }
  return {};
}

/// The character of the glTF file, or the bones alone that the .supple file names.
struct Stage {
  std::optional<io::GltfAsset> asset;
  bake::GltfCharacter source;
};

Result<Stage> set_stage(const PlayOptions& options, const bake::BakedFile& file) {
  Stage stage;
  if (options.character.empty()) {
    stage.source.character = file.bones();
    return stage;
  }
  SUPPLE_TRY(stage.asset, io::read_gltf(fs::path(options.character)));
  SUPPLE_TRY(stage.source, bake::moved_character(*stage.asset, file.asset()));
  const io::SuppleAsset same = bake::moving_surface(stage.source, "");
  SUPPLE_TRY_VOID(
      file.check_mesh(same.mesh_hash).during(fmt::format("playing on '{}'", options.character)));
  return stage;
}

/// Flesh by its modes; shells, whose warping is not linear, by the shapes of what they did.
Result<void> export_clip(const PlayOptions& options, const Stage& stage,
                         const bake::BakedFile& file, bake::BakedClip clip, PlayRun& run) {
  const std::vector<bake::BakedClip> clips{std::move(clip)};
  if (!bake::has_shells(file.asset())) {
    SUPPLE_TRY(run.exported, bake::export_gltf(*stage.asset, stage.source, file.objects(), clips,
                                               options.output));
    return {};
  }
  bake::ShellExportSettings settings;
  settings.rate = options.output.rate;
  settings.signed_weights = options.output.signed_weights;
  SUPPLE_TRY(bake::ShellExport result,
             bake::export_shells(*stage.asset, stage.source, file, clips, settings));
  for (const std::string& warning : result.warnings) log::warn("{}", warning);
  run.exported = std::move(result.gltf);
  run.recorded = std::move(result.shells);
  return {};
}

/// All of them or, where one fails, none.
Result<void> write_files(const PlayOptions& options, const Stage& stage,
                         const bake::BakedFile& file, bake::BakedClip clip, PlayRun& run) {
  OutputSet output;
  const auto put = [&](const std::string& path, const auto& content) {
    run.files.push_back({path, content.size()});
    return output.stage(path, content);
  };
  if (!options.glb.empty()) {
    SUPPLE_TRY_VOID(export_clip(options, stage, file, std::move(clip), run));
    SUPPLE_TRY(const Bytes glb, io::write_gltf(run.exported->asset));
    SUPPLE_TRY_VOID(put(options.glb, glb));
  }
  if (!options.picture.empty()) {
    SUPPLE_TRY(const MotionSheet sheet, draw_motion_sheet(file, *stage.asset, stage.source,
                                                          run.motion, run.tracks, options.sheet));
    SUPPLE_TRY(const Bytes png, io::write_png(sheet.image));
    SUPPLE_TRY_VOID(put(options.picture, png));
  }
  if (!options.csv.empty()) SUPPLE_TRY_VOID(put(options.csv, csv_text(run)));
  return output.commit();
}

Result<void> run_play(PlayOptions options) {
  apply(options.common);
  SUPPLE_TRY_VOID(check_options(options));
  SUPPLE_TRY(const Bytes bytes, read_file(options.file));
  SUPPLE_TRY(const bake::BakedFile file, bake::BakedFile::open(bytes, options.file));
  SUPPLE_TRY(const Stage stage, set_stage(options, file));
  const io::GltfAsset* asset = stage.asset ? &*stage.asset : nullptr;

  PlayRun run;
  run.modes = mode_names(file);
  options.record.rate = options.output.rate;
  options.record.play.gain = options.output.gain;
  SUPPLE_TRY(bake::BakedClip clip,
             bake::record_motion(options.motion, asset, stage.source, file, options.record));
  run.motion = clip.motion;
  run.tracks = clip.tracks;
  for (const std::string& note : run.motion.notes) log::info("{}: {}", run.motion.name, note);
  for (const std::string& warning : run.tracks.warnings) log::warn("{}", warning);

  SUPPLE_TRY_VOID(write_files(options, stage, file, std::move(clip), run));
  if (options.common.json) return print_machine_text(play_json(run));
  if (!options.common.quiet) tell(play_text(run));
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
         "  supple play hero.supple --character hero.glb --motion clip:Jump --picture jump.png "
         "--at 1.1,1.2,1.3\n";
}

void add_picture_options(CLI::App& parser, PlayOptions& options) {
  const std::string group = "Picture";
  auto* picture = parser
                      .add_option("--picture", options.picture,
                                  "draw the character at some moments of the motion (.png)")
                      ->type_name("FILE")
                      ->group(group);
  parser
      .add_option("--at", options.sheet.times,
                  "the moments in seconds, 1.1,1.2; else around where the flesh moves most")
      ->type_name("T,...")
      ->delimiter(',')
      ->needs(picture)
      ->group(group);
  parser
      .add_option("--turn", options.sheet.turn,
                  "seen from: 0 the front, 90 the character's left, 180 behind (40)")
      ->type_name("DEGREES")
      ->check(CLI::Range(-360.0, 360.0))
      ->needs(picture)
      ->group(group);
  parser.add_option("--tilt", options.sheet.tilt, "and from how far above (9)")
      ->type_name("DEGREES")
      ->check(CLI::Range(-89.0, 89.0))
      ->needs(picture)
      ->group(group);
  parser.add_option("--width", options.sheet.width, "of the picture (1600)")
      ->type_name("PIXELS")
      ->check(CLI::Range(200, 8000))
      ->needs(picture)
      ->group(group);
  parser.add_option("--focus", options.sheet.focus, "look at this object closely")
      ->type_name("OBJECT")
      ->needs(picture)
      ->group(group);
}

}  // namespace

Command make_play_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("play", "run the player over a motion, offline");
  auto options = std::make_shared<PlayOptions>();
  parser->add_option("FILE", options->file, "what 'supple bake' or 'supple shell' wrote (.supple)")
      ->required();
  parser
      ->add_option("--motion", options->motion,
                   "a built-in motion (below), a clip of the character (its name, its number or "
                   "clip:NAME), a .bvh or .csv file, a stroke (swim:breaststroke), or for shells "
                   "\"gravity\" or \"wind\"")
      ->type_name("SPEC")
      ->required();
  parser
      ->add_option("--character", options->character,
                   "the glTF file that was baked; clips, BVH and -o need it")
      ->type_name("FILE");
  parser->add_option("--map", options->record.bone_map, "lines 'joint = bone' for a BVH file")
      ->type_name("FILE");
  parser->add_option("--rate", options->output.rate, "steps per second (60)")
      ->type_name("HZ")
      ->check(CLI::Range(12.0, 1000.0));
  parser->add_option("--gain", options->output.gain, "of the flesh's motion (1)")->type_name("G");
  parser->add_option("--csv", options->csv, "write the coefficients over time")->type_name("FILE");
  parser
      ->add_option("-o,--output", options->glb,
                   "write the character with this motion and its flesh (.glb)")
      ->type_name("FILE");
  parser->add_flag("--signed", options->output.signed_weights,
                   "one morph target per mode with weights of both signs, instead of a pair");
  add_force_options(*parser, options->record, "Forces");
  add_picture_options(*parser, *options);
  add_common_options(*parser, options->common);
  parser->footer(play_footer());
  return {parser, [options] { return run_play(*options); }};
}

}  // namespace supple::app
