// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_stroke.hpp"
#include "supple/core/units.hpp"

#include "bake/settings/stroke_file.hpp"

#include "supple/settings/toml.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>

namespace supple::bake {
namespace {

using settings::Entry;
using settings::Value;

std::string_view without_side(std::string_view joint) {
  for (const std::string_view side : {"right_", "left_"}) {
    if (joint.starts_with(side)) return joint.substr(side.size());
  }
  return joint;
}

/// Joints by their names in files: each by its own name, and both sides of a pair by their shared
/// name.
using JointNames = std::map<std::string, std::vector<std::size_t>, std::less<>>;

JointNames name_joints(const swim::Body& body) {
  JointNames names;
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const std::string& name = body.joints[j].name;
    names[name].push_back(j);
    const std::string both(without_side(name));
    if (both != name) names[both].push_back(j);
  }
  return names;
}

/// The angles of joints, and which of them a table contains.
struct Angles {
  explicit Angles(std::size_t joints) : radians(joints, 0.0), given(joints, false) {}

  std::vector<double> radians;
  std::vector<bool> given;
};

/// Turns the text into a stroke, with checks that need the body and the other poses.
class StrokeMaker {
 public:
  StrokeMaker(const Value& document, std::string_view file, const detail::StrokeText& text,
              swim::Body body)
      : m_document(&document),
        m_file(file),
        m_text(&text),
        m_body(std::move(body)),
        m_joints(name_joints(m_body)) {}

  Result<SwimStroke> make();

 private:
  /// At a place in the file, or its nearest existing parent.
  [[nodiscard]] Error wrong(std::string_view path, std::string why) const {
    return settings::error_at(settings::locate(*m_document, path).begin, m_file,
                              bad_input(std::move(why)));
  }
  [[nodiscard]] std::size_t find_pose(std::string_view name) const;
  Result<void> read_joint(const Entry& entry, const std::string& path, bool limited,
                          Angles& angles) const;
  Result<Angles> read_angles(const Value& table, const std::string& path,
                             const settings::FieldList& others, bool limited) const;
  Result<swim::Transition> make_transition(const detail::TransitionText& text) const;
  Result<void> make_poses();
  Result<void> check_whole() const;
  Result<void> make_turn(const Entry& entry);
  Result<void> make_turns();
  [[nodiscard]] swim::StartState make_start() const;

  const Value* m_document;
  std::string_view m_file;
  const detail::StrokeText* m_text;
  swim::Body m_body;
  JointNames m_joints;
  swim::PoseGraph m_graph;
  std::vector<std::vector<bool>> m_given;  ///< poses x joints
};

std::size_t StrokeMaker::find_pose(std::string_view name) const {
  const auto found =
      std::ranges::find(m_text->poses, name, [](const detail::PoseText& p) { return p.pose.name; });
  return static_cast<std::size_t>(found - m_text->poses.begin());
}

Result<void> StrokeMaker::read_joint(const Entry& entry, const std::string& path, bool limited,
                                     Angles& angles) const {
  const Value& value = entry.value;
  const auto* whole = std::get_if<std::int64_t>(&value.data);
  const auto* number = std::get_if<double>(&value.data);
  if (whole == nullptr && number == nullptr) {
    return settings::wrong_type(value, settings::join_path(path, entry.key), m_file, "a number");
  }
  const double degrees = whole != nullptr ? static_cast<double>(*whole) : *number;
  const auto fail = [&](const Error& error) {
    return settings::error_at(value.begin, m_file, error);
  };
  if (!std::isfinite(degrees)) {
    return fail(bad_input(
        fmt::format("{} is {}; it must be a finite number of degrees", entry.key, degrees)));
  }
  for (const std::size_t joint : m_joints.find(entry.key)->second) {
    if (angles.given[joint]) {
      return fail(bad_input(fmt::format("{} is given twice, with and without its side; keep one",
                                        m_body.joints[joint].name)));
    }
    angles.given[joint] = true;
    angles.radians[joint] = degrees * kDegree;
    if (!limited) continue;
    if (auto valid = swim::validate_angle(m_body.joints[joint], angles.radians[joint]);
        !valid.ok()) {
      return fail(std::move(valid).error());
    }
  }
  return {};
}

Result<Angles> StrokeMaker::read_angles(const Value& table, const std::string& path,
                                        const settings::FieldList& others, bool limited) const {
  Angles angles(m_body.joints.size());
  for (const Entry& entry : *table.table()) {
    if (others.find(entry.key) != nullptr) continue;
    if (!m_joints.contains(entry.key)) {
      std::vector<std::string> known = others.keys();
      for (const auto& [name, joints] : m_joints) known.push_back(name);
      return settings::unknown_key(entry, path, m_file, known);
    }
    SUPPLE_TRY_VOID(read_joint(entry, path, limited, angles));
  }
  return angles;
}

Result<swim::Transition> StrokeMaker::make_transition(const detail::TransitionText& text) const {
  swim::Transition transition;
  transition.on = text.on;
  transition.command = text.command;
  transition.to = find_pose(text.to);
  if (!text.when.empty()) {
    SUPPLE_TRY(transition.when, swim::Condition::parse(text.when));
  }
  return transition;
}

Result<void> StrokeMaker::make_poses() {
  for (std::size_t i = 0; i < m_text->poses.size(); ++i) {
    const detail::PoseText& text = m_text->poses[i];
    const std::string path = fmt::format("pose[{}]", i + 1);
    swim::Pose pose = text.pose;
    SUPPLE_TRY(Angles angles, read_angles(settings::locate(*m_document, path), path,
                                          detail::pose_text_fields(), true));
    pose.angles = std::move(angles.radians);
    m_given.push_back(std::move(angles.given));
    for (const detail::TransitionText& transition : text.transitions) {
      SUPPLE_TRY(swim::Transition made, make_transition(transition));
      pose.transitions.push_back(std::move(made));
    }
    m_graph.poses.push_back(std::move(pose));
  }
  return {};
}

/// Checks that need all poses; errors name the place of the pose.
Result<void> StrokeMaker::check_whole() const {
  const auto lost = m_graph.unreachable_pose();
  for (std::size_t i = 0; i < m_graph.poses.size(); ++i) {
    const std::string path = fmt::format("pose[{}]", i + 1);
    for (std::size_t j = 0; j < m_body.joints.size(); ++j) {
      const auto other = std::ranges::find_if(m_given, [&](const auto& given) { return given[j]; });
      if (m_given[i][j] || other == m_given.end()) continue;
      const auto naming = static_cast<std::size_t>(other - m_given.begin());
      return wrong(
          path,
          fmt::format("pose '{}' does not give {}, but pose '{}' does; give it in every pose",
                      m_graph.poses[i].name, m_body.joints[j].name, m_graph.poses[naming].name));
    }
    if (lost && *lost == i) {
      return wrong(path, fmt::format("no transition leads from the first pose '{}' to pose '{}'; "
                                     "add one or remove it",
                                     m_graph.poses[m_graph.start].name, m_graph.poses[i].name));
    }
  }
  return {};
}

/// [turn.yaw_left]: differences of angles, which have no limits.
Result<void> StrokeMaker::make_turn(const Entry& entry) {
  const std::string path = settings::join_path("turn", entry.key);
  std::size_t turn = 0;
  while (swim::turn_name(static_cast<swim::Turn>(turn)) != entry.key) ++turn;
  if (entry.value.table() == nullptr) {
    return settings::wrong_type(entry.value, path, m_file, "a table of poses");
  }
  detail::TurnText text;
  SUPPLE_TRY_VOID(detail::turn_fields().read(entry.value, m_file, text, path));
  m_graph.turn_rates[turn] = text.rate;
  Eigen::MatrixXd& matrix = m_graph.perturbations[turn];
  matrix.setZero(static_cast<Eigen::Index>(m_graph.poses.size()),
                 static_cast<Eigen::Index>(m_body.joints.size()));
  std::vector<std::string> known = detail::turn_fields().keys();
  for (const swim::Pose& pose : m_graph.poses) known.push_back(pose.name);
  for (const Entry& inner : *entry.value.table()) {
    if (detail::turn_fields().find(inner.key) != nullptr) continue;
    const std::size_t pose = find_pose(inner.key);
    if (pose == m_graph.poses.size()) return settings::unknown_key(inner, path, m_file, known);
    const std::string inner_path = settings::join_path(path, inner.key);
    if (inner.value.table() == nullptr) {
      return settings::wrong_type(inner.value, inner_path, m_file,
                                  "a table of degrees: {right_shoulder = 5, ..}");
    }
    SUPPLE_TRY(const Angles angles, read_angles(inner.value, inner_path, {}, false));
    matrix.row(static_cast<Eigen::Index>(pose)) = Eigen::Map<const Eigen::RowVectorXd>(
        angles.radians.data(), static_cast<Eigen::Index>(angles.radians.size()));
  }
  return {};
}

Result<void> StrokeMaker::make_turns() {
  const Entry* turns = m_document->find("turn");
  if (turns == nullptr) return {};
  std::vector<std::string> known;
  for (std::size_t i = 0; i < swim::kTurns; ++i) {
    known.emplace_back(swim::turn_name(static_cast<swim::Turn>(i)));
  }
  for (const Entry& entry : *turns->value.table()) {
    if (std::ranges::find(known, entry.key) == known.end()) {
      return settings::unknown_key(entry, "turn", m_file, known);
    }
    SUPPLE_TRY_VOID(make_turn(entry));
  }
  return {};
}

swim::StartState StrokeMaker::make_start() const {
  const detail::StartText& text = m_text->start;
  swim::StartState start;
  start.position = text.position;
  start.velocity = text.velocity;
  start.angles = m_graph.poses[m_graph.start].angles;
  start.axes = (Eigen::AngleAxisd(text.pitch * kDegree, Eigen::Vector3d::UnitZ()) *
                Eigen::AngleAxisd(text.roll * kDegree, Eigen::Vector3d::UnitX()))
                   .toRotationMatrix();
  return start;
}

Result<SwimStroke> StrokeMaker::make() {
  m_graph.hinges = m_text->hinges;
  m_graph.name = m_text->name;
  m_graph.description = m_text->description;
  m_graph.start = m_text->first.empty() ? 0 : find_pose(m_text->first);
  SUPPLE_TRY_VOID(make_poses());
  SUPPLE_TRY_VOID(check_whole());
  SUPPLE_TRY_VOID(make_turns());
  SwimStroke stroke;
  stroke.start = make_start();
  stroke.water = m_text->water;
  stroke.graph = std::move(m_graph);
  if (auto valid = stroke.graph.validate(m_body); !valid.ok()) {
    return settings::error_at(m_document->begin, m_file, std::move(valid).error());
  }
  return stroke;
}

}  // namespace

Result<SwimStroke> parse_swim_stroke(std::string_view toml, std::string_view name) {
  SUPPLE_TRY(const Value document, settings::parse_toml(toml, name));
  detail::StrokeText text;
  SUPPLE_TRY_VOID(detail::stroke_fields().read(document, name, text));
  swim::BodySettings settings;
  settings.hinges = text.hinges;
  SUPPLE_TRY(swim::Body body, swim::build_body(settings));
  return StrokeMaker(document, name, text, std::move(body)).make();
}

}  // namespace supple::bake
