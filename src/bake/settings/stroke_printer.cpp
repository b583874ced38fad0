// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_stroke.hpp"
#include "supple/core/units.hpp"
#include "supple/settings/fields.hpp"
#include "supple/settings/toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::bake {
namespace {

using settings::toml_quoted;

/// Rounded to a thousandth, so that a printed number reads back and prints the same.
std::string rounded(double value) {
  const double thousandths = std::round(value * 1000);
  return fmt::format("{}", thousandths == 0 ? 0.0 : thousandths / 1000);
}

std::string vector_text(const Eigen::Vector3d& v) {
  return fmt::format("[{}, {}, {}]", rounded(v.x()), rounded(v.y()), rounded(v.z()));
}

/// Joints in the order of the body, each with the text of its value; two sides with the same text
/// in all poses become one entry.
struct AngleNames {
  explicit AngleNames(const swim::Body& body) {
    for (const swim::Joint& joint : body.joints) names.push_back(joint.name);
  }

  std::size_t left_of(std::size_t right) const {
    const std::string left = "left_" + names[right].substr(6);
    return static_cast<std::size_t>(std::ranges::find(names, left) - names.begin());
  }

  /// "shoulder = 40, elbow = 20"
  std::vector<std::string> assignments(const std::vector<double>& angles,
                                       const std::vector<bool>& shown) const {
    std::vector<std::string> list;
    list.reserve(names.size());
    std::vector<bool> done(names.size(), false);
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (!shown[j] || done[j]) continue;
      const std::string text = rounded(angles[j] / kDegree);
      if (names[j].starts_with("right_")) {
        const std::size_t left = left_of(j);
        if (shown[left] && rounded(angles[left] / kDegree) == text) {
          done[left] = true;
          list.push_back(fmt::format("{} = {}", names[j].substr(6), text));
          continue;
        }
      }
      list.push_back(fmt::format("{} = {}", names[j], text));
    }
    return list;
  }

  std::vector<std::string> names;
};

std::string transition_text(const swim::Transition& transition, const swim::PoseGraph& graph) {
  std::string text = "[[pose.transition]]\n";
  switch (transition.on) {
    case swim::Transition::On::Time:
      text += "on = \"time\"\n";
      break;
    case swim::Transition::On::Event:
      text += fmt::format("on = \"event\"\nwhen = {}\n", toml_quoted(transition.when.text()));
      break;
    case swim::Transition::On::Command:
      text += fmt::format("on = \"command\"\ncommand = {}\n", toml_quoted(transition.command));
      break;
  }
  return text + fmt::format("to = {}\n", toml_quoted(graph.poses[transition.to].name));
}

/// Joints that some pose bends.
std::vector<bool> used_joints(const swim::PoseGraph& graph, std::size_t joints) {
  std::vector<bool> used(joints, false);
  for (const swim::Pose& pose : graph.poses) {
    for (std::size_t j = 0; j < joints; ++j) {
      used[j] = used[j] || rounded(pose.angles[j] / kDegree) != "0";
    }
  }
  return used;
}

std::string poses_text(const swim::PoseGraph& graph, const AngleNames& names) {
  const std::vector<bool> used = used_joints(graph, names.names.size());
  std::string text;
  for (const swim::Pose& pose : graph.poses) {
    text += fmt::format("\n[[pose]]\nname = {}\nseconds = {}\n", toml_quoted(pose.name),
                        rounded(pose.duration));
    if (rounded(pose.blend) != "0") text += fmt::format("blend = {}\n", rounded(pose.blend));
    for (const std::string& line : names.assignments(pose.angles, used)) text += line + "\n";
    for (const swim::Transition& transition : pose.transitions) {
      text += transition_text(transition, graph);
    }
  }
  return text;
}

std::string turn_text(const swim::PoseGraph& graph, std::size_t turn, const AngleNames& names) {
  const Eigen::MatrixXd& matrix = graph.perturbations[turn];
  if (matrix.size() == 0) return {};
  std::string text = fmt::format("\n[turn.{}]\nrate = {}  # rad/s about the trunk's x, y, z\n",
                                 swim::turn_name(static_cast<swim::Turn>(turn)),
                                 vector_text(graph.turn_rates[turn]));
  for (std::size_t pose = 0; pose < graph.poses.size(); ++pose) {
    std::vector<double> angles(names.names.size());
    std::vector<bool> shown(names.names.size());
    for (std::size_t j = 0; j < angles.size(); ++j) {
      angles[j] = matrix(static_cast<Eigen::Index>(pose), static_cast<Eigen::Index>(j));
      shown[j] = rounded(angles[j] / kDegree) != "0";
    }
    const auto list = names.assignments(angles, shown);
    if (list.empty()) continue;
    text += fmt::format("{} = {{{}}}\n", graph.poses[pose].name, fmt::join(list, ", "));
  }
  return text;
}

std::string water_text(const swim::WaterSettings& water) {
  const auto& fields = swim::water_fields();
  return settings::print_toml(fields, fields.write_changed(water), settings::Comments::No);
}

std::string start_text(const swim::StartState& start) {
  const Eigen::Matrix3d& axes = start.axes;
  const double pitch = std::atan2(axes(1, 0), axes(0, 0)) / kDegree;
  const double roll = std::atan2(axes(2, 1), axes(2, 2)) / kDegree;
  std::string text;
  if (!start.position.isZero()) text += "position = " + vector_text(start.position) + "\n";
  if (!start.velocity.isZero()) text += "velocity = " + vector_text(start.velocity) + "\n";
  if (rounded(roll) != "0") text += "roll = " + rounded(roll) + "\n";
  if (rounded(pitch) != "0") text += "pitch = " + rounded(pitch) + "\n";
  return text.empty() ? text : "\n[start]\n" + text;
}

}  // namespace

std::string print_swim_stroke(const SwimStroke& stroke) {
  const swim::PoseGraph& graph = stroke.graph;
  swim::BodySettings settings;
  settings.hinges = graph.hinges;
  const AngleNames names(swim::build_body(settings).value());
  std::string text = fmt::format("name = {}\n", toml_quoted(graph.name));
  if (!graph.description.empty()) {
    text += fmt::format("description = {}\n", toml_quoted(graph.description));
  }
  text += fmt::format("hinges = {}\n", names.names.size());
  if (graph.start != 0) {
    text += fmt::format("first = {}\n", toml_quoted(graph.poses[graph.start].name));
  }
  if (stroke.water) text += "\n[water]\n" + water_text(*stroke.water);
  text += start_text(stroke.start);
  text += poses_text(graph, names);
  for (std::size_t i = 0; i < swim::kTurns; ++i) text += turn_text(graph, i, names);
  return text;
}

}  // namespace supple::bake
