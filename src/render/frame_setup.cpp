// SPDX-License-Identifier: Apache-2.0
#include "render/frame_setup.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::render {

using Eigen::Matrix4d;
using Eigen::Vector3f;
using geometry::Mat3;
using geometry::Vec3;

Vec3 key_direction(const Direction& camera) {
  return view_axes({camera.yaw - 48, 47}).row(2).transpose();
}

BackdropColours colours_of(const Backdrop& backdrop) {
  switch (backdrop.kind) {
    case Backdrop::Kind::Dark:
      return {{0.075F, 0.079F, 0.088F}, {0.021F, 0.0225F, 0.026F}, {0.0085F, 0.009F, 0.011F}};
    case Backdrop::Kind::Colour: {
      const Vector3f colour = backdrop.colour.cast<float>();
      return {colour, colour, colour};
    }
    case Backdrop::Kind::Light:
    case Backdrop::Kind::Transparent:
      break;
  }
  return {{0.82F, 0.823F, 0.83F}, {0.64F, 0.652F, 0.675F}, {0.49F, 0.508F, 0.54F}};
}

ShadowCamera shadow_camera(const View& view) {
  ShadowCamera camera;
  const Vec3 z = view.key_direction;
  const Vec3 x = (std::abs(z.y()) < 0.99 ? Vec3::UnitY() : Vec3::UnitZ()).cross(z).normalized();
  camera.axes.row(0) = x.transpose();
  camera.axes.row(1) = z.cross(x).transpose();
  camera.axes.row(2) = z.transpose();
  const double half = 1.06 * view.radius;
  camera.width = 2 * half;
  Matrix4d matrix = Matrix4d::Identity();
  Mat3 scaled = camera.axes / half;
  scaled.row(2) *= -1;  // depth grows away from the light
  matrix.topLeftCorner<3, 3>() = scaled;
  matrix.topRightCorner<3, 1>() = -scaled * view.centre;
  camera.view_projection = matrix;
  Matrix4d to_map = Matrix4d::Identity();
  to_map.diagonal() << 0.5, 0.5, 0.5, 1;
  to_map.topRightCorner<3, 1>().setConstant(0.5);
  camera.to_map = to_map * matrix;
  return camera;
}

void divide_by_alpha(io::Image& image) {
  const auto to_linear = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const auto to_srgb = [](double c) {
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  };
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    const double alpha = image.rgba[i + 3] / 255.0;
    if (alpha == 0 || alpha == 1) continue;
    for (std::size_t c = i; c < i + 3; ++c) {
      const double plain = std::min(1.0, to_linear(image.rgba[c] / 255.0) / alpha);
      image.rgba[c] = static_cast<std::uint8_t>(std::lround(255 * to_srgb(plain)));
    }
  }
}

}  // namespace supple::render
