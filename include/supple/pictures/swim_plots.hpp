// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/plot/raster.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/recording.hpp"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace supple::pictures {

/// Frames of the last whole cycle of the stroke; of the whole recording where there is none.
struct CycleSpan {
  std::size_t first = 0;
  std::size_t last = 0;  ///< included
  bool whole = false;
};
[[nodiscard]] CycleSpan last_cycle(const swim::Recording& recording);
/// The way the swimmer goes in it, level and of unit length; the trunk's where it goes nowhere.
[[nodiscard]] Eigen::Vector3d way_of(const swim::Recording& recording, const CycleSpan& span);

/// What swim_plot_files makes: speed.svg, speed.png, forces.svg, ...
[[nodiscard]] std::vector<std::string> swim_plot_names();
/// Speed along the way, the water's force along the way by kind of segment, and torques of the
/// trunk's and the right side's joints, over the last cycle.
[[nodiscard]] Result<std::vector<plot::PlotFile>> swim_plot_files(const swim::Recording& recording,
                                                                  const swim::Body& body);

}  // namespace supple::pictures
