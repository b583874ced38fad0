// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/swimmer.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::swim {

/// "speed < 0.4": a quantity of the swimmer, compared with a number.
struct Condition {
  enum class Of {
    Speed,  ///< of the centre of mass, m/s
    Depth,  ///< of the centre of mass below the surface, or below y = 0 without one, m
    Pitch,  ///< of the pelvis, head up, degrees
    Roll,   ///< of the pelvis, right hand down, degrees
    Error   ///< the largest distance of a joint from its target, degrees
  };
  Of of = Of::Speed;
  bool above = false;  ///< ">"; otherwise "<"
  double than = 0;

  /// The error lists the valid quantities and the syntax.
  [[nodiscard]] static Result<Condition> parse(std::string_view text);
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool holds(const Swimmer& swimmer, const std::vector<double>& targets) const;
};

/// Leaves a pose: when its time is over, when a condition holds, or on command.
struct Transition {
  enum class On { Time, Event, Command };
  On on = On::Time;
  Condition when;       ///< Event
  std::string command;  ///< Command: its name
  std::size_t to = 0;
};

/// An angle beyond the joint's limits is an error that states them, in degrees.
[[nodiscard]] Result<void> validate_angle(const Joint& joint, double angle);

/// Desired angles and their duration.
struct Pose {
  std::string name;
  std::vector<double> angles;  ///< rad, per joint of the body
  double duration = 0;         ///< s
  double blend = 0;            ///< s over which targets move here from the pose before; 0: at once
  /// The first that applies is taken. Without one on time, the next pose follows, and the first
  /// after the last.
  std::vector<Transition> transitions;

  [[nodiscard]] Result<void> validate_times() const;
};

/// Name and times of a [[pose]] in a stroke's file: keys, ranges and descriptions.
[[nodiscard]] const settings::Fields<Pose>& pose_fields();

/// The ways in which a stroke can be perturbed so that the swimmer turns; [MMY section 4.2].
enum class Turn { PitchUp, PitchDown, YawLeft, YawRight, RollLeft, RollRight };
inline constexpr std::size_t kTurns = 6;
inline constexpr double kMostTurn = 2;                ///< k of [MMY] is in [0, 2]
[[nodiscard]] std::string_view turn_name(Turn turn);  ///< "pitch_up", ...

/// Zeros, because Eigen leaves vectors uninitialised.
[[nodiscard]] inline std::array<Eigen::Vector3d, kTurns> no_rates() {
  std::array<Eigen::Vector3d, kTurns> rates;
  rates.fill(Eigen::Vector3d::Zero());
  return rates;
}

/// [MMY]'s pose control graph: one stroke for one set of hinges.
struct PoseGraph {
  std::string name;
  std::string description;
  HingeSet hinges = HingeSet::Human24;
  std::vector<Pose> poses;
  std::size_t start = 0;
  /// Poses x joints each, radians to add for k = 1; empty matrices: not found yet.
  std::array<Eigen::MatrixXd, kTurns> perturbations;
  /// Angular velocity of the trunk that k = 1 gives, about its own x (roll right), y (yaw left) and
  /// z (pitch up), rad/s, as measured when the perturbations were found.
  std::array<Eigen::Vector3d, kTurns> turn_rates = no_rates();

  /// Checks the graph against the body: angles within the joints' limits, durations, transitions,
  /// reachability.
  [[nodiscard]] Result<void> validate(const Body& body) const;
  [[nodiscard]] std::optional<std::size_t> unreachable_pose() const;
  [[nodiscard]] std::size_t next_on_time(std::size_t pose) const;
  /// The poses that repeat when only time passes; poses that merely lead to them are not included.
  [[nodiscard]] std::vector<std::size_t> cycle() const;
  [[nodiscard]] double cycle_seconds() const;
};

/// Walks through a graph.
class PoseController {
 public:
  explicit PoseController(const PoseGraph& graph);  ///< keeps a reference

  /// The targets for the next step of `seconds`, evaluated at its middle; `turns` are the k of
  /// every perturbation. Targets stay within the joints' limits.
  const std::vector<double>& advance(const Swimmer& swimmer, double seconds,
                                     const std::array<double, kTurns>& turns = {});
  /// For transitions on command; remembered until a transition accepts it or the pose ends.
  void command(std::string_view name);
  [[nodiscard]] std::size_t pose() const { return m_pose; }
  /// Number of returns to the first pose of the cycle.
  [[nodiscard]] std::size_t cycles() const { return m_cycles; }

 private:
  [[nodiscard]] std::optional<std::size_t> called_away(const Swimmer& swimmer);
  void enter(std::size_t pose);
  void set_targets(const Body& body, const std::array<double, kTurns>& turns);

  const PoseGraph* m_graph;
  std::size_t m_pose = 0;
  std::size_t m_cycles = 0;
  std::size_t m_cycle_start = 0;
  bool m_in_cycle = false;
  double m_elapsed = 0;
  std::vector<double> m_from;     ///< targets when the pose was entered
  std::vector<double> m_targets;  ///< empty before the first step
  std::vector<std::string> m_commands;
};

}  // namespace supple::swim
