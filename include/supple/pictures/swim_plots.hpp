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

/// Frames of the last whole cycle of the stroke, or of the whole recording if there is none.
struct CycleSpan {
  std::size_t first = 0;
  std::size_t last = 0;  ///< included
  bool whole = false;
};
[[nodiscard]] CycleSpan last_cycle(const swim::Recording& recording);
/// The swimmer's direction of travel in it, horizontal and of unit length; the trunk's direction if
/// it does not travel.
[[nodiscard]] Eigen::Vector3d way_of(const swim::Recording& recording, const CycleSpan& span);

/// The files of swim_plot_files: speed.svg, speed.png, forces.svg, ...
[[nodiscard]] std::vector<std::string> swim_plot_names();
/// Forward speed, the water's forward force by kind of segment, and torques of the joints of the
/// trunk and the right side, over the last cycle.
[[nodiscard]] Result<std::vector<plot::PlotFile>> swim_plot_files(const swim::Recording& recording,
                                                                  const swim::Body& body);

}  // namespace supple::pictures
