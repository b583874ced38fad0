// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/solid_model.hpp"

#include <memory>
#include <vector>

namespace supple::bench {

/// Bullet's deformable world with one neo-Hookean body under gravity, its fixed nodes without
/// velocity.
class BulletSolid {
 public:
  virtual ~BulletSolid() = default;
  /// One implicit step of the whole world at 60 Hz.
  virtual void step() = 0;
  [[nodiscard]] virtual std::vector<geometry::Vec3> positions() const = 0;
};

/// Null if this program was built without Bullet. One material; linear elements.
[[nodiscard]] std::unique_ptr<BulletSolid> make_bullet_solid(const fem::SolidModel& model);

}  // namespace supple::bench
