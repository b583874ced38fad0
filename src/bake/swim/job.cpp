// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim.hpp"

#include "bake/warnings.hpp"

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
#include <string_view>

namespace supple::bake {
namespace {

/// Shipped strokes stay below a fifth of it.
constexpr double kDoubtfulEnergy = 0.05;

constexpr std::array<std::string_view, 5> kKinds{".glb", ".gltf", ".bvh", ".csv", ".xml"};

/// `steers`: the stroke can.
Result<std::optional<swim::Course>> load_course(const SwimRequest& request, bool steers) {
  if (!request.course.empty()) {
    SUPPLE_TRY(swim::Course course, load_swim_course(request.course));
    SUPPLE_TRY_VOID(course.validate().during(fmt::format("course '{}'", request.course)));
    return std::optional(std::move(course));
  }
  if (request.targets.empty() && (request.free || !steers)) return std::optional<swim::Course>();
  swim::Course course;
  for (const Eigen::Vector3d& point : request.targets) {
    swim::Target target;
    target.position = point;
    course.targets.push_back(target);
  }
  SUPPLE_TRY_VOID(course.validate());
  return std::optional(std::move(course));
}

Result<void> check_steering(const SwimInput& input) {
  if (!input.course || swim::can_steer(input.swimmer.stroke.graph).ok()) return {};
  return bad_input(
      fmt::format("the stroke '{}' has no perturbations to steer with; find them with 'supple swim "
                  "turns {}' and swim the stroke it writes",
                  input.swimmer.stroke.graph.name, input.title));
}

/// A start position inside an obstacle leaves no way around it.
Result<void> check_start(const SwimInput& input) {
  if (!input.course) return {};
  const Eigen::Vector3d& at = input.swimmer.stroke.start.position;
  for (std::size_t k = 0; k < input.course->obstacles.size(); ++k) {
    const swim::Obstacle& obstacle = input.course->obstacles[k];
    if ((at - obstacle.centre).norm() > obstacle.radius) continue;
    return bad_input(
        fmt::format("the start position ({:g}, {:g}, {:g}) is inside obstacle {} of the course: "
                    "move the obstacle, or change the [start] position in the stroke's file",
                    at.x(), at.y(), at.z(), k + 1));
  }
  return {};
}

/// A mesh differs from the body for which strokes are made: how much slower it is.
Result<void> compare_bodies(const SwimRequest& request, SwimRun& run) {
  const PreparedSwimmer& swimmer = run.input.swimmer;
  if (swimmer.shape.mesh.empty()) return {};
  swim::BodySettings plain = swimmer.shape;
  plain.mesh.clear();
  SUPPLE_TRY(const swim::Body made_for, swim::build_body(plain));
  const auto speed = [&](const swim::Body& body) {
    return swim::straight_speed(body, swimmer.water, swimmer.stroke.graph, swimmer.stroke.start);
  };
  SUPPLE_TRY(const double own, speed(swimmer.body));
  SUPPLE_TRY(const double usual, speed(made_for));
  run.straight_speeds = {own, usual};
  const std::string body =
      request.body_from.empty() ? "--body " + request.body : "--body-from " + request.body_from;
  std::string slower = swim::slower_warning(
      own, usual, fmt::format("supple swim optimise {} {} -o tuned.toml", run.input.title, body));
  if (!slower.empty()) warn(run.warnings, std::move(slower));
  return {};
}

/// What the swim turned out to be, other than planned.
std::vector<std::string> late_warnings(const SwimRun& run) {
  const SwimInput& in = run.input;
  const PreparedSwimmer& swimmer = in.swimmer;
  std::vector<std::string> late{swim::progress_warning(run.report, swimmer.shape.height)};
  late.push_back(swim::obstacle_warning(run.recording, swimmer.body));
  if (in.course && !in.course->targets.empty()) {
    late.push_back(
        swim::course_warning(run.recording, *in.course, swimmer.water, run.report.mean_speed_mps));
  } else {
    late.push_back(swim::current_warning(run.recording, swimmer.water, run.report));
    if (late.back().empty()) {
      late.push_back(swim::drift_warning(run.report, run.recording.duration(),
                                         in.course.has_value(),
                                         swim::can_steer(swimmer.stroke.graph).ok()));
    }
  }
  std::erase(late, std::string());
  return late;
}

/// Makes the files' contents.
class SwimWriter {
 public:
  SwimWriter(const SwimRequest& request, SwimRun& run, OutputSet& output)
      : m_request(request), m_run(run), m_output(output) {}

  Result<void> stage_all() {
    for (const std::string& path : m_request.outputs) {
      SUPPLE_TRY_VOID(stage(path).during(fmt::format("making '{}'", path)));
    }
    return check_interrupt();
  }

 private:
  Result<void> stage(const std::string& path) {
    const std::string kind = lower_extension(path);
    const PreparedSwimmer& swimmer = m_run.input.swimmer;
    if (kind == ".csv") return m_output.stage(path, swim_csv(m_run.recording, swimmer.body));
    if (kind == ".xml") {
      return m_output.stage(path, swim::to_mjcf(swimmer.body, swimmer.stroke.graph.name));
    }
    if (kind == ".bvh") {
      SUPPLE_TRY(const io::Bvh bvh, swim_bvh(m_run.recording, swimmer.body));
      SUPPLE_TRY(const std::string text, io::write_bvh(bvh));
      return m_output.stage(path, text);
    }
    SUPPLE_TRY(const io::GltfAsset asset, make_gltf());
    if (kind == ".gltf") {
      SUPPLE_TRY(const std::string text, io::write_gltf_text(asset));
      return m_output.stage(path, text);
    }
    SUPPLE_TRY(const Bytes glb, io::write_gltf(asset));
    return m_output.stage(path, glb);
  }

  /// The boxes, or the character that replaces them.
  Result<io::GltfAsset> make_gltf() {
    const SwimInput& input = m_run.input;
    const swim::Body& body = input.swimmer.body;
    const std::optional<double>& surface = input.swimmer.water.surface;
    if (!input.character) {
      SwimExportSettings look = m_request.look;
      look.surface = surface;
      return swim_gltf(m_run.recording, body, look);
    }
    CharacterSettings wanted;
    wanted.skeleton = m_request.skeleton;
    SUPPLE_TRY(CharacterSwim swum, swim_character(m_run.recording, body, *input.character,
                                                  input.bone_map, surface, wanted)
                                       .during(fmt::format("character '{}'", m_request.character)));
    for (const std::string& note : swum.notes) {
      log::info("{}", note);
      // The notes are the same for a .glb and a .gltf.
      if (std::ranges::find(m_run.warnings, note) == m_run.warnings.end()) {
        m_run.warnings.push_back(note);
      }
    }
    return std::move(swum.asset);
  }

  const SwimRequest& m_request;
  SwimRun& m_run;
  OutputSet& m_output;
};

}  // namespace

Result<void> check(const SwimRequest& request) {
  for (const std::string& path : request.outputs) {
    const std::string kind = lower_extension(path);
    if (std::ranges::find(kKinds, kind) != kKinds.end()) continue;
    return Error(ErrorCode::Usage, fmt::format("'{}' has an unknown extension; a swim is written "
                                               "as .glb, .gltf, .bvh, .csv or .xml (MJCF)",
                                               path));
  }
  if (!request.course.empty() && !request.targets.empty()) {
    return Error(ErrorCode::Usage,
                 "a course and targets exclude each other; give only one of them");
  }
  if (request.free && !(request.course.empty() && request.targets.empty())) {
    return Error(ErrorCode::Usage, "a free swim is not steered; omit its course and its targets");
  }
  const bool drawn = std::ranges::any_of(request.outputs, [](const std::string& path) {
    return lower_extension(path).starts_with(".gl");
  });
  if (request.look.arrows && !drawn) {
    return Error(ErrorCode::Usage,
                 "arrows are drawn in a .glb or .gltf: add one as an output, or omit the arrows");
  }
  if (!request.character.empty() && !drawn) {
    return Error(
        ErrorCode::Usage,
        "a character swims in a .glb or .gltf: add one as an output, or omit the character");
  }
  if (!request.character.empty() && request.look.arrows) {
    return Error(ErrorCode::Usage,
                 "arrows belong to the segments of the default body, not to a character: give only "
                 "one of them");
  }
  SUPPLE_TRY_VOID(request.look.validate());
  SUPPLE_TRY_VOID(request.run.validate());
  SUPPLE_TRY_VOID(keep_apart(request.inputs(), request.outputs));
  return check_writable(request.outputs);
}

std::vector<std::string> SwimRequest::inputs() const {
  std::vector<std::string> files{body, body_from, water, course, character, bone_map};
  if (stroke.find_first_of("./") != std::string::npos) files.push_back(stroke);
  return files;
}

Result<SwimInput> read_swim(const SwimRequest& request) {
  SwimInput input;
  input.title = request.stroke;
  SwimmerSettings settings;
  settings.body_file = request.body;
  settings.mesh = request.body_from;
  if (!request.body.empty()) {
    SUPPLE_TRY(settings.body, load_swim_body(request.body));
  }
  if (!request.bone_map.empty()) {
    SUPPLE_TRY(const Bytes text, read_file(request.bone_map, kMostTextBytes));
    SUPPLE_TRY(input.bone_map, character::parse_bone_map(as_text(text), request.bone_map));
    settings.bone_map = input.bone_map;
  }
  if (!request.water.empty()) {
    SUPPLE_TRY(settings.water, load_swim_water(request.water));
  }
  SUPPLE_TRY(input.swimmer, prepare_swimmer(request.stroke, settings));
  const PreparedSwimmer& swimmer = input.swimmer;
  input.warnings = swim::body_warnings(swimmer.body, swimmer.water);
  if (std::string dry = swim::surface_warning(swimmer.water); !dry.empty()) {
    input.warnings.push_back(std::move(dry));
  }
  for (const std::string& warning : input.warnings) log::warn("{}", warning);
  SUPPLE_TRY(input.course, load_course(request, swim::can_steer(swimmer.stroke.graph).ok()));
  SUPPLE_TRY_VOID(check_steering(input));
  SUPPLE_TRY_VOID(check_start(input));
  if (!request.character.empty()) {
    SUPPLE_TRY(input.character,
               io::read_gltf(request.character).during("the character must be a .glb or .gltf"));
  }
  return input;
}

Result<SwimRun> run_swim(SwimInput input, const SwimRequest& request, OutputSet& output) {
  SwimRun run;
  run.input = std::move(input);
  Stopwatch watch;
  const SwimInput& in = run.input;
  const PreparedSwimmer& swimmer = in.swimmer;
  const SwimStroke& stroke = swimmer.stroke;
  run.warnings = in.warnings;
  if (in.course) {
    std::string warning =
        swim::steering_warning(stroke.graph, *in.course, stroke.start.position.y());
    if (!warning.empty()) run.warnings.push_back(std::move(warning));
  }
  swim::RunSettings settings = request.run;
  settings.until_round = request.until_round && in.course && !in.course->targets.empty();
  if (settings.until_round) {
    SUPPLE_TRY(settings.seconds, swim::course_seconds(swimmer.body, swimmer.water, stroke.graph,
                                                      stroke.start, *in.course));
    run.seconds.emplace_back("trial", watch.lap());
  }
  SUPPLE_TRY(run.recording,
             swim::record_swim(swimmer.body, swimmer.water, stroke.graph, stroke.start, settings,
                               in.course ? &*in.course : nullptr));
  run.steps = (run.recording.frames.size() - 1) * request.run.steps_per_frame();
  run.swim_seconds = watch.lap();
  run.seconds.emplace_back("swim", run.swim_seconds);
  run.report = swim::report(run.recording, swimmer.body, swimmer.water);
  if (run.report.energy_error > kDoubtfulEnergy) {
    warn(run.warnings,
         fmt::format("the energy error is {:.0f} % of all work, so the results are doubtful; "
                     "shorten the step, or correct an unusual body, water or flow",
                     100 * run.report.energy_error));
  }
  SUPPLE_TRY_VOID(compare_bodies(request, run));
  for (std::string& warning : late_warnings(run)) warn(run.warnings, std::move(warning));
  SUPPLE_TRY_VOID(SwimWriter(request, run, output).stage_all());
  run.seconds.emplace_back("write", watch.lap());
  return run;
}

Result<SwimRun> run_swim(const SwimRequest& request, OutputSet& output) {
  SUPPLE_TRY_VOID(check(request));
  SUPPLE_TRY(SwimInput input, read_swim(request));
  return run_swim(std::move(input), request, output);
}

}  // namespace supple::bake
