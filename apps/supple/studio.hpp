// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "colour_map.hpp"
#include "rasteriser.hpp"

#include "supple/geometry/types.hpp"

#include <vector>

namespace supple::app {

/// Camera, light and backdrop that the pictures share.

/// How surface points land on the picture.
struct View {
  geometry::Mat3 axes = geometry::Mat3::Identity();  ///< rows: right, down, away
  geometry::Vec3 centre = geometry::Vec3::Zero();    ///< in view axes
  double scale = 1;                                  ///< pixels per metre
  double x = 0, y = 0;                               ///< pixel of `centre`

  [[nodiscard]] Eigen::Vector3f project(const geometry::Vec3& point) const {
    const geometry::Vec3 p = scale * (axes * point - centre);
    return Eigen::Vector3f(static_cast<float>(p.x() + x), static_cast<float>(p.y() + y),
                           static_cast<float>(p.z()));
  }
};

/// Soft sky and ground, a key light from the upper left, a thin rim; linear light.
[[nodiscard]] Colour shade(const Eigen::Vector3f& normal, const Colour& albedo, float openness);

/// A pale pool of light a little above the middle; x and y run over the picture, 0 to 1.
[[nodiscard]] Colour background(float x, float y);

/// Where a shape would be: its pixels, and those along its silhouette.
struct Outline {
  std::vector<bool> inside;
  std::vector<float> outline;
};
[[nodiscard]] Outline make_outline(const Fragments& shape, int supersampling);

}  // namespace supple::app
