// SPDX-License-Identifier: Apache-2.0
#include "supple/render/camera.hpp"

#include "supple/core/check.hpp"
#include "supple/core/units.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::render {

using geometry::Mat3;
using geometry::Vec3;

Eigen::Matrix4d Camera::view() const {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.topLeftCorner<3, 3>() = axes;
  matrix.topRightCorner<3, 1>() = -axes * eye;
  return matrix;
}

Eigen::Matrix4d Camera::projection(double aspect) const {
  const double scale = 1 / std::tan(0.5 * height_angle);
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Zero();
  matrix(0, 0) = scale / aspect;
  matrix(1, 1) = scale;
  matrix(2, 2) = (far_plane + near_plane) / (near_plane - far_plane);
  matrix(2, 3) = 2 * far_plane * near_plane / (near_plane - far_plane);
  matrix(3, 2) = -1;
  return matrix;
}

Mat3 view_axes(const Direction& direction) {
  const double around = direction.yaw * kDegree;
  const double above = direction.pitch * kDegree;
  const Vec3 level(std::sin(around), 0, std::cos(around));
  const Vec3 right = Vec3::UnitY().cross(level);
  const Vec3 back = std::cos(above) * level + std::sin(above) * Vec3::UnitY();
  Mat3 axes;
  axes.row(0) = right.transpose();
  axes.row(1) = back.cross(right).transpose();
  axes.row(2) = back.transpose();
  return axes;
}

namespace {

/// Along one axis of the picture: a point at x across and z towards the viewer is seen by a camera
/// at (c, d) if |x - c| <= (d - z) t, that is d t + c >= x + z t and d t - c >= z t - x.
struct Slab {
  double t;
  double plus = -std::numeric_limits<double>::infinity();
  double minus = plus;

  void add(double x, double z) {
    plus = std::max(plus, x + z * t);
    minus = std::max(minus, z * t - x);
  }
  [[nodiscard]] double distance() const { return 0.5 * (plus + minus) / t; }
  [[nodiscard]] double centre() const { return 0.5 * (plus - minus); }
};

}  // namespace

Camera frame(std::span<const Vec3> points, const Direction& direction, double aspect,
             double margin) {
  SUPPLE_CHECK(!points.empty());
  Camera camera;
  camera.axes = view_axes(direction);
  const double usable = (1 - 2 * margin) * std::tan(0.5 * camera.height_angle);
  Slab across{usable * aspect};
  Slab up{usable};
  double nearest = -std::numeric_limits<double>::infinity();
  double farthest = -nearest;
  for (const Vec3& point : points) {
    const Vec3 p = camera.axes * point;
    across.add(p.x(), p.z());
    up.add(p.y(), p.z());
    nearest = std::max(nearest, p.z());
    farthest = std::min(farthest, p.z());
  }
  const double depth = nearest - farthest;
  double distance = std::max(across.distance(), up.distance());
  // A single point, or points along one line of sight, have no size to fill the picture.
  distance = std::max(distance, nearest + std::max(1e-3, 0.05 * depth));
  camera.eye = camera.axes.transpose() * Vec3(across.centre(), up.centre(), distance);
  camera.near_plane = 0.25 * (distance - nearest);
  camera.far_plane = 60 * (distance - farthest);
  return camera;
}

}  // namespace supple::render
