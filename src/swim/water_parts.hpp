// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/water.hpp"

#include <Eigen/Core>

namespace supple::swim {

/// What a loop over a segment's faces and cells reads, in the segment's axes.
struct Water::Parts {
  /// Face by face (centre x normal, normal): times (spin, velocity) it is the speed along the
  /// normal, and times a pressure it is the wrench.
  Eigen::Matrix<double, 6, Eigen::Dynamic> arms;
  Eigen::Matrix<double, 3, Eigen::Dynamic> centres;
  Eigen::VectorXd areas;
  Eigen::VectorXd pressures;   ///< density * C * area of the quadratic law
  Eigen::VectorXd half_sides;  ///< of a square of the face's area

  double lift = 0;  ///< buoyancy when wholly under water, N
  Eigen::Vector3d centre_of_volume;
  Eigen::Matrix<double, 3, Eigen::Dynamic> cells;  ///< centres of equal parts of the volume
  Eigen::Vector3d cell_half_size;
  double reach = 0;  ///< of everything above from the centre of volume
};

}  // namespace supple::swim
