// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/pose_graph.hpp"
#include "supple/swim/swimmer.hpp"

#include <Eigen/Core>

namespace supple::swim {

/// The figures of a swim that a search uses, over its whole cycles after the first quarter.
struct SwimTrial {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< mean, along the start's own axes
  double power = 0;                                    ///< W, positive work of the muscles
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();      ///< mean of the torso, rad/s, world axes
  double askew = 0;        ///< rad between the torso's mean x, in the later half, and the start's
  double rolled_over = 0;  ///< the same of y
  double head_depth = 0;   ///< m, mean, below the surface if there is one
  double saturated = 0;    ///< share of the joints' time at their largest torque
  double speed_variation = 0;  ///< half the range of the speed ahead in a cycle over its mean
  double strokes_per_min = 0;  ///< 0 without a whole cycle
};

/// An error means that the simulation left sane bounds.
[[nodiscard]] Result<SwimTrial> try_swim(const PoseGraph& stroke, const Body& body,
                                         const WaterSettings& water, const StartState& start,
                                         double seconds, double step);

}  // namespace supple::swim
