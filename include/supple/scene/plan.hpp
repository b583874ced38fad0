// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/scene/stored.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <vector>

namespace supple::scene {

/// What a scene is to reach, a given number of frames from now.
struct Goal {
  std::size_t frames = 0;
  /// Coefficients to be near; none: the scene rests by then.
  std::optional<Eigen::VectorXd> pose = {};
  /// Per second, that of the pose; none: whatever it is.
  std::optional<Eigen::VectorXd> velocity = {};
};

/// What a plan pays beside the squared distance to its goal. Distances are relative to the size of
/// the portrait.
struct PlanSettings {
  Place start;            ///< a state, or at rest as the scene begins
  double blend = 0.1;     ///< for the squared distance of a transition: it is off the samples
  double trigger = 1e-4;  ///< for an entry: none acts that does not help
};

struct PlannedTrigger {
  std::size_t frame = 0;  ///< from now; it acts before this frame passes
  std::size_t entry = 0;
  std::size_t response = 0;  ///< the one of its strength
  double strength = 1;
  double blend = 0;  ///< distance of the transition
};

struct Plan {
  std::vector<PlannedTrigger> triggers;
  double cost = 0;      ///< of all, as predicted
  Place end;            ///< the state at the goal's frame
  bool rests = false;   ///< the scene rests there
  double distance = 0;  ///< from there to the goal
  /// At most so much is left of the offsets of transitions by then: how far a player may be from
  /// the predicted state.
  double left = 0;
};

/// The sequence of entries that comes nearest to a goal: value iteration, backwards in time, over
/// all states and all that may act there. One entry may act before each frame. The state
/// is that of the portrait: offsets of transitions enter by what is left of them at the goal.
///
/// The result is an optimum of its costs; of equal ones it takes the one with later triggers, then
/// that with the smaller numbers. A goal that is too far for the memory of the table is an error.
[[nodiscard]] Result<Plan> plan(const StoredPortrait& stored, const Goal& goal,
                                const PlanSettings& settings = {});

/// What one transition over this distance (relative) costs, by its frames before the goal.
[[nodiscard]] double transition_cost(const StoredPortrait& stored, const PlanSettings& settings,
                                     double distance, std::size_t frames_left);
/// What a state costs at the goal: the squared distance from it; beside it, for rest, 1 while the
/// scene moves.
[[nodiscard]] double goal_cost(const StoredPortrait& stored, const Goal& goal, const Place& place);

}  // namespace supple::scene
