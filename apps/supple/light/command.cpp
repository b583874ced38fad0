// SPDX-License-Identifier: Apache-2.0
#include "light/command.hpp"

#include "cli/json.hpp"
#include "cli/report.hpp"
#include "cli/usage_error.hpp"

#include "supple/bake/light.hpp"
#include "supple/core/console.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace supple::app {
namespace {

struct LightOptions {
  CommonOptions common;
  bake::LightRequest request;
  bool print_config = false;
};

std::string light_text(const bake::LightReport& report, const std::vector<WrittenFile>& files) {
  const double rays = static_cast<double>(report.rays);
  std::string text = fmt::format(
      "{} shapes of {} vertices, chosen from {}\n{} rays, {} a second, {} bounces; noise {:.2g} of "
      "the light at rest\n",
      report.shapes, format_count(report.vertices), format_count(report.points),
      format_si(rays, ""), format_si(report.rays_per_second, ""), report.bounces, report.noise);
  text += fmt::format("rank {} leaves {:.2g} of the light", report.rank, report.relative_error);
  if (report.held_out_error > 0) {
    text += fmt::format(", {:.2g} at other shapes", report.held_out_error);
  }
  text += fmt::format("\n{}B of the .supple's {}B are light\n\n",
                      format_si(static_cast<double>(report.light_bytes), ""),
                      format_si(static_cast<double>(report.bytes), ""));
  return text + written_text(files) +
         fmt::format("{} in all, {}B of memory\n", format_seconds(total_seconds(report.seconds)),
                     format_si(peak_memory_bytes(), ""));
}

std::string light_json(const bake::LightReport& report, const std::vector<WrittenFile>& files) {
  const Json json{{"version", version()},
                  {"vertices", report.vertices},
                  {"surroundings", report.surroundings},
                  {"points", report.points},
                  {"shapes", report.shapes},
                  {"dimensions", report.dimensions},
                  {"order", report.settings.transfer.order},
                  {"sides", report.sides},
                  {"rank", report.rank},
                  {"relative_error", report.relative_error},
                  {"error_by_rank", report.error_by_rank},
                  {"held_out_error", report.held_out_error},
                  {"held_out_projected", report.held_out_projected},
                  {"directions", report.settings.transfer.directions},
                  {"rays", report.rays},
                  {"rays_per_second", report.rays_per_second},
                  {"bounces", report.bounces},
                  {"noise", report.noise},
                  {"transfer_error", report.transfer_error},
                  {"exposure", report.exposure},
                  {"bytes", report.bytes},
                  {"light_bytes", report.light_bytes},
                  {"warnings", warnings_json(report.warnings)},
                  {"files", written_json(files)},
                  {"seconds", seconds_json(report.seconds)},
                  {"threads", thread_count()},
                  {"peak_memory_mb", peak_memory_bytes() / 1e6}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<void> run_light(const LightOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  if (options.print_config) {
    SUPPLE_TRY(const bake::LightSettings settings, bake::read_light_settings(options.request));
    return print_machine_text(bake::print_light_settings(settings));
  }
  if (options.request.file.empty()) return usage_error("give a baked .glb");
  if (options.request.output.empty()) return usage_error("name a result: -o OUT.glb");
  OutputSet output;
  SUPPLE_TRY(const bake::LightReport report, bake::bake_light(options.request, output));
  SUPPLE_TRY_VOID(output.commit());
  if (options.common.json) return print_machine_text(light_json(report, output.files()));
  if (!options.common.quiet) tell(light_text(report, output.files()));
  return {};
}

}  // namespace

Command make_light_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "light", "compute shadows and interreflections of a baked file, for any light and shape");
  auto options = std::make_shared<LightOptions>();
  bake::LightRequest& request = options->request;
  parser->add_option("FILE", request.file,
                     "a baked .glb (flesh, shells or a scene) with its .supple beside it");
  parser->add_option("-c,--config", request.config, "settings (light.toml)")->type_name("FILE");
  parser
      ->add_option("-o,--output", request.output,
                   "OUT.glb with the colours at rest; OUT.supple goes beside it")
      ->type_name("OUT.glb");
  parser
      ->add_option("--light", request.map,
                   "a panorama (.hdr) for these colours, instead of the sky")
      ->type_name("SKY.hdr");
  parser->add_flag("--print-config", options->print_config,
                   "print the settings in effect as a light.toml and exit");
  add_common_options(*parser, options->common);
  parser->footer(
      "The .supple holds how every vertex answers light in whatever shape it is; the light itself\n"
      "is chosen in play. The colours in OUT.glb are for programs without a player.\n"
      "\nExamples:\n"
      "  supple scene --sample plant --small -o plant.glb\n"
      "  supple light plant.glb -o lit.glb\n"
      "  supple light plant.glb --light sky.hdr -o lit.glb\n");
  return {parser, [options] { return run_light(*options); }};
}

}  // namespace supple::app
