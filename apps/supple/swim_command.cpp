// SPDX-License-Identifier: Apache-2.0
#include "swim_command.hpp"

#include "swim_experiments.hpp"
#include "swim_job.hpp"
#include "swim_optimise_command.hpp"
#include "swim_report.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace supple::app {
namespace {

struct SwimOptions {
  CommonOptions common;
  SwimRequest request;
  bool list = false;
  std::optional<double> rate;
  std::optional<double> seconds;
  CLI::App* experiments = nullptr;
  CommonOptions experiments_common;
  SwimExperimentSettings experiments_settings;
  bool no_pictures = false;
  std::vector<Command> searches;
};

void add_swim_options(CLI::App& command, SwimOptions& options) {
  SwimRequest& request = options.request;
  command.add_option("STROKE", request.stroke,
                     "one that comes with the program (--list), or a file of one (.toml)");
  command.add_flag("--list", options.list, "tell the strokes that come with the program, and stop");
  command
      .add_option("--seconds", options.seconds,
                  "how long (7; with targets until all are reached, of a loop for one round)")
      ->type_name("S");
  command.add_option("--step", request.run.step, "longest step of the simulation (1/60)")
      ->type_name("S");
  command
      .add_option("--rate", options.rate,
                  "frames per second that are written (60, or one per step where those are longer)")
      ->type_name("HZ");
  command.add_option("--body", request.body, "size, mass, hands, hinges (body.toml)")
      ->type_name("FILE");
  command
      .add_option("--body-from", request.body_from,
                  "a rigged character whose skin gives the body its shape (.glb, .gltf)")
      ->type_name("FILE");
  command.add_option("--water", request.water, "drag, buoyancy, surface, flow (water.toml)")
      ->type_name("FILE");
}

void add_course_options(CLI::App& command, SwimRequest& request) {
  const std::string group = "Where to";
  command
      .add_option("--target", request.targets,
                  "a point to reach, metres, y up; repeatable: one after the other")
      ->type_name("X,Y,Z")
      ->allow_extra_args(false)
      ->group(group);
  command.add_option("--course", request.course, "targets, curves, depth, obstacles (course.toml)")
      ->type_name("FILE")
      ->group(group);
}

void add_output_options(CLI::App& command, SwimRequest& request) {
  const std::string group = "Output";
  command
      .add_option("-o,--output", request.outputs,
                  "a file of the kind its name says: the swimmer (.glb, .gltf), its motion (.bvh), "
                  "numbers (.csv), the body for MuJoCo (.xml); repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(group);
  command
      .add_option("--character", request.character,
                  "a rigged character that swims in the .glb in place of the boxes (.glb, .gltf)")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--bone-map", request.bone_map,
                  "lines 'segment = bone' for a character whose bones have names of their own")
      ->type_name("FILE")
      ->group(group);
  command.add_flag("--arrows", request.look.arrows, "draw the water's forces in the .glb")
      ->group(group);
  command
      .add_option("--newtons-per-metre", request.look.newtons_per_metre,
                  "force that an arrow of 1 m stands for (200)")
      ->type_name("N")
      ->group(group);
  command
      .add_option("--plot", request.plots,
                  "write plots of speed, forces and torques over the last cycle there")
      ->type_name("DIR")
      ->group(group);
}

/// supple swim experiments
void add_swim_experiments(CLI::App& command, SwimOptions& options) {
  options.experiments = command.add_subcommand(
      "experiments", "the experiments of the paper, and how far the swimmer can be trusted");
  options.experiments->fallthrough(false);
  options.experiments
      ->add_option("-o,--output", options.experiments_settings.directory,
                   "where CSV files, plots, pictures and a summary go")
      ->type_name("DIR")
      ->required();
  options.experiments
      ->add_option("--only", options.experiments_settings.chosen,
                   fmt::format("some of {}; else all", fmt::join(swim_experiment_names(), ",")))
      ->type_name("NAME,...")
      ->delimiter(',');
  options.experiments->add_flag("--no-pictures", options.no_pictures, "numbers and plots alone");
  add_common_options(*options.experiments, options.experiments_common);
}

Result<void> run_swim_experiments(const SwimOptions& options) {
  apply(options.experiments_common);
  SwimExperimentSettings settings = options.experiments_settings;
  settings.pictures = !options.no_pictures;
  SUPPLE_TRY(const SwimExperimentReport report, run_swim_experiments(settings));
  if (options.experiments_common.json) return print_machine_text(report.json + "\n");
  if (!options.experiments_common.quiet) tell(report.text);
  return {};
}

Result<void> run_swim(const SwimOptions& options) {
  if (options.experiments->parsed()) return run_swim_experiments(options);
  for (const Command& search : options.searches) {
    if (search.parser->parsed()) return search.run();
  }
  apply(options.common);
  if (options.list) {
    SUPPLE_TRY(const std::string list, stroke_list());
    return print_machine_text(list);
  }
  SwimRequest request = options.request;
  request.until_round = !options.seconds;
  request.run.seconds = options.seconds.value_or(request.run.seconds);
  const double usual = request.run.rate;
  request.run.rate =
      options.rate.value_or(request.run.step > 0 ? std::min(usual, 1 / request.run.step) : usual);
  // Steps are at most so long: frames that are shorter shorten them.
  if (request.run.rate > 0 && std::isfinite(request.run.rate)) {
    request.run.step = std::min(request.run.step, 1 / request.run.rate);
  }
  SUPPLE_TRY_VOID(check_request(request));
  SUPPLE_TRY(SwimInput input, load_swim(request));
  SUPPLE_TRY(const SwimRun finished, run_swim(std::move(input), request));
  if (options.common.json) return print_machine_text(json_report(finished, request));
  if (!options.common.quiet) tell(human_report(finished, request));
  return {};
}

constexpr const char* kFooter =
    "Axes: y up; the swimmer starts along +x, the right hand towards +z.\n\nExamples:\n"
    "  supple swim breaststroke --seconds 10 -o swim.glb --arrows\n"
    "  supple swim breaststroke --target 5,0,5 --target 0,-2,8 -o way.glb --json\n"
    "  supple swim my_stroke.toml --body tall.toml --water river.toml --plot plots\n";

}  // namespace

Command make_swim_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("swim", "let a body swim by its own muscles; steer it to targets");
  auto options = std::make_shared<SwimOptions>();
  add_swim_options(*parser, *options);
  add_course_options(*parser, options->request);
  add_output_options(*parser, options->request);
  add_common_options(*parser, options->common);
  add_swim_experiments(*parser, *options);
  options->searches = add_swim_searches(*parser);
  parser->footer(kFooter);
  return {parser, [options] { return run_swim(*options); }};
}

}  // namespace supple::app
