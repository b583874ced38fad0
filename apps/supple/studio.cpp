// SPDX-License-Identifier: Apache-2.0
#include "studio.hpp"

#include <algorithm>
#include <cmath>

namespace supple::app {

using Eigen::Vector3f;

Colour shade(const Vector3f& normal, const Colour& albedo, float openness) {
  const Vector3f key = Vector3f(-0.50F, -0.68F, -0.54F).normalized();
  const Vector3f half = (key + Vector3f(0, 0, -1)).normalized();
  const Colour sky(0.96F, 1.0F, 1.06F);
  const Colour ground(0.56F, 0.50F, 0.48F);

  const float upward = 0.5F - 0.5F * normal.y();
  const Colour hemisphere = ground + upward * (sky - ground);
  const float diffuse = std::max(0.0F, (normal.dot(key) + 0.15F) / 1.15F);  // softly wrapped
  const float facing = -normal.z();
  const float rim = std::pow(1.0F - facing, 3.5F) * (0.3F + 0.7F * upward);
  const float gloss = std::pow(std::max(0.0F, normal.dot(half)), 48.0F);
  Colour light = 0.62F * openness * hemisphere +
                 0.80F * diffuse * (0.4F + 0.6F * openness) * Colour(1.0F, 0.97F, 0.92F);
  return albedo.cwiseProduct(light) + (0.16F * rim * openness) * sky +
         Colour::Constant(0.10F * gloss * openness);
}

Colour background(float x, float y) {
  const float dx = x - 0.5F;
  const float dy = y - 0.42F;
  const float falloff = std::clamp(1.9F * (dx * dx + dy * dy), 0.0F, 1.0F);
  static const Colour centre = from_oklch(0.975F, 0.003F, 250);
  static const Colour corner = from_oklch(0.875F, 0.010F, 255);
  return centre + falloff * (corner - centre);
}

Outline make_outline(const Fragments& shape, int supersampling) {
  Outline result{std::vector<bool>(shape.depth.size()),
                 std::vector<float>(shape.depth.size(), 0.0F)};
  const int reach = (supersampling + 1) / 2;
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      const bool here = shape.covered(x, y);
      result.inside[shape.index(x, y)] = here;
      int differing = 0;
      for (int step = -reach; step <= reach; ++step) {
        differing += static_cast<int>(shape.covered(x + step, y) != here);
        differing += static_cast<int>(shape.covered(x, y + step) != here);
      }
      result.outline[shape.index(x, y)] = differing > 0 ? 1.0F : 0.0F;
    }
  }
  return result;
}

}  // namespace supple::app
