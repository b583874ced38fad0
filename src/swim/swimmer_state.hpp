// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/swimmer.hpp"
#include "swim/spatial_tree.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace supple::swim {

/// Degrees of freedom before those of joints.
inline constexpr int kRoot = 6;

/// Momentum of the segments and of the water they carry along.
struct Momentum {
  Vector6d value = Vector6d::Zero();  ///< about `centre`
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();

  [[nodiscard]] Vector6d about(const Eigen::Vector3d& point) const;
};

/// The torque at a joint within a step, as a linear function of the joint's acceleration.
struct TorqueLine {
  double value = 0;
  double slope = 0;
  [[nodiscard]] double at(double acceleration) const { return value - slope * acceleration; }
};

/// Vectors and matrices per body are indexed by MuJoCo's body numbers, where 0 is the world, and
/// use the common frame of SpatialTree.
struct Swimmer::State {
  Body body;
  Water water;
  std::shared_ptr<const mjModel> model;
  MujocoData data;
  double time = 0;
  std::size_t steps = 0;
  Stepping stepping = Stepping::Midway;
  Energy energy;
  std::vector<double> torques;          // of servos, mean of the last step
  std::vector<Eigen::Vector3d> forces;  // of the water on segments, likewise
  Impulse impulse;                      // of outer forces in the last step

  // The present moment.
  std::vector<Vector6d> motion;
  std::vector<Matrix6d> inertia;  // added mass included
  std::vector<Matrix6d> added;    // the added mass alone; empty without it
  std::vector<Vector6d> stream;   // the water's own motion at the bodies; empty without flow
  Momentum momentum;
  std::string flow_fault;  // the first place where the flow was not finite

  // Room for one step.
  std::vector<TorqueLine> servo, muscle, limit;  // muscle: the servo, limited
  std::vector<Vector6d> drag, buoyancy, weight, pushing, acceleration, motion_before;
  std::vector<Matrix6d> frame, damping, composite;
  std::vector<double> mean_torques;
  std::vector<Eigen::Vector3d> mean_forces;
  std::vector<double> system, bias, pushed, right, solution;
  std::vector<double> guess;  // accelerations implied by the present motion
  std::vector<double> places_before, rates_before, mean_rates;

  State(Body body, Water water, std::shared_ptr<const mjModel> model);
  State(const State& other);
  State& operator=(const State&) = delete;
  ~State() = default;

  [[nodiscard]] SpatialTree tree() const { return {*model, *data}; }
  [[nodiscard]] SegmentMotion segment(std::size_t index) const;
  [[nodiscard]] Eigen::Vector3d velocity() const;  // of the centre of mass
  /// Call after a change of positions, then after a change of rates.
  void refresh_places();
  void refresh_motion();
  [[nodiscard]] Result<void> step(std::span<const double> targets, double seconds);

 private:
  [[nodiscard]] double theta() const;
  void step_once(std::span<const double> targets, double h);
  [[nodiscard]] Momentum momentum_now() const;
  [[nodiscard]] Eigen::Vector3d carried_moment() const;
  [[nodiscard]] double kinetic() const;
  void gather_water(double h);
  void gather_torques(std::span<const double> targets, double h);
  void gather_system(double h);
  void solve();
  bool cut_torques();
  /// The sum of the external impulses during the step, about the initial centre of mass; also
  /// stored in `impulse`.
  [[nodiscard]] Vector6d settle_forces(double h);
  /// The accelerations of a step from the present pose and rates, into `solution`.
  void accelerate(double h);
  void place(const double* rates, double seconds);
  void restore_centre(const Momentum& wanted, const Eigen::Vector3d& velocity_before, double h);
  void restore_momentum(const Momentum& wanted);
  void account_for_work(double h, const Eigen::Vector3d& centre,
                        const Eigen::Vector3d& centre_before);
  [[nodiscard]] Result<void> check_sane() const;
};

}  // namespace supple::swim
