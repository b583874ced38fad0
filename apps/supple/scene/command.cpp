// SPDX-License-Identifier: Apache-2.0
#include "scene/command.hpp"

#include "cli/setting_option.hpp"
#include "cli/usage_error.hpp"
#include "experiments/scene.hpp"
#include "samples/scenes.hpp"
#include "scene/report.hpp"

#include "supple/pictures/scene_report.hpp"
#include "supple/settings/fields.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace supple::app {
namespace {

struct SceneOptions {
  CommonOptions common;
  CLI::App* refine = nullptr;  ///< the command 'refine'
  CommonOptions refine_common;
  bake::SceneRequest refine_request;
  bake::SceneRequest request;
  std::string sample;
  bool small = false;
  bool list_samples = false;
  bool print_config = false;
  bool keep = false;
  CLI::App* experiments = nullptr;
  CommonOptions experiments_common;
  experiments::SceneExperimentSettings experiments_settings;
};

void add_scene_options(CLI::App& command, SceneOptions& options) {
  bake::SceneRequest& request = options.request;
  command.add_option("SCENE", request.scene,
                     "a scene.toml: bodies or recordings, and what acts on them");
  command.add_option("--sample", options.sample, "a built-in scene instead (list below)")
      ->type_name("NAME");
  command.add_flag("--small", options.small, "the sample's small size, for a quick look");
  command.add_flag("--list-samples", options.list_samples, "print their names and exit");
  command
      .add_option("-o,--output", request.output,
                  "OUT.glb; OUT.supple and OUT.report.html go beside it")
      ->type_name("OUT.glb");
  command.add_flag("--print-config", options.print_config,
                   "print the scene with all settings in effect and exit");
  command.add_option("--work", request.work, "folder of the samples (default: OUT.glb.work)")
      ->type_name("DIR");
  command.add_flag("--keep", options.keep, "leave the samples there, for another tolerance");
  command.add_flag("--f32", request.float32, "keep shapes as floats instead of 16 bits");
  const std::string group = "Override the scene";
  const settings::FieldList& list = bake::scene_fields();
  add_setting_option(command, "--states", request.states, list, "sampling.states")
      ->type_name("N")
      ->group(group);
  add_setting_option(command, "--tolerance", request.tolerance, list, "shapes.tolerance")
      ->type_name("T")
      ->group(group);
  add_setting_option(command, "--rank", request.rank, list, "shapes.rank")
      ->type_name("N")
      ->group(group);
}

void add_refine_command(CLI::App& command, SceneOptions& options) {
  options.refine = command.add_subcommand(
      "refine", "sample more where live play strayed from the samples, and bake again");
  CLI::App& refine = *options.refine;
  bake::SceneRequest& request = options.refine_request;
  refine.add_option("SCENE", request.scene, "the scene.toml that was baked")->required();
  refine
      .add_option("LOG", request.log,
                  "the worst blends: a log of the viewer, or of 'supple play --log' (.json)")
      ->required();
  refine
      .add_option("--work", request.work,
                  "folder of the samples that the bake kept (default: OUT.glb.work)")
      ->type_name("DIR");
  refine.add_option("-o,--output", request.output, "OUT.glb; OUT.supple goes beside it")
      ->type_name("OUT.glb")
      ->required();
  refine.add_flag("--f32", request.float32, "keep shapes as floats instead of 16 bits");
  add_common_options(refine, options.refine_common);
  refine.footer(
      "The samples stay in the folder. What overrides settings of the scene in the bake must be\n"
      "in the scene.toml.\n"
      "\nExample:\n"
      "  supple scene scene.toml -o scene.glb --keep\n"
      "  supple play scene.supple --palette poke@0,kick@0.4 --log log.json\n"
      "  supple scene refine scene.toml log.json --work scene.glb.work -o better.glb\n");
}

std::string scene_sample_lines() {
  std::string text;
  for (const samples::SimulationSample& sample : samples::scene_samples()) {
    text += fmt::format("{:<16} {}\n", sample.name, sample.description);
  }
  return text;
}

/// supple scene experiments
void add_scene_experiments(CLI::App& command, SceneOptions& options) {
  experiments::SceneExperimentSettings& settings = options.experiments_settings;
  options.experiments = command.add_subcommand(
      "experiments", "repeat the experiments of the paper with our own scenes");
  options.experiments->fallthrough(false);
  options.experiments
      ->add_option("-o,--output", settings.directory, "folder for CSV files, plots and a summary")
      ->type_name("DIR")
      ->required();
  options.experiments->add_option("--scenes", settings.scenes, "some of the samples (default: all)")
      ->type_name("NAME,...")
      ->delimiter(',');
  options.experiments->add_flag("--full", settings.full, "the samples' full size: hours");
  options.experiments
      ->add_option("--work", settings.work,
                   "folder that keeps what was sampled; the next call goes on from there")
      ->type_name("DIR");
  add_common_options(*options.experiments, options.experiments_common);
}

Result<void> run_scene_experiments(const SceneOptions& options) {
  SUPPLE_TRY_VOID(apply(options.experiments_common));
  SUPPLE_TRY(const experiments::SceneExperimentReport report,
             experiments::run_scene_experiments(options.experiments_settings));
  if (options.experiments_common.json) return print_machine_text(report.json + "\n");
  if (!options.experiments_common.quiet) tell(report.text);
  return {};
}

Result<bake::SceneRequest> complete_scene(const SceneOptions& options) {
  bake::SceneRequest request = options.request;
  if (request.scene.empty() == options.sample.empty()) {
    return usage_error(request.scene.empty() ? "give a scene.toml or --sample NAME"
                                             : "give a scene.toml or --sample, not both");
  }
  if (options.small && options.sample.empty()) {
    return usage_error("--small is a size of a --sample; a scene.toml has its own cells");
  }
  if (!options.sample.empty()) {
    const auto size = options.small ? samples::SampleSize::Small : samples::SampleSize::Full;
    SUPPLE_TRY(request.model, samples::scene_model(options.sample, size));
  }
  return request;
}

Result<void> run_refine(const SceneOptions& options) {
  SUPPLE_TRY_VOID(apply(options.refine_common));
  OutputSet output;
  SUPPLE_TRY(const bake::SceneReport report, bake::bake_scene(options.refine_request, output));
  SUPPLE_TRY_VOID(output.commit());
  if (options.refine_common.json) return print_machine_text(json_report(report, output.files()));
  if (!options.refine_common.quiet) tell(human_report(report, output.files()));
  return {};
}

Result<void> run_scene(const SceneOptions& options) {
  if (options.experiments->parsed()) return run_scene_experiments(options);
  if (options.refine->parsed()) return run_refine(options);
  SUPPLE_TRY_VOID(apply(options.common));
  if (options.list_samples) return print_machine_text(scene_sample_lines());
  SUPPLE_TRY(const bake::SceneRequest request, complete_scene(options));
  if (options.print_config) {
    SUPPLE_TRY(const bake::SceneInput input, bake::read_scene_input(request));
    return print_machine_text(bake::print_scene_settings(input.settings));
  }
  if (request.output.empty()) return usage_error("name a result: -o OUT.glb");
  OutputSet output;
  SUPPLE_TRY(const bake::SceneReport report, bake::bake_scene(request, output));
  SUPPLE_TRY_VOID(pictures::stage_scene_report(report, request.output, output));
  SUPPLE_TRY_VOID(output.commit());
  if (!options.keep) bake::remove_samples(request);
  if (options.common.json) return print_machine_text(json_report(report, output.files()));
  if (!options.common.quiet) tell(human_report(report, output.files()));
  return {};
}

}  // namespace

Command make_scene_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "scene", "sample what bodies do when they are pushed, for play without a simulator");
  auto options = std::make_shared<SceneOptions>();
  add_scene_options(*parser, *options);
  add_refine_command(*parser, *options);
  add_common_options(*parser, options->common);
  add_scene_experiments(*parser, *options);
  parser->footer("Samples:\n" + scene_sample_lines() +
                 "\nInterrupted or killed, it goes on from its samples when it is called again.\n"
                 "\nExamples:\n"
                 "  supple scene --sample door --small -o door.glb\n"
                 "  supple scene --sample door --print-config > scene.toml\n"
                 "  supple scene scene.toml -o scene.glb\n");
  return {parser, [options] { return run_scene(*options); }};
}

}  // namespace supple::app
