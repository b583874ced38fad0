// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/pose_graph.hpp"
#include "supple/swim/steering.hpp"
#include "supple/swim/swimmer.hpp"

#include <Eigen/Core>

#include <functional>
#include <string>
#include <vector>

namespace supple::swim {

struct RunSettings {
  double seconds = 7;
  double step = 1.0 / 60;  ///< s, of the simulation
  double rate = 60;        ///< Hz, of the recording
  [[nodiscard]] Result<void> validate() const;
};

/// What happened, at equal steps of time from 0.
struct Recording {
  struct Frame {
    double time = 0;
    std::vector<SegmentMotion> segments;
    std::vector<Eigen::Vector3d> forces;  ///< of the water on each segment, N, world axes
    std::vector<double> angles;           ///< rad
    std::vector<double> torques;          ///< N m
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();    ///< of mass
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of it
    double effort = 0;                                   ///< J since the start
    std::size_t cycles = 0;                              ///< of the stroke so far
    Eigen::Vector3d aim = Eigen::Vector3d::Zero();       ///< of the steering, if any
  };
  std::string stroke;
  std::vector<Frame> frames;
  Energy energy;  ///< at the end
  double largest_momentum_error = 0;
  std::size_t targets_reached = 0;

  [[nodiscard]] double duration() const { return frames.empty() ? 0 : frames.back().time; }
};

/// Figures of a run, over its whole cycles after the first `settle` seconds where there are any.
struct SwimReport {
  double distance_m = 0;       ///< of the centre of mass, start to end
  double mean_speed_mps = 0;   ///< along the way it swims
  double speed_variation = 0;  ///< (fastest - slowest) / (2 mean) within a cycle
  double strokes_per_min = 0;
  double metres_per_stroke = 0;
  double power_w = 0;       ///< mean positive work of the muscles
  double efficiency = 0;    ///< drag of the gliding body at that speed times speed / power
  double pitch_deg = 0;     ///< mean of the trunk
  double energy_error = 0;  ///< |Energy::error| over all work done, both signs
};

/// Swims. `steer` may be null. Polls check_interrupt and reports progress.
[[nodiscard]] Result<Recording> record_swim(const Body& body, const WaterSettings& water,
                                            const PoseGraph& stroke, const StartState& start,
                                            const RunSettings& settings, const Course* course);
[[nodiscard]] SwimReport report(const Recording& recording, const Body& body,
                                const WaterSettings& water);

}  // namespace supple::swim
