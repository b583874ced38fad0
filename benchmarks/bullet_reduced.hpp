// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <cstddef>
#include <memory>

namespace supple::bench {

/// Bullet's reduced deformable body: a beam with our modes, free in space, turning and vibrating.
class BulletBeam {
 public:
  virtual ~BulletBeam() = default;
  /// One step of the whole world at 60 Hz.
  virtual void step() = 0;
  [[nodiscard]] virtual std::size_t nodes() const = 0;
  /// Largest distance in metres between a node and its position in the rigid frame.
  [[nodiscard]] virtual double deformation() const = 0;
};

/// Null if this program was built without Bullet.
[[nodiscard]] Result<std::unique_ptr<BulletBeam>> make_bullet_beam(int modes);

}  // namespace supple::bench
