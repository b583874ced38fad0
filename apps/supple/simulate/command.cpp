// SPDX-License-Identifier: Apache-2.0
#include "simulate/command.hpp"

#include "cli/setting_option.hpp"
#include "cli/usage_error.hpp"
#include "samples/simulations.hpp"
#include "simulate/report.hpp"

#include "supple/settings/fields.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace supple::app {
namespace {

struct SimulateOptions {
  CommonOptions common;
  bake::SimulateRequest request;
  std::string sample;
  bool small = false;
  bool list_samples = false;
  bool print_config = false;
};

void add_simulate_options(CLI::App& command, SimulateOptions& options) {
  bake::SimulateRequest& request = options.request;
  command.add_option("SCENE", request.scene, "a scene.toml: bodies and what moves them");
  command.add_option("--sample", options.sample, "a built-in scene instead (list below)")
      ->type_name("NAME");
  command.add_flag("--small", options.small, "the sample's small size, for a quick look");
  command.add_flag("--list-samples", options.list_samples, "print their names and exit");
  command
      .add_option("-o,--output", request.outputs,
                  "OUT.glb (morph targets), OUT.h5 (all positions), OUT.pc2, OUT.ply or OUT.vtu "
                  "(a file per frame); repeatable")
      ->type_name("OUT")
      ->allow_extra_args(false);
  command.add_flag("--print-config", options.print_config,
                   "print the scene with all settings in effect and exit");
  command.add_flag("--resume", request.resume,
                   "continue an interrupted run; the result is the same to the byte");
  command.add_option("--work", request.work, "folder of the checkpoint (default: OUT.glb.work)")
      ->type_name("DIR");
}

void add_simulate_overrides(CLI::App& command, bake::SimulateRequest& request) {
  const std::string group = "Override the scene";
  const settings::FieldList& list = bake::simulation_fields();
  const auto setting = [&](const char* name, auto& value, const char* path, const char* type) {
    add_setting_option(command, name, value, list, path)->type_name(type)->group(group);
  };
  setting("--seconds", request.seconds, "seconds", "S");
  setting("--rate", request.rate, "rate", "HZ");
  setting("--tolerance", request.tolerance, "export.tolerance", "T");
  setting("--targets", request.targets, "export.targets", "N");
  command.add_flag("--signed", request.signed_weights, setting_text(list, "export.signed"))
      ->group(group);
}

std::string sample_lines() {
  std::string text;
  for (const samples::SimulationSample& sample : samples::simulation_samples()) {
    text += fmt::format("{:<16} {}\n", sample.name, sample.description);
  }
  return text;
}

std::string simulate_footer() {
  return "Samples:\n" + sample_lines() +
         "\nCtrl-C leaves a checkpoint; --resume continues from it.\n\nExamples:\n"
         "  supple simulate --sample cubes --small -o cubes.glb\n"
         "  supple simulate --sample cubes --print-config > scene.toml\n"
         "  supple simulate scene.toml -o scene.glb\n"
         "  supple view scene.glb\n";
}

Result<bake::SimulateRequest> complete_simulate(const SimulateOptions& options) {
  bake::SimulateRequest request = options.request;
  if (request.scene.empty() == options.sample.empty()) {
    return usage_error(request.scene.empty() ? "give a scene.toml or --sample NAME"
                                             : "give a scene.toml or --sample, not both");
  }
  if (options.small && options.sample.empty()) {
    return usage_error("--small is a size of a --sample; a scene.toml has its own cells");
  }
  if (!options.sample.empty()) {
    const auto size = options.small ? samples::SampleSize::Small : samples::SampleSize::Full;
    SUPPLE_TRY(request.model, samples::simulation_model(options.sample, size));
  }
  return request;
}

Result<void> run_simulate(const SimulateOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  if (options.list_samples) return print_machine_text(sample_lines());
  SUPPLE_TRY(const bake::SimulateRequest request, complete_simulate(options));
  if (!options.print_config) SUPPLE_TRY_VOID(bake::check(request));
  SUPPLE_TRY(bake::SimulateInput input, bake::read_scene(request));
  if (options.print_config) {
    return print_machine_text(bake::print_simulation_settings(input.settings));
  }
  OutputSet output;
  SUPPLE_TRY(const bake::SimulateReport report, bake::simulate(std::move(input), request, output));
  SUPPLE_TRY_VOID(output.commit());
  bake::remove_checkpoint(request);
  if (options.common.json) return print_machine_text(json_report(report, output.files()));
  if (!options.common.quiet) tell(human_report(report, output.files()));
  return {};
}

}  // namespace

Command make_simulate_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "simulate", "simulate soft bodies, cloth and obstacles that never intersect");
  auto options = std::make_shared<SimulateOptions>();
  add_simulate_options(*parser, *options);
  add_simulate_overrides(*parser, options->request);
  add_common_options(*parser, options->common);
  parser->footer(simulate_footer());
  return {parser, [options] { return run_simulate(*options); }};
}

}  // namespace supple::app
