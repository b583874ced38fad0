// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/course_path.hpp"
#include "supple/swim/pose_graph.hpp"
#include "supple/swim/swimmer.hpp"
#include "supple/swim/turn_control.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace supple::swim {

struct Obstacle {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0;
};

/// Where to be and, if asked for, which way to swim there and what is up (y of the trunk) then.
struct Target {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  std::optional<Eigen::Vector3d> heading;
  std::optional<Eigen::Vector3d> up;  ///< none: the sky
  double reach = 0.5;                 ///< m: the centre of mass so near counts as there
};

struct Course {
  std::vector<Target> targets;  ///< one after the other
  bool spline = false;          ///< through them as a smooth curve (Catmull-Rom), else straight
  bool loop = false;            ///< after the last the first again
  std::optional<double> depth;  ///< y to hold; targets count as reached by their x and z then
  std::vector<Obstacle> obstacles;

  /// Targets inside obstacles, numbers that are none, ...
  [[nodiscard]] Result<void> validate() const;
};

/// How a swimmer fared with one target.
struct TargetOutcome {
  std::size_t reached = 0;  ///< times; of a loop more than once
  /// m, of the centre of mass while it was the next target, heights left out where they do not
  /// count; infinite where it never was.
  double nearest = std::numeric_limits<double>::infinity();
};

/// Whether a stroke can turn: an error that says how to find its perturbations if not.
[[nodiscard]] Result<void> can_steer(const PoseGraph& graph);
/// What of a course, begun at the height `y`, a stroke leaves to the water, for people to read;
/// empty where it does all.
[[nodiscard]] std::string steering_warning(const PoseGraph& graph, const Course& course, double y);

/// [MMY section 4.3]: turns what a course asks for into the k of the six perturbations.
class Steering {
 public:
  Steering(const PoseGraph& graph, Course course);

  /// The k for the next step. Call it once before every step.
  const std::array<double, kTurns>& advance(const Swimmer& swimmer, double seconds);
  [[nodiscard]] std::size_t reached() const { return m_reached; }  ///< targets, rounds included
  /// Targets of a curve that were passed, but too far off or turned the wrong way.
  [[nodiscard]] std::size_t missed() const { return m_missed; }
  [[nodiscard]] bool done() const;
  /// Every target has been reached or passed; of a loop the first one again.
  [[nodiscard]] bool been_round() const;
  [[nodiscard]] const std::vector<TargetOutcome>& outcomes() const { return m_outcomes; }
  [[nodiscard]] Eigen::Vector3d aim() const { return m_aim; }  ///< the point it swims to now
  [[nodiscard]] const TurnControl& control() const { return m_control; }
  /// The curve it follows, for splines.
  [[nodiscard]] const std::optional<CoursePath>& path() const { return m_path; }

 private:
  enum class Stage { Decide, Approach, Align };
  void note_reached(const Eigen::Vector3d& position);
  void follow_path(const Eigen::Vector3d& position);
  [[nodiscard]] double distance(const Target& target, const Eigen::Vector3d& position) const;
  [[nodiscard]] bool is_there(const Target& target, const Eigen::Vector3d& position) const;
  void count_reached();
  void next_target();
  [[nodiscard]] Eigen::Vector3d wanted_point(const Eigen::Vector3d& position);
  [[nodiscard]] Eigen::Vector3d point_on_path(const Eigen::Vector3d& position);
  [[nodiscard]] Eigen::Vector3d point_to_align(const Target& target,
                                               const Eigen::Vector3d& position);
  [[nodiscard]] double look_ahead(double cycles) const;
  [[nodiscard]] Eigen::Vector3d beyond_turning_circle(const Eigen::Vector3d& position,
                                                      const Eigen::Vector3d& point);
  [[nodiscard]] Eigen::Vector3d around_obstacles(const Eigen::Vector3d& position,
                                                 const Eigen::Vector3d& point) const;

  Course m_course;
  TurnControl m_control;
  std::optional<CoursePath> m_path;
  bool m_level = false;  ///< the stroke cannot pitch: heights are left to the water
  std::optional<Eigen::Vector3d> m_up;
  std::size_t m_target = 0;
  std::size_t m_reached = 0;
  std::size_t m_missed = 0;
  std::vector<TargetOutcome> m_outcomes;             ///< of every target of the course
  Eigen::Vector3d m_last = Eigen::Vector3d::Zero();  ///< position before the last step
  double m_along = 0;                                ///< way on the path
  bool m_on_path = false;                            ///< the path's beginning has been reached
  bool m_leaving = false;         ///< the target lies inside the turning circle: swims away from it
  Stage m_stage = Stage::Decide;  ///< of a target with a heading
  std::optional<Eigen::Vector3d> m_ahead;  ///< where there is no target: a direction to keep
  Eigen::Vector3d m_aim = Eigen::Vector3d::Zero();
  std::array<double, kTurns> m_turns{};
};

/// Keys that push the target aside; released, it returns before the swimmer over some seconds.
/// [MMY section 4.3]
class KeySteering {
 public:
  explicit KeySteering(const PoseGraph& graph);

  /// Each -1, 0 or 1: what is held down now.
  void hold(int up, int left, int roll_left);
  const std::array<double, kTurns>& advance(const Swimmer& swimmer, double seconds);
  [[nodiscard]] Eigen::Vector3d aim() const { return m_aim; }

 private:
  TurnControl m_control;
  std::optional<Eigen::Vector3d> m_up;
  Eigen::Vector3d m_held = Eigen::Vector3d::Zero();    ///< about x (right), y (left), z (up)
  Eigen::Vector3d m_offset = Eigen::Vector3d::Zero();  ///< of the target, rad
  Eigen::Vector3d m_aim = Eigen::Vector3d::Zero();
  std::array<double, kTurns> m_turns{};
};

/// What a bent stroke did over whole cycles.
struct TurnMeasurement {
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();  ///< mean, about the trunk's own axes, rad/s
  double speed = 0;                                ///< mean of the velocity along the trunk's x
};

/// Swims some cycles with one perturbation at k and measures the last of them.
[[nodiscard]] Result<TurnMeasurement> measure_turn(const PoseGraph& graph, const Body& body,
                                                   const WaterSettings& water,
                                                   const StartState& start, Turn turn, double k);

/// Finds six perturbations for a stroke: disturbs every joint in every pose, measures what that
/// does to turn rates and speed over whole cycles, and combines what turns purely and loses little
/// speed, within the joints' limits up to k = 2. A turn that the hinges do not allow is left empty,
/// with a warning. Deterministic; parallel; reports progress.
[[nodiscard]] Result<PoseGraph> find_perturbations(PoseGraph graph, const Body& body,
                                                   const WaterSettings& water,
                                                   const StartState& start = {});

}  // namespace supple::swim
