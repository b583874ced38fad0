// SPDX-License-Identifier: Apache-2.0
#include "shell/inertia.hpp"

#include "supple/core/check.hpp"

#include <Eigen/Geometry>

namespace supple::shell {

using geometry::Vec3;

Inertia inertia(const fem::DiscreteShell& shell, const Eigen::MatrixXd& shapes) {
  SUPPLE_CHECK_OP(shapes.rows(), ==, shell.rest().size());
  const Eigen::Index m = shapes.cols();
  Inertia result{Eigen::MatrixXd::Zero(m, 6), Eigen::MatrixXd::Zero(m, 6)};
  for (Eigen::Index node = 0; node < shell.masses().size(); ++node) {
    const Vec3 r = shell.rest().segment<3>(3 * node);
    Eigen::Matrix<double, 3, 6> gamma;    // of unit angular acceleration, unit acceleration
    Eigen::Matrix<double, 3, 6> squares;  // S r for unit s
    squares.setZero();
    for (int axis = 0; axis < 3; ++axis) {
      gamma.col(axis) = Vec3::Unit(axis).cross(r);
      gamma.col(3 + axis) = Vec3::Unit(axis);
      squares(axis, axis) = r(axis);
    }
    squares.col(3) = Vec3(r.y(), r.x(), 0);
    squares.col(4) = Vec3(r.z(), 0, r.x());
    squares.col(5) = Vec3(0, r.z(), r.y());
    const auto phi = shapes.middleRows<3>(3 * node);
    result.transfer.noalias() -= shell.masses()(node) * (phi.transpose() * gamma);
    result.centrifugal.noalias() += shell.masses()(node) * (phi.transpose() * squares);
  }
  return result;
}

}  // namespace supple::shell
