// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <limits>

namespace supple::geometry {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// Index of a node, vertex, triangle or element; meshes are limited to 2^31 - 1 of each.
using Index = std::int32_t;
using Triangle = std::array<Index, 3>;

/// An axis-aligned box; empty until something is added.
struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void add(const Vec3& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  [[nodiscard]] bool empty() const { return !(low.array() <= high.array()).all(); }
  [[nodiscard]] Vec3 size() const { return high - low; }
  [[nodiscard]] Vec3 centre() const { return 0.5 * (low + high); }
  [[nodiscard]] double diagonal() const { return empty() ? 0.0 : size().norm(); }
};

}  // namespace supple::geometry
