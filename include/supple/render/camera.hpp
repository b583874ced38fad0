// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <Eigen/Core>

#include <span>

namespace supple::render {

/// The direction of view: 0 degrees around shows the front (+Z) of a character, 90 its left side;
/// degrees above the horizon.
struct Direction {
  double yaw = 28;
  double pitch = 8;
};

/// An upright perspective camera.
struct Camera {
  geometry::Vec3 eye = geometry::Vec3(0, 0, 1);
  geometry::Mat3 axes = geometry::Mat3::Identity();  ///< rows: right, up, towards the viewer
  double height_angle = 0.42;                        ///< of view, radians; 0.42 is a portrait lens
  double near_plane = 0.1;
  double far_plane = 100;

  [[nodiscard]] Eigen::Matrix4d view() const;
  /// OpenGL's clip space; `aspect` is width over height.
  [[nodiscard]] Eigen::Matrix4d projection(double aspect) const;
};

/// Rows: right, up, towards the viewer.
[[nodiscard]] geometry::Mat3 view_axes(const Direction& direction);

/// The nearest camera in that direction that sees all points, with `margin` of the picture's height
/// and width free on each side. Needs at least one point.
[[nodiscard]] Camera frame(std::span<const geometry::Vec3> points, const Direction& direction,
                           double aspect, double margin = 0.08);

}  // namespace supple::render
