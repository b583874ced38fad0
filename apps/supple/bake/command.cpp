// SPDX-License-Identifier: Apache-2.0
#include "bake/command.hpp"

#include "bake/report.hpp"
#include "cli/loop_option.hpp"
#include "cli/setting_option.hpp"
#include "cli/usage_error.hpp"
#include "samples/characters.hpp"
#include "samples/requests.hpp"

#include "supple/settings/fields.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace supple::app {
namespace {

struct BakeOptions {
  CommonOptions common;
  bake::BakeRequest request;
  std::string sample;
  bool print_config = false;
};

void add_bake_input_options(CLI::App& command, BakeOptions& options) {
  bake::BakeRequest& request = options.request;
  command.add_option("CHARACTER", request.character, "a rigged character (.glb .gltf)");
  command.add_option("--sample", options.sample, "a built-in character instead (list below)")
      ->type_name("NAME");
  command
      .add_option("-c,--config", request.config,
                  "settings (bake.toml, or the .supple of an earlier bake), with [[shell]] tables "
                  "for thin parts; by default, bones with thick tissue are chosen")
      ->type_name("FILE");
  command
      .add_option("-o,--output", request.output,
                  "write OUT.glb (morph targets, baked clips) and OUT.supple (for the player)")
      ->type_name("OUT.glb");
  command
      .add_option("--motion", request.motions,
                  "add a clip to OUT.glb; repeatable: a built-in motion, FILE.bvh, FILE.csv or "
                  "swim:STROKE ('supple play --help' lists them)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command
      .add_option("--bone-map", request.bone_map,
                  "lines 'joint = bone' that match a recording to the character")
      ->type_name("FILE");
  add_loop_option(command, request.looping);
  command.add_option("--only", request.only, "bake only this object or shell")->type_name("OBJECT");
  command
      .add_option("--work", request.work,
                  "keep finished objects there, so that an interrupted bake can continue")
      ->type_name("DIR");
  command.add_flag("--print-config", options.print_config,
                   "print the settings in effect as a bake.toml and exit");
  command.add_option("--write-config", request.write_config, "also write them to a file")
      ->type_name("FILE");
}

void add_bake_override_options(CLI::App& command, bake::BakeRequest& request) {
  const std::string group = "Override the settings";
  const settings::FieldList& list = bake::bake_fields();
  const auto setting = [&](const char* name, auto& value, const char* path, const char* type) {
    return add_setting_option(command, name, value, list, path)->type_name(type)->group(group);
  };
  CLI::Option* modes = setting("--modes", request.modes, "object.modes", "N");
  setting("--capture", request.capture, "object.capture", "SHARE")->excludes(modes);
  setting("--elements", request.elements, "object.elements", "N");
  setting("--unit", request.unit, "unit", "M");
  command.add_option("--skeleton", request.skeleton, setting_text(list, "skeleton"))
      ->type_name("BONE")
      ->group(group);
  setting("--rate", request.rate, "output.rate", "HZ");
  setting("--gain", request.gain, "output.gain", "G");
  command.add_flag("--signed", request.signed_weights, setting_text(list, "output.signed"))
      ->group(group);
  command.add_flag("--f32", request.float32, setting_text(list, "output.float32"))->group(group);
}

std::string bake_footer() {
  std::string text = "Samples:\n";
  for (const samples::CharacterSample& sample : samples::character_samples()) {
    text += fmt::format("  {:<10} {}\n", sample.name, sample.description);
  }
  text += "\nMaterials for a bake.toml:\n";
  for (const fem::Material& preset : flesh::tissue_presets()) {
    text += fmt::format("  {:<10} {:>9.3g} Pa  nu {:<5.3g} {:>6.4g} kg/m^3\n", preset.name,
                        preset.youngs_modulus, preset.poisson_ratio, preset.density);
  }
  return text +
         "\nExamples:\n"
         "  supple bake hero.glb -o hero_soft.glb\n"
         "  supple bake hero.glb --print-config > bake.toml\n"
         "  supple bake hero.glb -c bake.toml --capture 0.95 -o hero_soft.glb\n";
}

Result<bake::BakeRequest> complete_request(const BakeOptions& options) {
  bake::BakeRequest request = options.request;
  if (request.character.empty() == options.sample.empty()) {
    return usage_error(request.character.empty()
                           ? "give a character (.glb or .gltf) or --sample NAME"
                           : "give a character or --sample, not both");
  }
  if (!options.sample.empty()) {
    SUPPLE_TRY(request.model, samples::character_model(options.sample));
  }
  return request;
}

Result<void> run_bake(const BakeOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  SUPPLE_TRY(const bake::BakeRequest request, complete_request(options));
  SUPPLE_TRY_VOID(bake::check(request));
  SUPPLE_TRY(bake::BakeInput input, bake::read_bake(request));
  const bool silent = options.common.quiet || options.common.json;
  if (options.print_config) return print_machine_text(bake::print_bake_settings(input.settings));
  if (input.automatic && !silent) {
    tell(
        fmt::format("# chosen without settings; --print-config shows every key, -c takes them\n"
                    "{}\n",
                    bake::print_bake_settings(input.settings, bake::PrintedKeys::Changed)));
  }
  OutputSet output;
  SUPPLE_TRY(const bake::BakeRun run, bake::bake_character(std::move(input), request, output));
  SUPPLE_TRY_VOID(output.commit());
  if (options.common.json) return print_machine_text(json_report(run, output.files()));
  if (!silent) tell(human_report(run, output.files()));
  return {};
}

}  // namespace

Command make_bake_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("bake", "make the flesh of a rigged character soft");
  auto options = std::make_shared<BakeOptions>();
  add_bake_input_options(*parser, *options);
  add_bake_override_options(*parser, options->request);
  add_common_options(*parser, options->common);
  parser->get_option("--print-config")->excludes(parser->get_option("--write-config"));
  parser->footer(bake_footer());
  return {parser, [options] { return run_bake(*options); }};
}

}  // namespace supple::app
