// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/render/renderer.hpp"

#include <Eigen/Core>

namespace supple::render {

/// Colours in linear light, displayed unchanged.
struct BackdropColours {
  Eigen::Vector3f pool, horizon, top;
};

[[nodiscard]] BackdropColours colours_of(const Backdrop& backdrop);

/// The key light's view of the subject.
struct ShadowCamera {
  Eigen::Matrix4d view_projection;
  Eigen::Matrix4d to_map;  ///< world to 0..1
  geometry::Mat3 axes;     ///< rows: right, up, towards the light
  double width = 0;
};

[[nodiscard]] ShadowCamera shadow_camera(const View& view);

/// Undoes the multiplication by alpha, in linear light.
void divide_by_alpha(io::Image& image);

}  // namespace supple::render
