// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/bullet_deformable.hpp"
#include "benchmarks/bullet_reduced.hpp"

namespace supple::bench {

Result<std::unique_ptr<BulletBeam>> make_bullet_beam(int /*modes*/) {
  return std::unique_ptr<BulletBeam>();
}

std::unique_ptr<BulletBody> make_bullet_solid(const fem::SolidModel& /*model*/) {
  return nullptr;
}

std::unique_ptr<BulletBody> make_bullet_cloth(const BulletCloth& /*cloth*/) {
  return nullptr;
}

}  // namespace supple::bench
