// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <Eigen/Core>

#include <array>

namespace supple::geometry {

/// Barycentric coordinates of the point of triangle abc that is closest to p. By regions of the
/// plane (Ericson, Real-Time Collision Detection, 5.1.5); degenerate triangles are harmless.
[[nodiscard]] Vec3 closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// The same for the tetrahedron of four points, of either orientation; p itself if inside.
[[nodiscard]] Eigen::Vector4d closest_on_tetrahedron(const Vec3& p,
                                                     const std::array<Vec3, 4>& corner);

}  // namespace supple::geometry
