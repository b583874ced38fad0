// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/pose_graph.hpp"
#include "supple/swim/swimmer.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <vector>

namespace supple::swim {

/// Axes of the trunk: between those of pelvis and torso, so that the waist turns neither way.
[[nodiscard]] Eigen::Matrix3d trunk_axes(const Swimmer& swimmer);

/// Angular velocity, in the axes of either, that takes `before` to `after` in so many seconds.
[[nodiscard]] Eigen::Vector3d turn_rate(const Eigen::Matrix3d& before, const Eigen::Matrix3d& after,
                                        double seconds);

/// How a swimmer lies, moves and drifts, free of the sway within a cycle, and the k that make it
/// turn as wanted. What the perturbations do not explain (a stroke that is not straight, a current,
/// weight) is learnt as a drift and taken off.
class TurnControl {
 public:
  explicit TurnControl(const PoseGraph& graph);

  /// Once before every step, so many seconds after the last; `turns` are the k of the step past.
  void observe(const Swimmer& swimmer, double seconds, const std::array<double, kTurns>& turns);

  [[nodiscard]] const Eigen::Matrix3d& axes() const { return m_axes; }  ///< of the trunk
  /// The way it goes when it neither slips nor sways, which need not be the trunk's x.
  [[nodiscard]] Eigen::Vector3d forward() const { return m_axes * m_forward; }
  [[nodiscard]] double speed() const { return m_speed; }
  [[nodiscard]] double cycle_seconds() const { return m_cycle; }

  /// Angular velocity about the trunk's axes that takes `forward` towards a direction and the
  /// trunk's y towards `up`, as fast as the stroke can follow without overshoot.
  [[nodiscard]] Eigen::Vector3d rate_towards(const Eigen::Vector3d& direction,
                                             const Eigen::Vector3d& up) const;
  /// The smallest circle to a side: speed over the fastest turn that takes `forward` there.
  [[nodiscard]] double turning_radius(const Eigen::Vector3d& side) const;
  /// The k, each in [0, kMostTurn], whose rates come nearest to a wanted one.
  [[nodiscard]] std::array<double, kTurns> turns_for(const Eigen::Vector3d& rate) const;

 private:
  struct Moment {
    double seconds = 0;  ///< since the one before
    Eigen::Matrix3d axes;
    Eigen::Vector3d velocity;
    Eigen::Vector3d commanded;  ///< rate that the k of the time should give
  };
  void learn(double seconds);

  std::array<Eigen::Vector3d, kTurns> m_rates;
  double m_cycle;
  std::vector<Moment> m_past;  ///< the last cycle with both its ends, a ring
  std::size_t m_newest = 0;
  Eigen::Matrix3d m_axes = Eigen::Matrix3d::Identity();
  Eigen::Vector3d m_forward = Eigen::Vector3d::UnitX();  ///< in the trunk's axes
  Eigen::Vector3d m_drift = Eigen::Vector3d::Zero();     ///< rad/s, learnt
  double m_speed = 0;
};

}  // namespace supple::swim
