// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace supple::shell {

/// R = I + a [w] + b [w]^2 and Rt = I + b [w] + c [w]^2 for an angle |w|.
struct WarpFactors {
  double a = 1, b = 0.5, c = 1.0 / 6;
};
[[nodiscard]] WarpFactors warp_factors(double angle);

/// Rt(w) p: the displacement of a node whose frame turns by w on the way [CWK07 eq. 16 in closed
/// form].
[[nodiscard]] inline geometry::Vec3 warp(const geometry::Vec3& p, const geometry::Vec3& w) {
  const WarpFactors factors = warp_factors(w.norm());
  const geometry::Vec3 cross = w.cross(p);
  return p + factors.b * cross + factors.c * w.cross(cross);
}

/// Rest positions moved by the warped displacements p with turns w; x y z of all nodes.
[[nodiscard]] Eigen::VectorXd warped(const Eigen::VectorXd& rest, const Eigen::VectorXd& p,
                                     const Eigen::VectorXd& w);

}  // namespace supple::shell
