// SPDX-License-Identifier: Apache-2.0
#include "gallery/swim_live_model.hpp"

#include "supple/bake/swimmer.hpp"

#include "supple/core/log.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace supple::gallery {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kUsual = "breaststroke";
constexpr std::size_t kLongestCommand = 200;  // in messages

/// The commands that transitions wait for, each once, in the order of the poses.
std::vector<std::string> commands_of(const swim::PoseGraph& graph) {
  std::vector<std::string> names;
  for (const swim::Pose& pose : graph.poses) {
    for (const swim::Transition& transition : pose.transitions) {
      if (transition.on != swim::Transition::On::Command) continue;
      if (std::find(names.begin(), names.end(), transition.command) == names.end()) {
        names.push_back(transition.command);
      }
    }
  }
  return names;
}

Result<std::unique_ptr<LiveStroke>> prepare(const std::string& name) {
  auto stroke = std::make_unique<LiveStroke>();
  SUPPLE_TRY(bake::PreparedSwimmer swimmer, bake::prepare_swimmer(name));
  stroke->file = std::move(swimmer.stroke);
  stroke->body = std::move(swimmer.body);
  stroke->water = std::move(swimmer.water);
  std::string& title = stroke->file.graph.name;
  if (title.empty()) title = std::filesystem::path(name).stem().string();
  stroke->steers = swim::can_steer(stroke->file.graph).ok();
  stroke->commands = commands_of(stroke->file.graph);
  return stroke;
}

/// Finds the turns of a stroke that is to be steered but has none yet.
Result<void> learn_to_turn(LiveStroke& stroke) {
  log::info("finding how '{}' can turn; 'supple swim turns' saves this in a file",
            stroke.file.graph.name);
  auto found =
      swim::find_perturbations(stroke.file.graph, stroke.body, stroke.water, stroke.file.start);
  if (!found.ok() && found.error().code() == ErrorCode::Interrupted) return found.error();
  if (found.ok()) stroke.file.graph = *std::move(found);
  stroke.steers = swim::can_steer(stroke.file.graph).ok();
  if (!stroke.steers) log::warn("'{}' cannot be steered", stroke.file.graph.name);
  return {};
}

Json describe_stroke(const LiveStroke& stroke) {
  Json json{{"name", stroke.file.graph.name},
            {"description", stroke.file.graph.description},
            {"steers", stroke.steers},
            {"poses", Json::array()},
            {"commands", stroke.commands}};
  for (const swim::Pose& pose : stroke.file.graph.poses) json["poses"].push_back(pose.name);
  return json;
}

}  // namespace

Result<LiveStrokes> LiveStrokes::load(const std::string& stroke) {
  LiveStrokes strokes;
  const std::string wanted = stroke.empty() ? kUsual : stroke;
  std::vector<std::string> names = bake::shipped_strokes();
  if (std::find(names.begin(), names.end(), wanted) == names.end()) {
    names.insert(names.begin(), wanted);
  }
  strokes.list.reserve(names.size());
  for (const std::string& name : names) {
    SUPPLE_TRY(std::unique_ptr<LiveStroke> one, prepare(name));
    // The user's own stroke replaces a built-in one of the same name: pages choose by name.
    if (strokes.find(one->file.graph.name)) continue;
    if (name == wanted) {
      strokes.first = strokes.list.size();
      if (!one->steers) SUPPLE_TRY_VOID(learn_to_turn(*one));
    }
    strokes.list.push_back(std::move(one));
  }
  return strokes;
}

std::optional<std::size_t> LiveStrokes::find(std::string_view name) const {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i]->file.graph.name == name) return i;
  }
  return {};
}

Result<void> LiveStrokes::check_command(std::size_t stroke, std::string_view command) const {
  const auto& known = list[stroke]->commands;
  if (std::find(known.begin(), known.end(), command) != known.end()) return {};
  const std::string& name = list[stroke]->file.graph.name;
  const std::string said(command.substr(0, kLongestCommand));
  if (known.empty()) {
    return bad_input(
        fmt::format("the stroke '{}' has no commands, so '{}' does nothing", name, said));
  }
  return bad_input(fmt::format("the stroke '{}' has no command '{}'{}; available: {}", name, said,
                               did_you_mean(said, known), fmt::join(known, ", ")));
}

std::string LiveStrokes::describe(std::string_view frames) const {
  Json json{{"version", kSwimFrameVersion},
            {"frames", frames},
            {"strokes", Json::array()},
            {"surface", Json::array()},
            {"segments", Json::array()}};
  for (const auto& stroke : list) {
    json["strokes"].push_back(describe_stroke(*stroke));
    json["surface"].push_back(stroke->water.surface ? Json(*stroke->water.surface) : Json());
  }
  for (const swim::Segment& segment : list.front()->body.segments) {
    const Eigen::Vector3d& centre = segment.centre;
    json["segments"].push_back(
        {{"name", segment.name}, {"centre", {centre.x(), centre.y(), centre.z()}}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace supple::gallery
