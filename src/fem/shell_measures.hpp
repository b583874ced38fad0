// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <Eigen/Core>

namespace supple::fem {

// The quantities that the energies of a discrete shell measure, with first and second derivatives.
// Rows and columns go node by node, x y z each. The derivatives of a collapsed triangle do not
// exist; they are bounded instead, so that a wild step gives large but finite numbers.

using Vector9 = Eigen::Matrix<double, 9, 1>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

/// Corners of a triangle, one per column.
using Corners = Eigen::Matrix3d;
[[nodiscard]] double triangle_area(const Corners& x);
[[nodiscard]] Vector9 area_gradient(const Corners& x);
[[nodiscard]] Matrix9 area_hessian(const Corners& x);

[[nodiscard]] Vector6 length_gradient(const geometry::Vec3& a, const geometry::Vec3& b);
[[nodiscard]] Matrix6 length_hessian(const geometry::Vec3& a, const geometry::Vec3& b);

/// Two triangles that share an edge: its ends, then the opposite corners of the triangle that runs
/// along the edge and of the one that runs against it, one per column.
using Hinge = Eigen::Matrix<double, 3, 4>;
/// Angle between the normals, in (-pi, pi]: 0 if flat, positive if the outer side is convex.
[[nodiscard]] double hinge_angle(const Hinge& x);
[[nodiscard]] Vector12 angle_gradient(const Hinge& x);
[[nodiscard]] Matrix12 angle_hessian(const Hinge& x);

/// The difference of two angles in [-pi, pi]. An edge folded past half a turn springs back the
/// short way, and the energy stays continuous there.
[[nodiscard]] double angle_difference(double angle, double rest);

}  // namespace supple::fem
