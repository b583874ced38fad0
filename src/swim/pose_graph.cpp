// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/pose_graph.hpp"
#include "supple/core/units.hpp"
#include "supple/settings/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace supple::swim {
namespace {

/// Angles come from files in degrees: an angle at its limit may be beyond it by rounding.
constexpr double kAngleSlack = 1e-6;
/// Dozens of poses shorter than this would pass within one step.
constexpr double kShortestPose = 1e-3;

Result<void> check_angles(const Pose& pose, const Body& body) {
  if (pose.angles.size() != body.joints.size()) {
    return bad_input(fmt::format(
        "it has {} angles, but the body has {} joints; use a body with the stroke's hinges",
        pose.angles.size(), body.joints.size()));
  }
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    SUPPLE_TRY_VOID(validate_angle(body.joints[j], pose.angles[j]));
  }
  return {};
}

Result<void> check_transitions(const Pose& pose, const std::vector<Pose>& poses) {
  for (const Transition& transition : pose.transitions) {
    if (transition.to >= poses.size()) {
      return bad_input(fmt::format("a transition goes to pose number {}; the stroke has {} poses",
                                   transition.to + 1, poses.size()));
    }
    if (transition.on == Transition::On::Command && transition.command.empty()) {
      return bad_input("a transition on command lacks the name of the command");
    }
    if (transition.on == Transition::On::Event && !std::isfinite(transition.when.than)) {
      return bad_input("a transition on an event compares with a number that is not finite");
    }
  }
  return {};
}

Result<void> check_pose(const Pose& pose, const PoseGraph& graph, const Body& body) {
  SUPPLE_TRY_VOID(check_angles(pose, body));
  SUPPLE_TRY_VOID(pose.validate_times());
  return check_transitions(pose, graph.poses);
}

/// Regardless of the conditions of the transitions.
std::vector<bool> reachable_poses(const PoseGraph& graph) {
  std::vector<bool> reached(graph.poses.size(), false);
  std::vector<std::size_t> open{graph.start};
  reached[graph.start] = true;
  const auto visit = [&](std::size_t pose) {
    if (reached[pose]) return;
    reached[pose] = true;
    open.push_back(pose);
  };
  while (!open.empty()) {
    const std::size_t pose = open.back();
    open.pop_back();
    visit(graph.next_on_time(pose));
    for (const Transition& transition : graph.poses[pose].transitions) {
      if (transition.on != Transition::On::Time) visit(transition.to);
    }
  }
  return reached;
}

Result<void> check_perturbations(const PoseGraph& graph, const Body& body) {
  const auto poses = static_cast<Eigen::Index>(graph.poses.size());
  const auto joints = static_cast<Eigen::Index>(body.joints.size());
  for (std::size_t i = 0; i < kTurns; ++i) {
    const Eigen::MatrixXd& matrix = graph.perturbations[i];
    const std::string_view name = turn_name(static_cast<Turn>(i));
    if (matrix.size() > 0 && (matrix.rows() != poses || matrix.cols() != joints)) {
      return bad_input(fmt::format("turn {} has {} poses and {} joints; the stroke has {} and {}",
                                   name, matrix.rows(), matrix.cols(), poses, joints));
    }
    if (!matrix.allFinite() || !graph.turn_rates[i].allFinite()) {
      return bad_input(fmt::format("turn {} has numbers that are not finite", name));
    }
  }
  return {};
}

}  // namespace

std::string_view turn_name(Turn turn) {
  constexpr std::array<std::string_view, kTurns> kNames{"pitch_up",  "pitch_down", "yaw_left",
                                                        "yaw_right", "roll_left",  "roll_right"};
  return kNames[static_cast<std::size_t>(turn)];
}

Result<void> validate_angle(const Joint& joint, double angle) {
  if (angle >= joint.low - kAngleSlack && angle <= joint.high + kAngleSlack) return {};
  return bad_input(fmt::format("{} is {:.4g} degrees; its limits are {:.4g} and {:.4g}", joint.name,
                               angle * kDegreesPerRadian, joint.low * kDegreesPerRadian,
                               joint.high * kDegreesPerRadian));
}

const settings::Fields<Pose>& pose_fields() {
  using settings::field;
  using settings::from;
  static const settings::Fields<Pose> fields =
      settings::Fields<Pose>{
          field<&Pose::name>("name", "what transitions call it").default_is("pose_1, pose_2, ..."),
          field<&Pose::duration>("seconds", "how long it is held")
              .in("s")
              .range(from(kShortestPose))
              .must_be_given(),
          field<&Pose::blend>("blend", "over which the joints move here from the pose before")
              .in("s")
              .range(from(0)),
      }
          .rule([](const Pose& pose) -> std::optional<settings::Complaint> {
            if (pose.blend <= pose.duration) return {};
            return settings::Complaint{
                fmt::format("blend is {}, longer than the {} seconds that the pose is held",
                            pose.blend, pose.duration),
                {"blend"}};
          });
  return fields;
}

Result<void> Pose::validate_times() const {
  return pose_fields().check(*this);
}

Result<void> PoseGraph::validate(const Body& body) const {
  const auto check = [&]() -> Result<void> {
    if (poses.empty()) return bad_input("it has no poses; it needs at least one [[pose]]");
    if (start >= poses.size()) {
      return bad_input(
          fmt::format("it starts at pose number {}, but has {}", start + 1, poses.size()));
    }
    std::set<std::string_view> names;
    for (const Pose& pose : poses) {
      SUPPLE_TRY_VOID(check_pose(pose, *this, body).during(fmt::format("pose '{}'", pose.name)));
      if (!names.insert(pose.name).second) {
        return bad_input(fmt::format("two poses have the name '{}'; give each its own", pose.name));
      }
    }
    if (const auto lost = unreachable_pose()) {
      return bad_input(
          fmt::format("no transition leads from the start '{}' to pose '{}'; add one or remove it",
                      poses[start].name, poses[*lost].name));
    }
    return check_perturbations(*this, body);
  };
  return check().during(fmt::format("stroke '{}'", name));
}

std::optional<std::size_t> PoseGraph::unreachable_pose() const {
  const std::vector<bool> reached = reachable_poses(*this);
  const auto lost = std::ranges::find(reached, false);
  if (lost == reached.end()) return std::nullopt;
  return static_cast<std::size_t>(lost - reached.begin());
}

std::size_t PoseGraph::next_on_time(std::size_t pose) const {
  for (const Transition& transition : poses[pose].transitions) {
    if (transition.on == Transition::On::Time) return transition.to;
  }
  return pose + 1 < poses.size() ? pose + 1 : 0;
}

std::vector<std::size_t> PoseGraph::cycle() const {
  std::vector<std::size_t> path;
  if (poses.empty()) return path;
  path.reserve(poses.size());
  for (std::size_t pose = start;; pose = next_on_time(pose)) {
    const auto seen = std::ranges::find(path, pose);
    if (seen != path.end()) return {seen, path.end()};
    path.push_back(pose);
  }
}

double PoseGraph::cycle_seconds() const {
  double sum = 0;
  for (const std::size_t pose : cycle()) sum += poses[pose].duration;
  return sum;
}

}  // namespace supple::swim
