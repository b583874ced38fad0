// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/swimmer.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace supple::swim {

/// Leaves a pose: when its time is over, when something is so, or when somebody says so.
struct Transition {
  enum class On { Time, Event, Command };
  On on = On::Time;
  /// Event: a condition such as "speed < 0.4", of speed, depth, pitch, roll, error (the largest
  /// distance of a joint from its target, degrees); Command: its name.
  std::string what;
  std::size_t to = 0;
};

/// Desired angles and how long they are held.
struct Pose {
  std::string name;
  std::vector<double> angles;  ///< rad, per joint of the body
  double duration = 0;         ///< s
  double blend = 0;            ///< s over which targets move here from the pose before; 0: at once
  std::vector<Transition> transitions;  ///< none: on time to the next pose, the last to the first
};

/// The ways a stroke can be bent so that the swimmer turns; [MMY section 4.2].
enum class Turn { PitchUp, PitchDown, YawLeft, YawRight, RollLeft, RollRight };
inline constexpr std::size_t kTurns = 6;
inline constexpr double kMostTurn = 2;                ///< k of [MMY] is in [0, 2]
[[nodiscard]] std::string_view turn_name(Turn turn);  ///< "pitch_up", ...

/// [MMY]'s pose control graph, of one stroke for one set of hinges.
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
  std::array<Eigen::Vector3d, kTurns> turn_rates{};

  /// Against the body: angles within the joints' limits, durations, transitions, reachability.
  [[nodiscard]] Result<void> validate(const Body& body) const;
  [[nodiscard]] double cycle_seconds() const;  ///< of the poses that follow the start on time
};

/// Walks through a graph.
class PoseController {
 public:
  explicit PoseController(const PoseGraph& graph);  ///< keeps a reference

  /// The targets for the next step of so many seconds; `turns` are the k of every perturbation.
  const std::vector<double>& advance(const Swimmer& swimmer, double seconds,
                                     const std::array<double, kTurns>& turns = {});
  /// For transitions on command; remembered until one listens or the pose is left.
  void command(std::string_view name);
  [[nodiscard]] std::size_t pose() const { return m_pose; }
  [[nodiscard]] std::size_t cycles() const {
    return m_cycles;
  }  ///< times it came back to the start

 private:
  const PoseGraph* m_graph;
  std::size_t m_pose = 0;
  std::size_t m_cycles = 0;
  double m_elapsed = 0;
  std::vector<double> m_from;
  std::vector<double> m_targets;
  std::vector<std::string> m_commands;
};

}  // namespace supple::swim
