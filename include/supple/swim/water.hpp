// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"

#include <Eigen/Core>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace supple::swim {

/// The water's own motion. May be called from several threads at once.
class FlowField {
 public:
  virtual ~FlowField() = default;
  [[nodiscard]] virtual Eigen::Vector3d velocity(const Eigen::Vector3d& at, double time) const = 0;
  /// Height of the surface above its rest level at the x and z of a point.
  [[nodiscard]] virtual double surface_rise(const Eigen::Vector3d& /*at*/, double /*time*/) const {
    return 0;
  }
};

enum class DragLaw {
  None,
  Linear,     ///< [MMY section 5] with the projected area: -eta A |n . v^| v on every face
  Isotropic,  ///< [MMY] as printed, with the plain area: -eta A v; no stroke makes headway with it
  Quadratic   ///< 1/2 rho C A (n . v)^2 against the normal, on faces that move into the water
};

/// The water and its effect on a face or a segment.
struct WaterSettings {
  DragLaw drag = DragLaw::Quadratic;
  double density = 1000;          ///< kg/m^3
  double viscosity = 300;         ///< eta of the linear laws, N s/m^3
  double side_drag = 1.1;         ///< C on the sides of limbs and
  double end_drag = 0.18;         ///< on their ends
  double friction = 0;            ///< C of -1/2 rho C A |t| t, t the velocity along the face
  double lift = 0;                ///< C of 1/2 rho C A (n . v) |t| across the velocity
  bool added_mass = false;        ///< of the ellipsoid with the box's volume and proportions
  double gravity = 0;             ///< m/s^2 along -y, with buoyancy; 0: as if weightless
  std::optional<double> surface;  ///< its height y; none: water everywhere
  std::shared_ptr<const FlowField> flow;  ///< none: at rest

  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges, defaults and descriptions of a water.toml, without its flow.
[[nodiscard]] const settings::Fields<WaterSettings>& water_fields();

using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

/// Position and motion of a segment, in world axes.
struct SegmentMotion {
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< columns: the segment's axes
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of the origin
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();      ///< angular velocity
};

/// Forces on a segment, about its origin, in its own axes: torque first, as in MuJoCo.
struct SegmentForce {
  Vector6d drag = Vector6d::Zero();      ///< torque, force; including friction and lift
  Vector6d buoyancy = Vector6d::Zero();  ///< weight not included
  /// Decrease of drag per unit of (spin, velocity): symmetric, without negative eigenvalues. For a
  /// law that is linear in the speed, and for friction, it is the secant, -drag = damping *
  /// velocity; for pressure the derivative; zero for lift, which does no work.
  Matrix6d damping = Matrix6d::Zero();
};

/// The water around one body. Immutable: threads may share it.
class Water {
 public:
  [[nodiscard]] static Result<Water> create(const Body& body, const WaterSettings& settings);

  [[nodiscard]] const WaterSettings& settings() const { return m_settings; }
  /// The forces of the water on segment `index` at a moment.
  [[nodiscard]] SegmentForce on_segment(std::size_t index, const SegmentMotion& motion,
                                        double time) const;
  /// The inertia of the water carried along by segment `index`, about its origin, in its axes,
  /// (spin, velocity); zero without added_mass. [Lam32 section 114]
  [[nodiscard]] const Matrix6d& added_inertia(std::size_t index) const { return m_added[index]; }

  /// For the message when a force is not finite: "the flow is (nan, 0, 0) m/s at (1, 2, 3) m after
  /// 0.5 s" if the flow is the cause, otherwise empty.
  [[nodiscard]] std::string blame_flow(std::size_t index, const SegmentMotion& motion,
                                       double time) const;

  /// A segment's faces and the cells of its volume, packed for the loop over them.
  struct Parts;

 private:
  WaterSettings m_settings;
  std::vector<std::shared_ptr<const Parts>> m_parts;
  std::vector<Matrix6d> m_added;
};

}  // namespace supple::swim
