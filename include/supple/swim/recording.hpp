// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/pose_graph.hpp"
#include "supple/swim/steering.hpp"
#include "supple/swim/swimmer.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <string>
#include <vector>

namespace supple::swim {

struct RunSettings {
  double seconds = 7;
  double step = 1.0 / 60;  ///< s, of the simulation, at most: a whole number of steps makes a frame
  double rate = 60;        ///< Hz, of the recording; frame i is at the time i / rate exactly
  Stepping stepping = Stepping::Midway;
  /// Ends where all targets of the course are behind, of a loop the first one again; `seconds` are
  /// the most then.
  bool until_round = false;
  [[nodiscard]] Result<void> validate() const;
  [[nodiscard]] std::size_t steps_per_frame() const;  ///< of valid ones
};

/// What happened, at equal steps of time from 0.
struct Recording {
  struct Frame {
    double time = 0;
    std::vector<SegmentMotion> segments;
    std::vector<double> angles;  ///< rad

    // Means since the frame before, N and N m, world axes; zero in the first frame. Drag, buoyancy,
    // weight and added mass together, times the time, are what mass() * velocity changed by.
    std::vector<Eigen::Vector3d> forces;  ///< drag, friction and lift on each segment
    std::vector<double> torques;          ///< of the joints' servos
    Eigen::Vector3d buoyancy = Eigen::Vector3d::Zero();
    Eigen::Vector3d weight = Eigen::Vector3d::Zero();
    Eigen::Vector3d added_mass = Eigen::Vector3d::Zero();  ///< of water that has to move along

    Eigen::Vector3d centre = Eigen::Vector3d::Zero();    ///< of mass
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of it
    double effort = 0;                                   ///< J since the start
    double weight_work = 0;  ///< J since the start: what weight and buoyancy gave
    std::size_t cycles = 0;  ///< of the stroke so far
    std::size_t pose = 0;    ///< of its graph
    Eigen::Vector3d aim = Eigen::Vector3d::Zero();  ///< of the steering, if any
  };
  std::string stroke;
  std::vector<Frame> frames;
  Energy energy;  ///< at the end
  /// Of any step: the change of momentum, with that of water that moves along, less the impulse of
  /// drag, weight and buoyancy, N s.
  double largest_momentum_error = 0;
  std::size_t targets_reached = 0;
  std::size_t targets_missed = 0;      ///< of a curve: passed, but out of reach
  std::vector<TargetOutcome> targets;  ///< of the course, if any

  [[nodiscard]] double duration() const { return frames.empty() ? 0 : frames.back().time; }
};

/// Figures of a run as those who measure swimmers define them, over its whole cycles after the
/// first, or over all of it where it is shorter than two cycles.
struct SwimReport {
  double distance_m = 0;  ///< of the centre of mass, start to end of the recording
  /// Way through the water over time, head first: of every cycle's chord, less the way of the water
  /// at the centre of mass, the part along the trunk's mean x in that cycle. A bend counts; sway
  /// within a cycle, sinking and a river do not; backwards is negative. Where the water has a
  /// surface the level part of both, as swimmers are timed.
  double mean_speed_mps = 0;
  /// (fastest - slowest) / (2 |mean|) of that velocity within a cycle, mean of the cycles.
  double speed_variation = 0;
  double strokes_per_min = 0;  ///< cycles: of alternating strokes two arm pulls are one
  double metres_per_stroke = 0;
  double power_w = 0;  ///< mean of the muscles' positive work: work done by the water is no income
  /// Of propulsion: power that would tow the stretched body at the mean speed / (power_w and what
  /// weight, buoyancy and lost speed gave). Drag is passive, of the body at zero angles deep in
  /// water at rest. 0 where there is none: backwards, without power, or above 1, where something
  /// else than the muscles moved the body.
  double efficiency = 0;
  double pitch_deg = 0;     ///< mean of the torso's x above the horizon
  double energy_error = 0;  ///< |Energy::error| over all work done and energy had
};

/// Drag on the body at zero angles that glides along its x so fast, deep in water at rest, N.
[[nodiscard]] Result<double> glide_drag(const Body& body, const WaterSettings& water, double speed);

/// Swims. `course` may be null: straight on. Polls check_interrupt and reports progress.
[[nodiscard]] Result<Recording> record_swim(const Body& body, const WaterSettings& water,
                                            const PoseGraph& stroke, const StartState& start,
                                            const RunSettings& settings, const Course* course);
/// The longest that a swimmer may take who is to come to all targets of a course: three times as
/// long as the way takes at the stroke's own speed, at least 7 s and at most 10 minutes.
[[nodiscard]] Result<double> course_seconds(const Body& body, const WaterSettings& water,
                                            const PoseGraph& stroke, const StartState& start,
                                            const Course& course);
[[nodiscard]] SwimReport report(const Recording& recording, const Body& body,
                                const WaterSettings& water);

}  // namespace supple::swim
