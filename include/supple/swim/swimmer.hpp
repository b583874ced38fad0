// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/water.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace supple::swim {

struct StartState {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the pelvis' origin
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< of the pelvis
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  std::vector<double> angles;  ///< of the joints, rad; none: all zero
};

/// The energy balance since the start, in joules; the remainder is what the steps lost or created.
struct Energy {
  double muscles = 0;   ///< work of the servos, both signs
  double effort = 0;    ///< positive work of the servos: the swimmer's effort
  double drag = 0;      ///< work of drag, friction and lift on the body
  double buoyancy = 0;  ///< of buoyancy
  double limits = 0;    ///< of the joint limits
  double kinetic = 0;   ///< now, added mass included
  double kinetic_at_start = 0;
  double potential = 0;  ///< weight, from the start
  /// Numerical: kinetic - kinetic_at_start + potential - (muscles + drag + buoyancy + limits).
  double error = 0;
};

/// The external impulses in a step, N s, world axes. Their sum is the change of momentum().
struct Impulse {
  Eigen::Vector3d drag = Eigen::Vector3d::Zero();  ///< including friction and lift
  Eigen::Vector3d buoyancy = Eigen::Vector3d::Zero();
  Eigen::Vector3d weight = Eigen::Vector3d::Zero();

  [[nodiscard]] Eigen::Vector3d sum() const { return drag + buoyancy + weight; }
};

enum class Stepping {
  /// The plain implicit step: water and inertia at the initial pose, drag and servos at the final
  /// speeds. Twice as fast, but first order: at 30 steps a second the swimmer of [MMY] gets up to
  /// 62 % too far.
  Plain,
  /// A second evaluation at the pose and motion half-way, drag and servos about the middle of the
  /// step; steps longer than 1/60 s are divided.
  Midway
};

/// A body in water. Use from one thread at a time; a copy may run in another thread.
///
/// A step of h seconds solves (M + h (Kd + sum J^T D J) + h^2 Kp) a = f with the derivatives of
/// drag and servos in the matrix, then turns and shifts the whole body so that momentum changes
/// exactly by the impulse of the external forces. The matrix has the tree's sparsity because drag
/// acts segment by segment, so it is summed and factored like the mass matrix.
class Swimmer {
 public:
  [[nodiscard]] static Result<Swimmer> create(Body body, const WaterSettings& water,
                                              const StartState& start = {});
  Swimmer(Swimmer&&) noexcept;
  Swimmer& operator=(Swimmer&&) noexcept;
  Swimmer(const Swimmer&);
  Swimmer& operator=(const Swimmer&);
  ~Swimmer();

  void set_stepping(Stepping stepping);  ///< default: Midway
  /// `targets`: a desired angle per joint. An error (NotConverged) names the step, the joint or
  /// segment and its value when something leaves sane bounds; do not use the swimmer after that.
  [[nodiscard]] Result<void> step(std::span<const double> targets, double seconds);

  [[nodiscard]] const Body& body() const;
  [[nodiscard]] const Water& water() const;
  [[nodiscard]] double time() const;
  [[nodiscard]] std::size_t steps() const;
  [[nodiscard]] std::span<const double> angles() const;   ///< rad, per joint
  [[nodiscard]] std::span<const double> rates() const;    ///< rad/s
  [[nodiscard]] std::span<const double> torques() const;  ///< N m, of the servos in the last step
  [[nodiscard]] SegmentMotion segment(std::size_t index) const;
  /// Of drag, friction and lift on a segment in the last step, world axes, N.
  [[nodiscard]] Eigen::Vector3d force(std::size_t index) const;
  [[nodiscard]] const Impulse& impulse() const;  ///< of the last step
  [[nodiscard]] Eigen::Vector3d centre_of_mass() const;
  [[nodiscard]] Eigen::Vector3d velocity() const;          ///< of the centre of mass
  [[nodiscard]] Eigen::Vector3d momentum() const;          ///< with the added mass
  [[nodiscard]] Eigen::Vector3d angular_momentum() const;  ///< about the centre of mass
  [[nodiscard]] const Energy& energy() const;

 private:
  struct State;
  explicit Swimmer(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace supple::swim
