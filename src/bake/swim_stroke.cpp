// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_stroke.hpp"
#include "supple/core/units.hpp"

#include "bake/swim_keys.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <map>
#include <set>

namespace supple::bake {
namespace {

using detail::read_finite;
using detail::read_vector;

constexpr std::size_t kMostPoses = 1000;

/// Reads one file. Poses are read in passes, because transitions name poses that come later.
class StrokeReader {
 public:
  explicit StrokeReader(TomlTable& root) : m_root(&root) {}

  void read(SwimStroke& stroke);

 private:
  void read_hinges();
  void read_names();
  void read_pose(TomlTable& table);
  void read_joint(TomlTable& table, const std::string& key, std::span<const std::size_t> joints,
                  std::vector<double>& angles, std::vector<bool>* given);
  void read_angles(TomlTable& table, std::vector<double>& angles, std::vector<bool>* given);
  void read_transition(TomlTable& table, swim::Pose& pose);
  std::size_t find_pose(TomlTable& table, std::string_view key);
  void check_whole();
  void read_turns();
  void read_turn(TomlTable& table, std::size_t turn);
  void read_start(swim::StartState& start);

  TomlTable* m_root;
  swim::Body m_body;
  /// Joints by the name in files: each its own, and both sides of a pair by the name they share.
  std::map<std::string, std::vector<std::size_t>> m_joints;
  std::vector<std::string> m_names;  ///< of poses
  swim::PoseGraph m_graph;
  std::vector<std::vector<bool>> m_given;  ///< poses x joints
  bool m_limited = true;                   ///< angles must be within the joints' limits
};

std::string_view without_side(std::string_view joint) {
  for (const std::string_view side : {"right_", "left_"}) {
    if (joint.starts_with(side)) return joint.substr(side.size());
  }
  return joint;
}

bool is_bare_key(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

void StrokeReader::read_hinges() {
  int hinges = 24;
  if (m_root->integer("hinges", hinges) && hinges != 14 && hinges != 24) {
    m_root->fail_at("hinges", bad_input(fmt::format("hinges is {}; it must be 14 or 24", hinges)));
    return;
  }
  m_graph.hinges = hinges == 14 ? swim::HingeSet::Paper14 : swim::HingeSet::Human24;
  swim::BodySettings settings;
  settings.hinges = m_graph.hinges;
  auto body = swim::build_body(settings);
  if (!body.ok()) return m_root->fail_at("hinges", std::move(body).error());
  m_body = *std::move(body);
  for (std::size_t j = 0; j < m_body.joints.size(); ++j) {
    const std::string& name = m_body.joints[j].name;
    m_joints[name].push_back(j);
    const std::string both(without_side(name));
    if (both != name) m_joints[both].push_back(j);
  }
}

void StrokeReader::read_names() {
  m_root->require("pose");
  std::set<std::string> names;
  m_root->tables("pose", [&](TomlTable& table) {
    std::string name = fmt::format("pose_{}", m_names.size() + 1);
    table.text("name", name);
    table.all_known();
    if (!is_bare_key(name) || name == "rate") {
      table.fail_at("name", bad_input(fmt::format("a pose has the name '{}'; names are of letters, "
                                                  "digits, _ and -, and 'rate' is taken",
                                                  name)));
    } else if (!names.insert(name).second) {
      table.fail_at(
          "name", bad_input(fmt::format("two poses have the name '{}'; each needs its own", name)));
    } else if (m_names.size() == kMostPoses) {
      table.fail_at("name", bad_input(fmt::format("there are more than {} poses", kMostPoses)));
    }
    m_names.push_back(std::move(name));
  });
}

std::size_t StrokeReader::find_pose(TomlTable& table, std::string_view key) {
  std::string name;
  if (!table.text(key, name)) return 0;
  const auto found = std::ranges::find(m_names, name);
  if (found == m_names.end()) {
    table.fail_at(key,
                  bad_input(fmt::format("there is no pose '{}'{}; there are {}", name,
                                        did_you_mean(name, m_names), fmt::join(m_names, ", "))));
    return 0;
  }
  return static_cast<std::size_t>(found - m_names.begin());
}

void StrokeReader::read_transition(TomlTable& table, swim::Pose& pose) {
  constexpr std::array<std::string_view, 3> kOn{"time", "event", "command"};
  swim::Transition transition;
  table.require("on");
  table.require("to");
  detail::read_word(table, "on", kOn, transition.on);
  transition.to = find_pose(table, "to");
  if (transition.on == swim::Transition::On::Event) {
    table.require("when");
    if (std::string when; table.text("when", when)) {
      auto condition = swim::Condition::parse(when);
      if (!condition.ok()) return table.fail_at("when", std::move(condition).error());
      transition.when = *condition;
    }
  } else if (transition.on == swim::Transition::On::Command) {
    table.require("command");
    if (table.text("command", transition.command) && transition.command.empty()) {
      table.fail_at("command", bad_input("a command needs a name"));
    }
  }
  pose.transitions.push_back(std::move(transition));
}

void StrokeReader::read_joint(TomlTable& table, const std::string& key,
                              std::span<const std::size_t> joints, std::vector<double>& angles,
                              std::vector<bool>* given) {
  double degrees = 0;
  if (!read_finite(table, key, degrees)) return;
  for (const std::size_t joint : joints) {
    if (given != nullptr && (*given)[joint]) {
      return table.fail_at(key, bad_input(fmt::format("{} says {} twice: once with and once "
                                                      "without its side; keep one",
                                                      key, m_body.joints[joint].name)));
    }
    if (given != nullptr) (*given)[joint] = true;
    angles[joint] = degrees * kDegree;
    if (!m_limited) continue;
    if (auto valid = swim::validate_angle(m_body.joints[joint], angles[joint]); !valid.ok()) {
      return table.fail_at(key, std::move(valid).error());
    }
  }
}

void StrokeReader::read_angles(TomlTable& table, std::vector<double>& angles,
                               std::vector<bool>* given) {
  for (const auto& [key, joints] : m_joints) read_joint(table, key, joints, angles, given);
}

void StrokeReader::read_pose(TomlTable& table) {
  swim::Pose pose;
  pose.name = m_names[m_graph.poses.size()];
  pose.angles.assign(m_body.joints.size(), 0);
  table.known({"name"});
  table.require("seconds");
  read_finite(table, "seconds", pose.duration);
  read_finite(table, "blend", pose.blend);
  if (auto valid = pose.validate_times(); table.good() && !valid.ok()) {
    const bool blended = pose.duration > 0;
    table.fail_at(blended ? "blend" : "seconds",
                  std::move(valid).error().during(fmt::format("pose '{}'", pose.name)));
  }
  std::vector<bool> given(m_body.joints.size(), false);
  read_angles(table, pose.angles, &given);
  table.tables("transition", [&](TomlTable& inner) { read_transition(inner, pose); });
  m_graph.poses.push_back(std::move(pose));
  m_given.push_back(std::move(given));
}

/// What can only be said once all poses are known, at the place of the pose.
void StrokeReader::check_whole() {
  const auto lost = m_graph.unreachable_pose();
  std::size_t index = 0;
  m_root->tables("pose", [&](TomlTable& table) {
    table.all_known();
    const std::size_t pose = index++;
    for (std::size_t j = 0; j < m_body.joints.size(); ++j) {
      const auto other = std::ranges::find_if(m_given, [&](const auto& given) { return given[j]; });
      if (m_given[pose][j] || other == m_given.end()) continue;
      return table.fail_at(
          "", bad_input(fmt::format(
                  "pose '{}' says nothing of {}, but pose '{}' does; say it in every pose",
                  m_names[pose], m_body.joints[j].name,
                  m_names[static_cast<std::size_t>(other - m_given.begin())])));
    }
    if (lost && *lost == pose) {
      table.fail_at("",
                    bad_input(fmt::format("no transition leads from the first pose '{}' to pose "
                                          "'{}'; add one or remove it",
                                          m_names[m_graph.start], m_names[pose])));
    }
  });
}

void StrokeReader::read_turn(TomlTable& table, std::size_t turn) {
  read_vector(table, "rate", m_graph.turn_rates[turn]);
  Eigen::MatrixXd& matrix = m_graph.perturbations[turn];
  matrix.setZero(static_cast<Eigen::Index>(m_names.size()),
                 static_cast<Eigen::Index>(m_body.joints.size()));
  for (std::size_t pose = 0; pose < m_names.size(); ++pose) {
    table.table(m_names[pose], "a table of degrees: {right_shoulder = 5, ..}",
                [&](TomlTable& inner) {
                  std::vector<double> angles(m_body.joints.size(), 0);
                  std::vector<bool> given(m_body.joints.size(), false);
                  read_angles(inner, angles, &given);
                  matrix.row(static_cast<Eigen::Index>(pose)) = Eigen::Map<Eigen::RowVectorXd>(
                      angles.data(), static_cast<Eigen::Index>(angles.size()));
                });
  }
}

void StrokeReader::read_turns() {
  m_limited = false;  // they are differences
  m_root->table("turn", "a table: [turn.yaw_left], ..", [&](TomlTable& turns) {
    for (std::size_t i = 0; i < swim::kTurns; ++i) {
      turns.table(swim::turn_name(static_cast<swim::Turn>(i)), "a table of poses",
                  [&](TomlTable& table) { read_turn(table, i); });
    }
  });
}

void StrokeReader::read_start(swim::StartState& start) {
  start.angles = m_graph.poses[m_graph.start].angles;
  m_root->table("start", "a table: [start]", [&](TomlTable& table) {
    double roll = 0;
    double pitch = 0;
    read_vector(table, "position", start.position);
    read_vector(table, "velocity", start.velocity);
    read_finite(table, "roll", roll);
    read_finite(table, "pitch", pitch);
    start.axes = (Eigen::AngleAxisd(pitch * kDegree, Eigen::Vector3d::UnitZ()) *
                  Eigen::AngleAxisd(roll * kDegree, Eigen::Vector3d::UnitX()))
                     .toRotationMatrix();
  });
}

void StrokeReader::read(SwimStroke& stroke) {
  read_hinges();
  m_root->text("name", m_graph.name);
  m_root->text("description", m_graph.description);
  read_names();
  if (!m_root->good()) return;
  if (m_names.empty()) {
    return m_root->fail_at("pose", bad_input("the stroke has no poses; it needs one [[pose]]"));
  }
  m_graph.start = find_pose(*m_root, "first");
  m_root->tables("pose", [&](TomlTable& table) { read_pose(table); });
  if (!m_root->good()) return;
  check_whole();
  read_turns();
  read_start(stroke.start);
  m_root->table("water", "a table: [water]", [&](TomlTable& table) {
    stroke.water = detail::read_still_water(table);
    if (auto valid = stroke.water->validate(); table.good() && !valid.ok()) {
      table.fail_at(detail::culprit(table, valid.error(), detail::read_still_water), valid.error());
    }
  });
  stroke.graph = std::move(m_graph);
  if (!m_root->good()) return;
  if (auto valid = stroke.graph.validate(m_body); !valid.ok()) m_root->fail_at("", valid.error());
}

}  // namespace

Result<SwimStroke> parse_swim_stroke(std::string_view toml, std::string_view name) {
  SwimStroke stroke;
  SUPPLE_TRY_VOID(read_toml(toml, name, [&](TomlTable& root) { StrokeReader(root).read(stroke); }));
  return stroke;
}

}  // namespace supple::bake
