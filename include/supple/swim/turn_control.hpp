// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/pose_graph.hpp"
#include "supple/swim/swimmer.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <vector>

namespace supple::swim {

/// Axes of the trunk: half-way between those of pelvis and torso, so that bending the waist has no
/// effect.
[[nodiscard]] Eigen::Matrix3d trunk_axes(const Swimmer& swimmer);

/// Angular velocity, in the axes of either, that takes `before` to `after` in this many seconds.
[[nodiscard]] Eigen::Vector3d turn_rate(const Eigen::Matrix3d& before, const Eigen::Matrix3d& after,
                                        double seconds);

/// The fastest way along a unit direction over ground, for a swimmer in moving water: the velocity
/// through the water whose sum with the current lies on the direction.
struct Crossing {
  /// Through the water, unit; the direction itself if the current is too fast to follow it.
  Eigen::Vector3d heading = Eigen::Vector3d::UnitX();
  /// m/s along the direction, over ground; not positive if the current is too fast. A current
  /// across the direction that is faster than the swimmer counts by its excess.
  double speed = 0;
};
[[nodiscard]] Crossing cross_current(const Eigen::Vector3d& direction,
                                     const Eigen::Vector3d& current, double own_speed);

/// Estimates a swimmer's attitude, motion and drift, without the sway within a cycle, and finds the
/// k that turn it as requested. Effects that the perturbations do not explain (a stroke that is not
/// straight, weight) are learnt as a drift and subtracted; a current is headed into.
class TurnControl {
 public:
  explicit TurnControl(const PoseGraph& graph);

  /// Call once before every step, with the seconds since the last call; `turns` are the k of the
  /// last step.
  void observe(const Swimmer& swimmer, double seconds, const std::array<double, kTurns>& turns);

  [[nodiscard]] const Eigen::Matrix3d& axes() const { return m_axes; }  ///< of the trunk
  /// The direction of travel through the water without slip and sway, which need not be the
  /// trunk's x.
  [[nodiscard]] Eigen::Vector3d forward() const { return m_axes * m_forward; }
  [[nodiscard]] double speed() const { return m_speed; }  ///< through the water, m/s
  [[nodiscard]] double cycle_seconds() const { return m_cycle; }

  /// Angular velocity about the trunk's axes that takes the path over ground towards a direction
  /// and the trunk's y towards `up`, as fast as the stroke can follow without overshoot.
  [[nodiscard]] Eigen::Vector3d rate_towards(const Eigen::Vector3d& direction,
                                             const Eigen::Vector3d& up) const;
  /// Radius of the smallest circle towards a side: speed over the fastest turn that takes `forward`
  /// there.
  [[nodiscard]] double turning_radius(const Eigen::Vector3d& side) const;
  /// The k, each in [0, kMostTurn], whose rates come nearest to the requested one.
  [[nodiscard]] std::array<double, kTurns> turns_for(const Eigen::Vector3d& rate) const;

 private:
  struct Moment {
    double seconds = 0;  ///< since the previous one
    Eigen::Matrix3d axes;
    Eigen::Vector3d velocity;   ///< through the water
    Eigen::Vector3d current;    ///< of the water, at the centre of mass
    Eigen::Vector3d commanded;  ///< rate that the k at that time should give
  };
  void learn(double seconds);

  std::array<Eigen::Vector3d, kTurns> m_rates;
  double m_cycle;
  std::vector<Moment> m_past;  ///< the last cycle including both ends, as a ring buffer
  std::size_t m_newest = 0;
  Eigen::Matrix3d m_axes = Eigen::Matrix3d::Identity();
  Eigen::Vector3d m_forward = Eigen::Vector3d::UnitX();  ///< in the trunk's axes
  Eigen::Vector3d m_drift = Eigen::Vector3d::Zero();     ///< rad/s, learnt
  Eigen::Vector3d m_current = Eigen::Vector3d::Zero();   ///< m/s, mean over a cycle
  double m_speed = 0;
};

}  // namespace supple::swim
