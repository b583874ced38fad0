// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/water.hpp"

#include <Eigen/Core>

#include <array>
#include <vector>

namespace supple::swim {

/// One value for each face of a block: enough to keep the processor's units busy, few enough that a
/// box of 24 faces needs no padding.
constexpr int kLanes = 8;
using Lanes = Eigen::Array<double, kLanes, 1>;
using LaneVector = std::array<Lanes, 3>;

/// The data read by loops over a segment's faces and cells, in the segment's axes.
struct Water::Parts {
  /// The last block is padded with faces of zero area.
  struct Block {
    LaneVector centre;
    LaneVector normal;
    Lanes area;
    Lanes pressure;            ///< density * C * area of the quadratic law
    Lanes half_side;           ///< of a square of the face's area
    std::array<Lanes, 6> arm;  ///< (centre x normal, normal): the wrench of a unit of pressure
  };
  std::vector<Block> blocks;

  double lift = 0;  ///< buoyancy when fully submerged, N
  Eigen::Vector3d centre_of_volume;
  Eigen::Matrix<double, 3, Eigen::Dynamic> cells;  ///< centres of equal parts of the volume
  Eigen::Vector3d cell_half_size;
  double reach = 0;  ///< largest distance of any of the above from the centre of volume
};

}  // namespace supple::swim
