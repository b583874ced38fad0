// SPDX-License-Identifier: Apache-2.0
#include "swim/command.hpp"

#include "cli/usage_error.hpp"
#include "experiments/swim.hpp"
#include "swim/optimise_command.hpp"
#include "swim/report.hpp"

#include "supple/pictures/swim_plots.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace supple::app {
namespace {

struct SwimOptions {
  CommonOptions common;
  bake::SwimRequest request;
  std::vector<std::string> targets;  ///< "X,Y,Z"
  std::string plots;                 ///< a directory
  bool list = false;
  std::optional<double> rate;
  std::optional<double> seconds;
  CLI::App* experiments = nullptr;
  CommonOptions experiments_common;
  experiments::SwimExperimentSettings experiments_settings;
  bool no_pictures = false;
  std::vector<Command> searches;
};

void add_swim_options(CLI::App& command, SwimOptions& options) {
  bake::SwimRequest& request = options.request;
  command.add_option("STROKE", request.stroke,
                     "a built-in stroke (see --list) or a stroke file (.toml)");
  command.add_flag("--list", options.list, "list the built-in strokes and exit");
  command
      .add_option("--seconds", options.seconds,
                  "duration (7; with targets, until all are reached; a loop is swum once)")
      ->type_name("S");
  command.add_option("--step", request.run.step, "longest time step of the simulation (1/60)")
      ->type_name("S");
  command
      .add_option("--rate", options.rate,
                  "frames written per second (60, or one per step if steps are longer)")
      ->type_name("HZ");
  command.add_option("--body", request.body, "size, mass, hands, hinges (body.toml)")
      ->type_name("FILE");
  command
      .add_option("--body-from", request.body_from,
                  "a rigged character whose skin shapes the body (.glb, .gltf)")
      ->type_name("FILE");
  command.add_option("--water", request.water, "drag, buoyancy, surface, flow (water.toml)")
      ->type_name("FILE");
}

void add_course_options(CLI::App& command, SwimOptions& options) {
  const std::string group = "Targets";
  command
      .add_option("--target", options.targets,
                  "a point to reach, in metres, y up; repeatable: reached in order")
      ->type_name("X,Y,Z")
      ->allow_extra_args(false)
      ->group(group);
  command
      .add_option("--course", options.request.course,
                  "targets, curves, depth, obstacles (course.toml)")
      ->type_name("FILE")
      ->group(group);
  command
      .add_flag("--free", options.request.free,
                "do not steer: without targets the swimmer holds course and depth otherwise")
      ->group(group);
}

void add_output_options(CLI::App& command, SwimOptions& options) {
  bake::SwimRequest& request = options.request;
  const std::string group = "Output";
  command
      .add_option("-o,--output", request.outputs,
                  "write a file; its extension sets the kind: the swimmer (.glb, .gltf), its "
                  "motion (.bvh), numbers (.csv), the body for MuJoCo (.xml); repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(group);
  command
      .add_option("--character", request.character,
                  "a rigged character that replaces the boxes in the .glb (.glb, .gltf)")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--skeleton", request.skeleton,
                  "the highest bone of the character in a file that has several")
      ->type_name("BONE")
      ->group(group);
  command
      .add_option("--bone-map", request.bone_map,
                  "lines 'segment = bone' for a character with unusual bone names")
      ->type_name("FILE")
      ->group(group);
  command.add_flag("--arrows", request.look.arrows, "draw the water's forces in the .glb")
      ->group(group);
  command
      .add_option("--newtons-per-metre", request.look.newtons_per_metre,
                  "force per metre of arrow (200)")
      ->type_name("N")
      ->group(group);
  command
      .add_option("--plot", options.plots,
                  "write plots of speed, forces and torques over the last cycle to this folder "
                  "(.svg, .png)")
      ->type_name("DIR")
      ->group(group);
}

/// supple swim experiments
void add_swim_experiments(CLI::App& command, SwimOptions& options) {
  options.experiments = command.add_subcommand(
      "experiments", "repeat the experiments of the paper and validate the swimmer");
  options.experiments->fallthrough(false);
  options.experiments
      ->add_option("-o,--output", options.experiments_settings.directory,
                   "folder for CSV files, plots, pictures and a summary")
      ->type_name("DIR")
      ->required();
  options.experiments
      ->add_option("--only", options.experiments_settings.chosen,
                   fmt::format("some of {} (default: all)",
                               fmt::join(experiments::swim_experiment_names(), ",")))
      ->type_name("NAME,...")
      ->delimiter(',');
  options.experiments->add_flag("--no-pictures", options.no_pictures, "only numbers and plots");
  add_common_options(*options.experiments, options.experiments_common);
}

Result<void> run_swim_experiments(const SwimOptions& options) {
  SUPPLE_TRY_VOID(apply(options.experiments_common));
  experiments::SwimExperimentSettings settings = options.experiments_settings;
  settings.pictures = !options.no_pictures;
  SUPPLE_TRY(const experiments::SwimExperimentReport report,
             experiments::run_swim_experiments(settings));
  if (options.experiments_common.json) return print_machine_text(report.json + "\n");
  if (!options.experiments_common.quiet) tell(report.text);
  return {};
}

/// "X,Y,Z" in metres.
Result<Eigen::Vector3d> parse_point(std::string_view text) {
  Eigen::Vector3d point;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int c = 0; c < 3; ++c) {
    const auto [next, failure] = std::from_chars(at, end, point[c]);
    const bool last = c == 2;
    const bool ended = last ? next == end : next != end && *next == ',';
    if (failure != std::errc() || !ended || !std::isfinite(point[c])) {
      return usage_error(
          fmt::format("--target takes three numbers in metres such as 5,-1,2, not '{}'", text));
    }
    at = next + 1;
  }
  return point;
}

Result<bake::SwimRequest> complete_request(const SwimOptions& options) {
  bake::SwimRequest request = options.request;
  for (const std::string& text : options.targets) {
    SUPPLE_TRY(const Eigen::Vector3d point, parse_point(text));
    request.targets.push_back(point);  // NOLINT: as many as were typed
  }
  request.until_round = !options.seconds;
  request.run.seconds = options.seconds.value_or(request.run.seconds);
  const double usual = request.run.rate;
  request.run.rate =
      options.rate.value_or(request.run.step > 0 ? std::min(usual, 1 / request.run.step) : usual);
  // A step must not be longer than a frame.
  if (request.run.rate > 0 && std::isfinite(request.run.rate)) {
    request.run.step = std::min(request.run.step, 1 / request.run.rate);
  }
  return request;
}

std::vector<std::string> plot_paths(const std::string& directory) {
  std::vector<std::string> paths;
  for (const std::string& name : pictures::swim_plot_names()) {
    paths.push_back((std::filesystem::path(directory) / name).string());
  }
  return paths;
}

/// Errors that can be found before the swim.
Result<void> check_plots(const SwimOptions& options) {
  if (options.plots.empty()) return {};
  OutputSet attempt;  // never committed: leaves nothing behind
  SUPPLE_TRY_VOID(attempt.make_directory(options.plots));
  std::vector<std::string> written = plot_paths(options.plots);
  SUPPLE_TRY_VOID(check_writable(written));
  written.insert(written.end(), options.request.outputs.begin(), options.request.outputs.end());
  return keep_apart(options.request.inputs(), written);
}

Result<void> stage_plots(const std::string& directory, const bake::SwimRun& run,
                         OutputSet& output) {
  SUPPLE_TRY_VOID(output.make_directory(directory));
  SUPPLE_TRY(const std::vector<plot::PlotFile> plots,
             pictures::swim_plot_files(run.recording, run.input.swimmer.body));
  for (const plot::PlotFile& plot : plots) {
    SUPPLE_TRY_VOID(output.stage(std::filesystem::path(directory) / plot.name, plot.bytes));
  }
  return {};
}

Result<void> run_swim(const SwimOptions& options) {
  if (options.experiments->parsed()) return run_swim_experiments(options);
  for (const Command& search : options.searches) {
    if (search.parser->parsed()) return search.run();
  }
  SUPPLE_TRY_VOID(apply(options.common));
  if (options.list) {
    SUPPLE_TRY(const std::string list, stroke_list());
    return print_machine_text(list);
  }
  SUPPLE_TRY(const bake::SwimRequest request, complete_request(options));
  SUPPLE_TRY_VOID(check_plots(options));
  OutputSet output;
  SUPPLE_TRY(const bake::SwimRun run, bake::run_swim(request, output));
  if (!options.plots.empty()) SUPPLE_TRY_VOID(stage_plots(options.plots, run, output));
  SUPPLE_TRY_VOID(output.commit());
  if (options.common.json) return print_machine_text(json_report(run, request, output.files()));
  if (!options.common.quiet) tell(human_report(run, request, output.files()));
  return {};
}

constexpr const char* kFooter =
    "Axes: y is up; the swimmer starts facing +x with its right hand towards +z.\n\nExamples:\n"
    "  supple swim breaststroke --seconds 10 -o swim.glb --arrows\n"
    "  supple swim breaststroke --target 5,0,5 --target 0,-2,8 -o way.glb --json\n"
    "  supple swim my_stroke.toml --body tall.toml --water river.toml --plot plots\n";

}  // namespace

Command make_swim_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "swim", "simulate a swimmer driven by its muscles; steer it to targets");
  auto options = std::make_shared<SwimOptions>();
  add_swim_options(*parser, *options);
  add_course_options(*parser, *options);
  add_output_options(*parser, *options);
  add_common_options(*parser, options->common);
  add_swim_experiments(*parser, *options);
  options->searches = add_swim_searches(*parser);
  parser->footer(kFooter);
  return {parser, [options] { return run_swim(*options); }};
}

}  // namespace supple::app
