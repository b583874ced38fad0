// SPDX-License-Identifier: Apache-2.0
#include "swim/optimise_command.hpp"

#include "cli/help_format.hpp"
#include "cli/json.hpp"
#include "cli/report.hpp"
#include "cli/usage_error.hpp"

#include "supple/bake/swim.hpp"
#include "supple/core/output.hpp"
#include "supple/core/units.hpp"
#include "supple/swim/optimise.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::app {
namespace {

struct SearchOptions {
  CommonOptions common;
  bake::SwimRequest request;
  std::string output;
  swim::OptimiseSettings settings;
  std::string state;
  std::vector<double> variation;    ///< percent, low and high; empty: any
  std::vector<double> rate;         ///< per minute
  std::vector<std::string> within;  ///< "JOINT=LOW,HIGH", degrees
};

void add_subject(CLI::App& command, SearchOptions& options) {
  command
      .add_option("STROKE", options.request.stroke, "a built-in stroke or a stroke file (.toml)")
      ->required();
  command.add_option("-o,--output", options.output, "file for the stroke found (.toml)")
      ->type_name("FILE.toml")
      ->required();
  command.add_option("--body", options.request.body, "the swimmer's body (body.toml)")
      ->type_name("FILE");
  command
      .add_option("--body-from", options.request.body_from,
                  "a rigged character whose skin shapes the body (.glb, .gltf)")
      ->type_name("FILE");
  command.add_option("--water", options.request.water, "the water (water.toml)")->type_name("FILE");
  add_common_options(command, options.common);
}

/// The measures of a stroke once the swim is steady.
Result<swim::SwimReport> figures(const bake::PreparedSwimmer& swimmer,
                                 const swim::PoseGraph& graph) {
  swim::RunSettings run;
  run.seconds = std::max(15.0, 5 * graph.cycle_seconds());
  swim::StartState start = swimmer.stroke.start;
  start.angles = graph.poses[graph.start].angles;
  SUPPLE_TRY(const swim::Recording recording,
             swim::record_swim(swimmer.body, swimmer.water, graph, start, run, nullptr));
  return swim::report(recording, swimmer.body, swimmer.water);
}

Json summary_json(const swim::SwimReport& report) {
  return {{"mean_speed_mps", report.mean_speed_mps},
          {"speed_variation", report.speed_variation},
          {"strokes_per_min", report.strokes_per_min},
          {"metres_per_stroke", report.metres_per_stroke},
          {"power_w", report.power_w},
          {"efficiency", report.efficiency}};
}

std::string figures_text(const swim::SwimReport& report) {
  return fmt::format(
      "{:.2f} m/s +- {:.0f} %, {:.1f} strokes/min, {:.2f} m each, {:.0f} W, efficiency {:.3f}",
      report.mean_speed_mps, 100 * report.speed_variation, report.strokes_per_min,
      report.metres_per_stroke, report.power_w, report.efficiency);
}

Result<void> write_stroke(const SearchOptions& options, bake::SwimStroke stroke,
                          swim::PoseGraph graph) {
  stroke.graph = std::move(graph);
  return write_file(options.output, bake::print_swim_stroke(stroke));
}

/// Errors that can be found before the search, which takes minutes.
Result<void> check_outputs(const SearchOptions& options) {
  if (lower_extension(options.output) != ".toml") {
    return usage_error(
        fmt::format("strokes are .toml files: give -o BETTER.toml, not '{}'", options.output));
  }
  std::vector<std::string> inputs{options.request.body, options.request.body_from,
                                  options.request.water};
  const std::string& stroke = options.request.stroke;
  if (stroke.find_first_of("./") != std::string::npos) inputs.push_back(stroke);
  const std::vector<std::string> outputs{options.output, options.state};
  SUPPLE_TRY_VOID(keep_apart(inputs, outputs));
  return check_writable(outputs);
}

std::optional<swim::WantedRange> wanted_ranges(const std::vector<double>& ends, double unit) {
  if (ends.size() != 2) return std::nullopt;
  return swim::WantedRange{unit * ends[0], unit * ends[1]};
}

Result<swim::JointRange> parse_range(const std::string& text) {
  const auto wrong = [&] {
    return usage_error(
        fmt::format("--within takes a joint and two angles such as knee=0,45, not '{}'", text));
  };
  const std::size_t equals = text.find('=');
  const std::size_t comma = text.find(',');
  if (equals == std::string::npos || comma == std::string::npos || comma < equals) return wrong();
  swim::JointRange range{text.substr(0, equals), {}};
  const std::string low = text.substr(equals + 1, comma - equals - 1);
  const std::string high = text.substr(comma + 1);
  if (!CLI::detail::lexical_cast(low, range.angles.low) ||
      !CLI::detail::lexical_cast(high, range.angles.high) ||
      !(range.angles.low < range.angles.high)) {
    return wrong();
  }
  range.angles = {kDegree * range.angles.low, kDegree * range.angles.high};
  return range;
}

Result<void> run_optimise(const SearchOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  SUPPLE_TRY_VOID(check_outputs(options));
  SUPPLE_TRY(const bake::SwimInput input, bake::read_swim(options.request));
  const bake::PreparedSwimmer& swimmer = input.swimmer;
  SUPPLE_TRY(const swim::SwimReport before, figures(swimmer, swimmer.stroke.graph));
  swim::OptimiseSettings settings = options.settings;
  settings.state_file = options.state;
  settings.speed_variation = wanted_ranges(options.variation, 0.01);
  settings.strokes_per_min = wanted_ranges(options.rate, 1);
  for (const std::string& text : options.within) {
    SUPPLE_TRY(swim::JointRange range, parse_range(text));
    settings.within.push_back(std::move(range));  // NOLINT: as many as were typed
  }
  SUPPLE_TRY(swim::OptimiseResult found,
             swim::optimise_stroke(swimmer.stroke.graph, swimmer.body, swimmer.water,
                                   swimmer.stroke.start, settings));
  SUPPLE_TRY(const swim::SwimReport after, figures(swimmer, found.graph));
  SUPPLE_TRY_VOID(write_stroke(options, swimmer.stroke, found.graph));
  if (options.common.json) {
    const Json json{{"command", "swim optimise"},      {"stroke", found.graph.name},
                    {"variables", found.variables},    {"generations", found.generations},
                    {"cost_before", found.first_cost}, {"cost", found.cost},
                    {"before", summary_json(before)},  {"after", summary_json(after)},
                    {"warnings", warnings_json()},     {"output", options.output}};
    return print_machine_text(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  if (!options.common.quiet) {
    tell(
        fmt::format("{} generations of {} variables: cost {:.3f} -> {:.3f}\n"
                    "before  {}\nafter   {}\nwrote   {}\n",
                    found.generations, found.variables, found.first_cost, found.cost,
                    figures_text(before), figures_text(after), options.output));
  }
  return {};
}

Result<void> run_turns(const SearchOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  SUPPLE_TRY_VOID(check_outputs(options));
  SUPPLE_TRY(const bake::SwimInput input, bake::read_swim(options.request));
  const bake::PreparedSwimmer& swimmer = input.swimmer;
  SUPPLE_TRY(const swim::PoseGraph graph,
             swim::find_perturbations(swimmer.stroke.graph, swimmer.body, swimmer.water,
                                      swimmer.stroke.start));
  if (!swim::can_steer(graph).ok()) {
    return not_converged(
        fmt::format("no change of stroke '{}' turns the swimmer; start from a stroke that swims "
                    "faster or moves more joints",
                    graph.name));
  }
  SUPPLE_TRY_VOID(write_stroke(options, swimmer.stroke, graph));
  Json rates;
  std::string text;
  for (std::size_t i = 0; i < swim::kTurns; ++i) {
    const auto name = swim::turn_name(static_cast<swim::Turn>(i));
    const Eigen::Vector3d& rate = graph.turn_rates[i];
    rates[std::string(name)] = {rate.x(), rate.y(), rate.z()};
    text += fmt::format("{:<10}  roll {:6.3f}  yaw {:6.3f}  pitch {:6.3f} rad/s\n", name, rate.x(),
                        rate.y(), rate.z());
  }
  if (options.common.json) {
    const Json json{{"command", "swim turns"},
                    {"stroke", graph.name},
                    {"rates", rates},
                    {"warnings", warnings_json()},
                    {"output", options.output}};
    return print_machine_text(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  if (!options.common.quiet) tell(text + fmt::format("wrote {}\n", options.output));
  return {};
}

Command make_optimise(CLI::App& swim) {
  CLI::App* parser = swim.add_subcommand(
      "optimise", "optimise the angles and timing of a stroke for speed, efficiency or turning");
  parser->fallthrough(false);
  auto options = std::make_shared<SearchOptions>();
  swim::OptimiseSettings& settings = options->settings;
  add_subject(*parser, *options);
  const std::map<std::string, swim::OptimiseFor> goals{
      {"speed", swim::OptimiseFor::Speed},
      {"stay", swim::OptimiseFor::Stay},
      {"efficiency", swim::OptimiseFor::Efficiency},
      {"turn", swim::OptimiseFor::Turn}};
  parser
      ->add_option("--for", settings.goal,
                   "goal: speed, efficiency, turn, or stay for treading water (speed)")
      ->transform(one_of(goals))
      ->type_name("GOAL");
  parser->add_option("--generations", settings.generations, "maximum number of generations (200)")
      ->type_name("N");
  parser
      ->add_option("--seconds-of-search", settings.seconds,
                   "time limit of the search in seconds; 0: none")
      ->type_name("S");
  parser->add_option("--seed", settings.seed, "seed of the random numbers (1)")->type_name("N");
  parser->add_option("--population", settings.population, "candidates per generation")
      ->type_name("N");
  parser
      ->add_option("--power-limit", settings.power_limit, "limit on the muscles' mean power (600)")
      ->type_name("W");
  parser
      ->add_option(
          "--variation", options->variation,
          "allowed variation of the speed within a cycle: half its range in percent of the mean")
      ->delimiter(',')
      ->expected(2)
      ->type_name("LOW,HIGH");
  parser->add_option("--rate", options->rate, "allowed strokes per minute")
      ->delimiter(',')
      ->expected(2)
      ->type_name("LOW,HIGH");
  parser
      ->add_option("--within", options->within,
                   "restrict a joint's angles, in degrees, within its limits; repeatable")
      ->type_name("JOINT=LOW,HIGH");
  parser
      ->add_option("--spread", settings.spread_deg,
                   "initial spread of the angles around the given ones (8)")
      ->type_name("DEGREES");
  parser->add_option("--swim-seconds", settings.run_seconds, "how long a candidate swims (10)")
      ->type_name("S");
  parser
      ->add_option("--state", options->state,
                   "file for the state of the search; if it exists, the search continues from it")
      ->type_name("FILE");
  return {parser, [options] { return run_optimise(*options); }};
}

Command make_turns(CLI::App& swim) {
  CLI::App* parser = swim.add_subcommand(
      "turns", "measure how to change a stroke so that it pitches, yaws and rolls");
  parser->fallthrough(false);
  auto options = std::make_shared<SearchOptions>();
  add_subject(*parser, *options);
  return {parser, [options] { return run_turns(*options); }};
}

}  // namespace

std::vector<Command> add_swim_searches(CLI::App& swim) {
  return {make_optimise(swim), make_turns(swim)};
}

}  // namespace supple::app
