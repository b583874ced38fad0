// SPDX-License-Identifier: Apache-2.0
#include "swim_job.hpp"

#include "new_directory.hpp"
#include "output_paths.hpp"
#include "swim_plots.hpp"
#include "usage_error.hpp"

#include "supple/bake/swim_body.hpp"
#include "supple/bake/swim_settings.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/resources.hpp"
#include "supple/io/gltf.hpp"
#include "supple/swim/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace supple::app {
namespace {

/// Shipped strokes stay below a fifth of it.
constexpr double kDoubtfulEnergy = 0.05;

constexpr std::array<std::string_view, 5> kKinds{".glb", ".gltf", ".bvh", ".csv", ".xml"};

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
          fmt::format("--target wants three numbers in metres such as 5,-1,2, not '{}'", text));
    }
    at = next + 1;
  }
  return point;
}

Result<std::optional<swim::Course>> load_course(const SwimRequest& request) {
  if (!request.course.empty()) {
    SUPPLE_TRY(swim::Course course, bake::load_swim_course(request.course));
    SUPPLE_TRY_VOID(course.validate().during(fmt::format("course '{}'", request.course)));
    return std::optional(std::move(course));
  }
  if (request.targets.empty()) return std::optional<swim::Course>();
  swim::Course course;
  for (const std::string& text : request.targets) {
    swim::Target target;
    SUPPLE_TRY(target.position, parse_point(text));
    course.targets.push_back(target);
  }
  SUPPLE_TRY_VOID(course.validate());
  return std::optional(std::move(course));
}

Result<void> check_steering(const SwimInput& input) {
  if (!input.course || swim::can_steer(input.stroke.graph).ok()) return {};
  return bad_input(fmt::format(
      "the stroke '{}' has no perturbations to steer with; find them with 'supple swim turns {} -o "
      "steered.toml' and swim that file",
      input.stroke.graph.name, input.title));
}

/// Nobody can swim around what he is in.
Result<void> check_start(const SwimInput& input) {
  if (!input.course) return {};
  const Eigen::Vector3d& at = input.stroke.start.position;
  for (std::size_t k = 0; k < input.course->obstacles.size(); ++k) {
    const swim::Obstacle& obstacle = input.course->obstacles[k];
    if ((at - obstacle.centre).norm() > obstacle.radius) continue;
    return bad_input(
        fmt::format("the swimmer starts at ({:g}, {:g}, {:g}), inside obstacle {} of the course: "
                    "move the obstacle, or write another [start] position in the stroke's file",
                    at.x(), at.y(), at.z(), k + 1));
  }
  return {};
}

int hinges(swim::HingeSet set) {
  return set == swim::HingeSet::Paper14 ? 14 : 24;
}

void gather_inputs(const SwimRequest& request, std::vector<std::string>& inputs) {
  inputs = {request.body,   request.body_from, request.water,
            request.course, request.character, request.bone_map};
  if (request.stroke.find_first_of("./") != std::string::npos) inputs.push_back(request.stroke);
}

std::vector<std::string> plot_paths(const SwimRequest& request) {
  std::vector<std::string> paths;
  if (request.plots.empty()) return paths;
  for (const char* name : kSwimPlots) {
    paths.push_back((std::filesystem::path(request.plots) / name).string());
  }
  return paths;
}

/// Makes the files' contents and puts all of them in their places together.
class SwimWriter {
 public:
  SwimWriter(const SwimRequest& request, SwimRun& run) : m_request(request), m_run(run) {}

  Result<void> write() {
    for (const std::string& path : m_request.outputs) {
      SUPPLE_TRY_VOID(stage(path).during(fmt::format("making '{}'", path)));
    }
    if (!m_request.plots.empty()) {
      SUPPLE_TRY_VOID(m_directory.make(m_request.plots));
      SUPPLE_TRY_VOID(stage_plots());
    }
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY_VOID(m_output.commit());
    m_directory.keep();
    m_run.files = std::move(m_files);
    return {};
  }

 private:
  Result<void> add(const std::string& path, std::span<const std::byte> bytes) {
    m_files.push_back({path, bytes.size()});
    return m_output.stage(path, bytes);
  }

  Result<void> stage(const std::string& path) {
    const std::string kind = lower_extension(path);
    const SwimInput& input = m_run.input;
    if (kind == ".csv") return add(path, as_bytes(bake::swim_csv(m_run.recording, input.body)));
    if (kind == ".xml") {
      return add(path, as_bytes(swim::to_mjcf(input.body, input.stroke.graph.name)));
    }
    if (kind == ".bvh") {
      SUPPLE_TRY(const io::Bvh bvh, bake::swim_bvh(m_run.recording, input.body));
      SUPPLE_TRY(const std::string text, io::write_bvh(bvh));
      return add(path, as_bytes(text));
    }
    SUPPLE_TRY(const io::GltfAsset asset, make_gltf());
    if (kind == ".gltf") {
      SUPPLE_TRY(const std::string text, io::write_gltf_text(asset));
      return add(path, as_bytes(text));
    }
    SUPPLE_TRY(const Bytes glb, io::write_gltf(asset));
    return add(path, glb);
  }

  /// The boxes, or the character that swims in their place.
  Result<io::GltfAsset> make_gltf() {
    const SwimInput& input = m_run.input;
    if (!input.character) return bake::swim_gltf(m_run.recording, input.body, m_request.look);
    SUPPLE_TRY(bake::CharacterSwim swum,
               bake::swim_character(m_run.recording, input.body, *input.character, input.bone_map)
                   .during(fmt::format("character '{}'", m_request.character)));
    for (const std::string& note : swum.notes) {
      log::info("{}", note);
      // Of a .glb and a .gltf they are the same.
      if (std::ranges::find(m_run.warnings, note) == m_run.warnings.end()) {
        m_run.warnings.push_back(note);
      }
    }
    return std::move(swum.asset);
  }

  Result<void> stage_plots() {
    const std::vector<Canvas> plots = draw_swim_plots(m_run.recording, m_run.input.body);
    const std::vector<std::string> paths = plot_paths(m_request);
    for (std::size_t k = 0; k < plots.size(); ++k) {
      SUPPLE_TRY(const Bytes png, io::write_png(plots[k].to_image(Canvas::Dither::None)));
      SUPPLE_TRY_VOID(add(paths[k], png));
    }
    return {};
  }

  const SwimRequest& m_request;
  SwimRun& m_run;
  NewDirectory m_directory;  // before what is staged in it, which has to go first
  OutputSet m_output;
  std::vector<WrittenFile> m_files;
};

}  // namespace

Result<void> check_request(const SwimRequest& request) {
  for (const std::string& path : request.outputs) {
    const std::string kind = lower_extension(path);
    if (std::ranges::find(kKinds, kind) != kKinds.end()) continue;
    return usage_error(fmt::format(
        "cannot tell what '{}' should be; -o takes .glb, .gltf, .bvh, .csv and .xml (MJCF)", path));
  }
  if (!request.course.empty() && !request.targets.empty()) {
    return usage_error("--course and --target both say where to swim; give one of them");
  }
  const bool drawn = std::ranges::any_of(request.outputs, [](const std::string& path) {
    return lower_extension(path).starts_with(".gl");
  });
  if (request.look.arrows && !drawn) {
    return usage_error("--arrows are drawn in a .glb or .gltf: give -o OUT.glb, or leave them out");
  }
  if (!request.character.empty() && !drawn) {
    return usage_error(
        "--character swims in a .glb or .gltf: give -o OUT.glb, or leave the character out");
  }
  if (!request.character.empty() && request.look.arrows) {
    return usage_error(
        "--arrows belong to the segments of the swimmer, not to a character: give one of them");
  }
  SUPPLE_TRY_VOID(request.look.validate());
  SUPPLE_TRY_VOID(request.run.validate());
  std::vector<std::string> inputs;
  gather_inputs(request, inputs);
  std::vector<std::string> written = plot_paths(request);
  written.insert(written.end(), request.outputs.begin(), request.outputs.end());
  SUPPLE_TRY_VOID(keep_apart(inputs, written));
  NewDirectory attempt;  // goes again with this function
  if (!request.plots.empty()) SUPPLE_TRY_VOID(attempt.make(request.plots));
  return check_writable(written);
}

Result<SwimInput> load_swim(const SwimRequest& request) {
  SwimInput input;
  input.title = request.stroke;
  SUPPLE_TRY(input.stroke, bake::load_swim_stroke(request.stroke));
  input.body_settings.hinges = input.stroke.graph.hinges;
  if (!request.body.empty()) {
    SUPPLE_TRY(input.body_settings, bake::load_swim_body(request.body));
    if (input.body_settings.hinges != input.stroke.graph.hinges) {
      return bad_input(
                 fmt::format("the body has {} hinges and the stroke '{}' is for {}; write hinges = "
                             "{} in the body's file, or choose another stroke",
                             hinges(input.body_settings.hinges), request.stroke,
                             hinges(input.stroke.graph.hinges), hinges(input.stroke.graph.hinges)))
          .at(request.body);
    }
  }
  const std::string where = fmt::format("stroke '{}'", request.stroke);
  if (!request.body_from.empty()) input.body_settings.mesh = request.body_from;
  if (!request.bone_map.empty()) {
    SUPPLE_TRY(const Bytes text, read_plain_file(request.bone_map));
    SUPPLE_TRY(input.bone_map, character::parse_bone_map(as_text(text), request.bone_map));
  }
  SUPPLE_TRY(input.body, bake::build_swim_body(input.body_settings, input.bone_map));
  SUPPLE_TRY_VOID(input.stroke.graph.validate(input.body).during(where));
  input.water = input.stroke.water.value_or(swim::WaterSettings());
  if (!request.water.empty()) {
    SUPPLE_TRY(input.water, bake::load_swim_water(request.water));
  }
  input.warnings = swim::body_warnings(input.body, input.water);
  if (std::string dry = swim::surface_warning(input.water); !dry.empty()) {
    input.warnings.push_back(std::move(dry));
  }
  for (const std::string& warning : input.warnings) log::warn("{}", warning);
  SUPPLE_TRY(input.course, load_course(request));
  SUPPLE_TRY_VOID(check_steering(input));
  SUPPLE_TRY_VOID(check_start(input));
  if (!request.character.empty()) {
    SUPPLE_TRY(input.character,
               io::read_gltf(request.character).during("--character wants a .glb or .gltf"));
  }
  return input;
}

Result<SwimRun> run_swim(SwimInput input, const SwimRequest& request) {
  SwimRun run;
  run.input = std::move(input);
  Stopwatch watch;
  const SwimInput& in = run.input;
  run.warnings = in.warnings;
  if (in.course) {
    std::string warning =
        swim::steering_warning(in.stroke.graph, *in.course, in.stroke.start.position.y());
    if (!warning.empty()) run.warnings.push_back(std::move(warning));
  }
  swim::RunSettings settings = request.run;
  settings.until_round = request.until_round && in.course && !in.course->targets.empty();
  if (settings.until_round) {
    SUPPLE_TRY(settings.seconds, swim::course_seconds(in.body, in.water, in.stroke.graph,
                                                      in.stroke.start, *in.course));
    run.seconds.emplace_back("trial", watch.lap());
  }
  SUPPLE_TRY(run.recording, swim::record_swim(in.body, in.water, in.stroke.graph, in.stroke.start,
                                              settings, in.course ? &*in.course : nullptr));
  run.steps = (run.recording.frames.size() - 1) * request.run.steps_per_frame();
  run.swim_seconds = watch.lap();
  run.seconds.emplace_back("swim", run.swim_seconds);
  run.report = swim::report(run.recording, in.body, in.water);
  if (run.report.energy_error > kDoubtfulEnergy) {
    run.warnings.push_back(fmt::format(
        "the steps lost or made {:.0f} % of all work: figures are doubtful; shorten the "
        "step, or mend a body, water or flow that is out of the ordinary",
        100 * run.report.energy_error));
    log::warn("{}", run.warnings.back());
  }
  std::vector<std::string> late{swim::progress_warning(run.report, in.body_settings.height)};
  if (in.course) late.push_back(swim::course_warning(run.recording, *in.course));
  for (std::string& warning : late) {
    if (warning.empty()) continue;
    log::warn("{}", warning);
    run.warnings.push_back(std::move(warning));
  }
  SUPPLE_TRY_VOID(SwimWriter(request, run).write());
  run.seconds.emplace_back("write", watch.lap());
  return run;
}

}  // namespace supple::app
