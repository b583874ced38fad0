// SPDX-License-Identifier: Apache-2.0
#include "shell/command.hpp"

#include "cli/force_options.hpp"
#include "cli/loop_option.hpp"
#include "cli/setting_option.hpp"
#include "cli/usage_error.hpp"
#include "experiments/shell.hpp"
#include "samples/requests.hpp"
#include "samples/shell_samples.hpp"
#include "shell/report.hpp"

#include "supple/settings/fields.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace supple::app {
namespace {

struct ShellOptions {
  CommonOptions common;
  bake::ShellRequest request;
  std::string sample;
  bool print_config = false;
  CLI::App* experiments = nullptr;
  CommonOptions experiments_common;
  experiments::ShellExperimentSettings experiments_settings;
  bool no_pictures = false;
};

void add_shell_input_options(CLI::App& command, ShellOptions& options) {
  bake::ShellRequest& request = options.request;
  command.add_option("MESH", request.mesh, "thin surfaces (.obj .ply .stl .glb .gltf)");
  command.add_option("--sample", options.sample, "a built-in shell instead (list below)")
      ->type_name("NAME");
  command
      .add_option("-c,--config", request.config,
                  "settings (shell.toml, or the .supple of an earlier bake); by default, every "
                  "mesh is a paper shell, held where its "
                  "vertex colours are red")
      ->type_name("FILE");
  command
      .add_option("-o,--output", request.output,
                  "write OUT.glb (with recorded motion) and OUT.supple (for the player)")
      ->type_name("OUT.glb");
  command.add_flag("--print-config", options.print_config,
                   "print the settings in effect as a shell.toml and exit");
  command.add_option("--write-config", request.write_config, "also write them to a file")
      ->type_name("FILE");
}

constexpr const char* kRecordGroup = "Recorded motion in OUT.glb";

void add_record_options(CLI::App& command, bake::ShellRequest& request) {
  const std::string group = kRecordGroup;
  command
      .add_option("--record", request.motions,
                  "\"gravity\" (dropped from its rest shape), \"wind\", \"clip:NAME\", or a motion "
                  "of 'supple play'; repeatable (default: every clip of the file, or gravity)")
      ->type_name("WHAT")
      ->allow_extra_args(false)
      ->group(group);
  add_loop_option(command, request.record.looping, group);
  add_force_options(command, request.record, group);
  const settings::FieldList& list = bake::shell_file_fields();
  const auto setting = [&](const char* name, auto& value, const char* path, const char* type) {
    add_setting_option(command, name, value, list, path)->type_name(type)->group(group);
  };
  setting("--fps", request.rate, "export.rate", "HZ");
  setting("--tolerance", request.tolerance, "export.tolerance", "T");
  setting("--targets", request.targets, "export.targets", "N");
  command.add_flag("--signed", request.signed_weights, setting_text(list, "export.signed"))
      ->group(group);
}

void add_shell_override_options(CLI::App& command, bake::ShellRequest& request) {
  const std::string group = "Override the settings";
  const settings::FieldList& list = bake::shell_file_fields();
  add_setting_option(command, "--modes", request.modes, list, "shell.modes")
      ->type_name("N")
      ->group(group);
  add_setting_option(command, "--unit", request.unit, list, "unit")->type_name("M")->group(group);
  command.add_flag("--f32", request.float32, setting_text(list, "export.float32"))->group(group);
}

/// Without OUT.glb nothing is recorded, but options that are also keys of a shell.toml can still be
/// printed.
Result<void> check_record_options(const CLI::App& command, const ShellOptions& options) {
  if (!options.request.output.empty()) return {};
  const bool settings_shown = options.print_config || !options.request.write_config.empty();
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_group() != kRecordGroup) continue;
    const std::string name = option->get_name();
    const bool setting =
        name == "--fps" || name == "--tolerance" || name == "--targets" || name == "--signed";
    if (setting && settings_shown) continue;
    return Error(
        ErrorCode::Usage,
        fmt::format("{} sets how motion is recorded in OUT.glb: give -o OUT.glb, or omit it",
                    name));
  }
  return {};
}

std::string shell_footer() {
  std::string text = "Samples:\n";
  for (const samples::ShellSample& sample : samples::shell_samples()) {
    text += fmt::format("  {:<10} {}\n", sample.name, sample.description);
  }
  text += "\nMaterials for a shell.toml:\n";
  for (const bake::ShellPreset& preset : bake::shell_presets()) {
    text += fmt::format("  {:<10} {}\n", preset.name, preset.description);
  }
  return text +
         "\nSelections are in metres, in the mesh's world space.\n\nExamples:\n"
         "  supple shell leaf.obj --print-config > shell.toml\n"
         "  supple shell leaf.obj -c shell.toml -o leaf.glb\n"
         "  supple view leaf.glb\n";
}

/// supple shell experiments
void add_shell_experiments(CLI::App& command, ShellOptions& options) {
  options.experiments = command.add_subcommand(
      "experiments", "repeat the experiments of the paper with our own shells");
  options.experiments->fallthrough(false);
  options.experiments
      ->add_option("-o,--output", options.experiments_settings.directory,
                   "folder for CSV files, plots, pictures and a summary")
      ->type_name("DIR")
      ->required();
  options.experiments
      ->add_option("--figures", options.experiments_settings.figures,
                   "some of 4,5,6,7,8 (default: all)")
      ->type_name("N,...")
      ->delimiter(',')
      ->check(CLI::Range(4, 8));
  options.experiments->add_flag("--no-pictures", options.no_pictures, "only numbers and plots");
  add_common_options(*options.experiments, options.experiments_common);
}

Result<void> run_shell_experiments(const ShellOptions& options) {
  SUPPLE_TRY_VOID(apply(options.experiments_common));
  experiments::ShellExperimentSettings settings = options.experiments_settings;
  settings.pictures = !options.no_pictures;
  SUPPLE_TRY(const experiments::ShellExperimentReport report,
             experiments::run_shell_experiments(settings));
  if (options.experiments_common.json) return print_machine_text(report.json + "\n");
  if (!options.experiments_common.quiet) tell(report.text);
  return {};
}

Result<bake::ShellRequest> complete_request(const ShellOptions& options) {
  bake::ShellRequest request = options.request;
  if (request.mesh.empty() == options.sample.empty()) {
    return usage_error(request.mesh.empty()
                           ? "give a mesh (.obj .ply .stl .glb .gltf) or --sample NAME"
                           : "give a mesh or --sample, not both");
  }
  if (!options.sample.empty()) {
    SUPPLE_TRY(request.model, samples::shell_model(options.sample));
  }
  return request;
}

Result<void> run_shell(const CLI::App& command, const ShellOptions& options) {
  if (options.experiments->parsed()) return run_shell_experiments(options);
  SUPPLE_TRY_VOID(apply(options.common));
  SUPPLE_TRY_VOID(check_record_options(command, options));
  SUPPLE_TRY(const bake::ShellRequest request, complete_request(options));
  SUPPLE_TRY_VOID(bake::check(request));
  SUPPLE_TRY(bake::ShellInput input, bake::read_shells(request));
  if (options.print_config) return print_machine_text(bake::print_shell_settings(input.settings));
  OutputSet output;
  SUPPLE_TRY(const bake::ShellRun run, bake::bake_shells(std::move(input), request, output));
  SUPPLE_TRY_VOID(output.commit());
  if (options.common.json) return print_machine_text(json_report(run, output.files()));
  if (!options.common.quiet) tell(human_report(run, output.files()));
  return {};
}

}  // namespace

Command make_shell_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("shell", "bake thin shells: leaves, paper, hats, skirts");
  auto options = std::make_shared<ShellOptions>();
  add_shell_input_options(*parser, *options);
  add_record_options(*parser, options->request);
  add_shell_override_options(*parser, options->request);
  add_common_options(*parser, options->common);
  parser->get_option("--print-config")->excludes(parser->get_option("--write-config"));
  add_shell_experiments(*parser, *options);
  parser->footer(shell_footer());
  return {parser, [parser, options] { return run_shell(*parser, *options); }};
}

}  // namespace supple::app
