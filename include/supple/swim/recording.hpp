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
  double step =
      1.0 / 60;      ///< s, longest step of the simulation: a frame is a whole number of steps
  double rate = 60;  ///< Hz, of the recording; frame i is exactly at time i / rate
  Stepping stepping = Stepping::Midway;
  /// Ends when all targets of the course are done, or in a loop when the first is reached again;
  /// `seconds` is then the upper limit.
  bool until_round = false;
  [[nodiscard]] Result<void> validate() const;
  [[nodiscard]] std::size_t steps_per_frame() const;  ///< for valid settings
};

/// The course of a run, at equal time steps from 0.
struct Recording {
  struct Frame {
    double time = 0;
    std::vector<SegmentMotion> segments;
    std::vector<double> angles;  ///< rad

    // Means since the previous frame, N and N m, world axes; zero in the first frame. The sum of
    // drag, buoyancy, weight and added mass, times the time, is the change of mass() * velocity.
    std::vector<Eigen::Vector3d> forces;  ///< drag, friction and lift on each segment
    std::vector<double> torques;          ///< of the joints' servos
    Eigen::Vector3d buoyancy = Eigen::Vector3d::Zero();
    Eigen::Vector3d weight = Eigen::Vector3d::Zero();
    Eigen::Vector3d added_mass = Eigen::Vector3d::Zero();  ///< force of the water carried along

    Eigen::Vector3d centre = Eigen::Vector3d::Zero();    ///< of mass
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of it
    double effort = 0;                                   ///< J since the start
    double weight_work = 0;  ///< J since the start, done by weight and buoyancy
    std::size_t cycles = 0;  ///< of the stroke so far
    std::size_t pose = 0;    ///< of its graph
    Eigen::Vector3d aim = Eigen::Vector3d::Zero();  ///< of the steering, if any
  };
  std::string stroke;
  std::vector<Frame> frames;
  Energy energy;  ///< at the end
  /// Largest over all steps: the change of momentum, including that of the water carried along,
  /// less the impulse of drag, weight and buoyancy, N s.
  double largest_momentum_error = 0;
  std::size_t targets_reached = 0;
  std::size_t targets_missed = 0;      ///< on a curve: passed, but out of reach
  std::vector<TargetOutcome> targets;  ///< of the course, if any
  std::vector<double> clearances;      ///< m, least distance to each of its obstacles

  [[nodiscard]] double duration() const { return frames.empty() ? 0 : frames.back().time; }
};

/// Figures of a run as defined in swimming research, over its whole cycles after the first, or over
/// the entire run if it is shorter than two cycles.
struct SwimReport {
  double distance_m = 0;  ///< of the centre of mass, start to end of the recording
  /// That displacement over ground along the level heading at the start, to its right, and up. The
  /// last two are the drift of a swim without targets.
  double ahead_m = 0;
  double right_m = 0;
  double up_m = 0;
  /// The turn of the level heading since the start, to the right, degrees within a half turn: from
  /// the first cycle to the last.
  double turned_deg = 0;
  /// Distance through the water over time, head first: the component along the trunk's mean x of
  /// every cycle's displacement, less the displacement of the water at the centre of mass. A bend
  /// counts; sway within a cycle, sinking and a river do not; backwards is negative. If the water
  /// has a surface, only the horizontal part counts, as when swimmers are timed.
  double mean_speed_mps = 0;
  /// (fastest - slowest) / (2 |mean|) of that velocity within a cycle, averaged over the cycles.
  double speed_variation = 0;
  double strokes_per_min = 0;  ///< cycles: in alternating strokes two arm pulls count as one
  double metres_per_stroke = 0;
  double power_w =
      0;  ///< mean of the muscles' positive work; work done by the water is not credited
  /// Of propulsion: power that would tow the stretched body at the mean speed / (power_w plus the
  /// power from weight, buoyancy and lost speed). The drag is passive, that of the body at zero
  /// angles deep in water at rest. 0 if undefined: backwards, without power, or above 1, when
  /// something other than the muscles moved the body.
  double efficiency = 0;
  double pitch_deg = 0;     ///< mean of the torso's x above the horizon
  double energy_error = 0;  ///< |Energy::error| relative to all work done plus the initial energy
};

/// Measured in people.
struct MeasuredRange {
  double low = 0;
  double high = 0;
};
/// Propelling efficiency of the front crawl of four top swimmers: power against drag over all
/// mechanical power, including that left in the water. [Toussaint88]
inline constexpr MeasuredRange kPersonEfficiency{0.46, 0.77};
/// The mechanical power of an adult who swims the front crawl at this speed, W: drag, from passive
/// to active (25 to 37 v^2 N, [Gatta16]), times speed over that efficiency.
[[nodiscard]] MeasuredRange person_power(double speed);

/// Drag in N on the body at zero angles, gliding along its x at this speed, deep in water at rest.
[[nodiscard]] Result<double> glide_drag(const Body& body, const WaterSettings& water, double speed);

/// Runs a swim. `course` may be null: the swimmer is not steered, so that it drifts as its stroke
/// does; one without targets holds course and depth. Polls check_interrupt and reports progress.
[[nodiscard]] Result<Recording> record_swim(const Body& body, const WaterSettings& water,
                                            const PoseGraph& stroke, const StartState& start,
                                            const RunSettings& settings, const Course* course);
/// The mean speed of a few unsteered cycles, m/s.
[[nodiscard]] Result<double> straight_speed(const Body& body, const WaterSettings& water,
                                            const PoseGraph& stroke, const StartState& start);
/// The time limit for reaching all targets of a course: three times the time that the course takes
/// at the stroke's own speed on its turning circles, at least 7 s and at most 10 minutes.
[[nodiscard]] Result<double> course_seconds(const Body& body, const WaterSettings& water,
                                            const PoseGraph& stroke, const StartState& start,
                                            const Course& course);
[[nodiscard]] SwimReport report(const Recording& recording, const Body& body,
                                const WaterSettings& water);

}  // namespace supple::swim
