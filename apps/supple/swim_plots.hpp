// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "canvas.hpp"

#include "supple/swim/body.hpp"
#include "supple/swim/recording.hpp"

#include <array>
#include <vector>

namespace supple::app {

/// The files of a swim's plots, in the order of draw_swim_plots.
inline constexpr std::array<const char*, 4> kSwimPlots{"speed.png", "forces.png",
                                                       "torques_arms.png", "torques_legs.png"};

/// Frames of the last whole cycle of the stroke; of the whole recording where there is none.
struct CycleSpan {
  std::size_t first = 0;
  std::size_t last = 0;  ///< included
  bool whole = false;
};
[[nodiscard]] CycleSpan last_cycle(const swim::Recording& recording);
/// The way the swimmer goes in it, level and of unit length; the trunk's where it goes nowhere.
[[nodiscard]] Eigen::Vector3d way_of(const swim::Recording& recording, const CycleSpan& span);

/// Speed along the way, the water's force along the way by kind of segment, and torques of the
/// trunk's and the right side's joints, over the last cycle.
[[nodiscard]] std::vector<Canvas> draw_swim_plots(const swim::Recording& recording,
                                                  const swim::Body& body);

}  // namespace supple::app
