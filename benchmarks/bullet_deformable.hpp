// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/solid_model.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <memory>
#include <vector>

namespace supple::bench {

/// One body in a deformable world of Bullet's, in single precision.
class BulletBody {
 public:
  virtual ~BulletBody() = default;
  /// One implicit step of the whole world at 60 Hz.
  virtual void step() = 0;
  [[nodiscard]] virtual std::vector<geometry::Vec3> positions() const = 0;

  /// Positions and velocities of all nodes, now and before: all that the next step depends on where
  /// nothing touches.
  [[nodiscard]] virtual std::vector<float> state() const = 0;
  virtual void set_state(const std::vector<float>& state) = 0;
  /// Multiplies the velocity of all nodes that are not fixed, and adds to it.
  virtual void change_velocity(double factor, const geometry::Vec3& added) = 0;
};

/// A neo-Hookean body under gravity along -z, its fixed nodes without velocity. Null if this
/// program was built without Bullet. One material; linear elements.
[[nodiscard]] std::unique_ptr<BulletBody> make_bullet_solid(const fem::SolidModel& model);

/// A cloth of springs above a fixed ball, under gravity along -y, that touches both the ball and
/// itself.
struct BulletCloth {
  geometry::TriMesh mesh;
  double mass = 0;       ///< kg, of the whole cloth
  double stiffness = 0;  ///< N/m, of a spring along an edge
  double thickness = 0;  ///< m, its collision margin
  double friction = 0;
  geometry::Vec3 centre;  ///< of the ball
  double radius = 0;      ///< of the ball
};
/// Null if this program was built without Bullet.
[[nodiscard]] std::unique_ptr<BulletBody> make_bullet_cloth(const BulletCloth& cloth);

}  // namespace supple::bench
