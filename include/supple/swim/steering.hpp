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
#include <span>
#include <string>
#include <vector>

namespace supple::swim {

struct Obstacle {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0;
};

/// A position to reach, with an optional swimming direction there and an optional up direction (y
/// of the trunk).
struct Target {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  std::optional<Eigen::Vector3d> heading;
  std::optional<Eigen::Vector3d> up;  ///< none: world up
  double reach = 0.5;                 ///< m: a centre of mass this near counts as arrived
};

/// Without targets, and after the last one, the swimmer holds its course: it stays on the line
/// along its heading, level if it begins without targets.
struct Course {
  std::vector<Target> targets;  ///< one after the other
  bool spline = false;          ///< through them as a smooth curve (Catmull-Rom), else straight
  bool loop = false;            ///< continue with the first after the last
  /// y to hold; targets are then reached by x and z alone. None: without targets, that of the
  /// start.
  std::optional<double> depth;
  std::vector<Obstacle> obstacles;

  /// Rejects targets inside obstacles, numbers out of range, ...
  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges, defaults and descriptions of a course.toml.
[[nodiscard]] const settings::Fields<Course>& course_fields();

/// The outcome for one target.
struct TargetOutcome {
  std::size_t reached = 0;  ///< number of times; possibly several in a loop
  /// m, from the centre of mass while this was the next target, ignoring heights if they do not
  /// count; infinite if it never was.
  double nearest = std::numeric_limits<double>::infinity();
};

/// The distance of the boxes around a body's segments from an obstacle, m; negative: inside it.
[[nodiscard]] double clearance(const Body& body, std::span<const SegmentMotion> segments,
                               const Obstacle& obstacle);

/// Checks that a stroke can turn; the error says how to find its perturbations.
[[nodiscard]] Result<void> can_steer(const PoseGraph& graph);
/// A message about the parts of a course, begun at the height `y`, that a stroke cannot control;
/// empty if it controls everything.
[[nodiscard]] std::string steering_warning(const PoseGraph& graph, const Course& course, double y);

/// [MMY section 4.3]: converts a course into the k of the six perturbations.
class Steering {
 public:
  Steering(const PoseGraph& graph, Course course);

  /// The k for the next step. Call it once before every step.
  const std::array<double, kTurns>& advance(const Swimmer& swimmer, double seconds);
  [[nodiscard]] std::size_t reached() const { return m_reached; }  ///< targets, over all rounds
  /// Targets of a curve that were passed, but too far away or with the wrong heading.
  [[nodiscard]] std::size_t missed() const { return m_missed; }
  [[nodiscard]] bool done() const;
  /// Every target has been reached or passed; in a loop also the first one again.
  [[nodiscard]] bool been_round() const;
  [[nodiscard]] const std::vector<TargetOutcome>& outcomes() const { return m_outcomes; }
  [[nodiscard]] Eigen::Vector3d aim() const { return m_aim; }  ///< the point it is heading for
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
  [[nodiscard]] Eigen::Vector3d point_on_line(const Eigen::Vector3d& position);
  [[nodiscard]] Eigen::Vector3d point_on_path(const Eigen::Vector3d& position);
  [[nodiscard]] Eigen::Vector3d point_to_align(const Target& target,
                                               const Eigen::Vector3d& position);
  [[nodiscard]] double look_ahead(double cycles) const;
  [[nodiscard]] Eigen::Vector3d beyond_turning_circle(const Eigen::Vector3d& position,
                                                      const Eigen::Vector3d& point);
  /// What the centre of mass keeps from an obstacle, m: less for a target close to it.
  [[nodiscard]] double room_at_target(const Obstacle& obstacle) const;
  struct Sphere {
    Eigen::Vector3d centre;  ///< from the swimmer
    double keep;             ///< m, radius to stay out of
  };
  /// Empty: the swimmer passes above or below.
  [[nodiscard]] std::optional<Sphere> in_the_way(const Obstacle& obstacle, double room,
                                                 const Eigen::Vector3d& position) const;
  /// Of the way `to` somewhere: where the swimmer turns faster, else the right.
  [[nodiscard]] Eigen::Vector3d easy_side(const Eigen::Vector3d& to) const;
  [[nodiscard]] Eigen::Vector3d around_obstacles(const Eigen::Vector3d& position,
                                                 const Eigen::Vector3d& point) const;

  Course m_course;
  TurnControl m_control;
  std::optional<CoursePath> m_path;
  bool m_level = false;  ///< the stroke cannot pitch: heights are not controlled
  std::optional<Eigen::Vector3d> m_up;
  std::size_t m_target = 0;
  std::size_t m_reached = 0;
  std::size_t m_missed = 0;
  std::vector<TargetOutcome> m_outcomes;             ///< of every target of the course
  Eigen::Vector3d m_last = Eigen::Vector3d::Zero();  ///< position before the last step
  double m_along = 0;                                ///< distance along the path
  bool m_on_path = false;                            ///< the start of the path has been reached
  bool m_leaving = false;         ///< the target lies inside the turning circle: swim away from it
  Stage m_stage = Stage::Decide;  ///< of a target with a heading
  std::optional<Eigen::Vector3d> m_ahead;  ///< while leaving: a direction to keep
  struct Line {
    Eigen::Vector3d origin, direction;
  };
  std::optional<Line> m_line;  ///< to hold without a target
  Eigen::Vector3d m_aim = Eigen::Vector3d::Zero();
  std::array<double, kTurns> m_turns{};
};

/// Keys that push the target aside; on release it returns to the front of the swimmer over a few
/// seconds [MMY section 4.3], and the swimmer keeps the direction that it has then. Unlike there, a
/// turn to the side keeps the height, or goes on to rise or sink as before.
class KeySteering {
 public:
  explicit KeySteering(const PoseGraph& graph);

  /// Each -1, 0 or 1: the keys held down now.
  void hold(int up, int left, int roll_left);
  const std::array<double, kTurns>& advance(const Swimmer& swimmer, double seconds);
  [[nodiscard]] Eigen::Vector3d aim() const { return m_aim; }
  [[nodiscard]] const TurnControl& control() const { return m_control; }

 private:
  void hold_height(double now, double seconds);
  [[nodiscard]] Eigen::Vector3d wanted_direction(double height);
  /// A direction of the same heading, at the slope that leads to the wanted height.
  [[nodiscard]] Eigen::Vector3d at_height(const Eigen::Vector3d& direction, double height) const;

  TurnControl m_control;
  std::optional<Eigen::Vector3d> m_up;
  /// Unless a key pitches, or the way is steep.
  struct Height {
    double at;    ///< m, wanted now
    double rise;  ///< sine of the slope
  };
  std::optional<Height> m_height;
  std::optional<Eigen::Vector3d> m_course;             ///< direction to keep while no key acts
  Eigen::Vector3d m_held = Eigen::Vector3d::Zero();    ///< about x (right), y (left), z (up)
  Eigen::Vector3d m_offset = Eigen::Vector3d::Zero();  ///< of the target, rad
  Eigen::Vector3d m_aim = Eigen::Vector3d::Zero();
  std::array<double, kTurns> m_turns{};
};

/// The measured effect of a perturbed stroke over whole cycles.
struct TurnMeasurement {
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();  ///< mean, about the trunk's own axes, rad/s
  double speed = 0;                                ///< mean of the velocity along the trunk's x
};

/// Swims some cycles with one perturbation at k and measures the last of them.
[[nodiscard]] Result<TurnMeasurement> measure_turn(const PoseGraph& graph, const Body& body,
                                                   const WaterSettings& water,
                                                   const StartState& start, Turn turn, double k);

/// Finds six perturbations for a stroke: disturbs every joint in every pose, measures the effect on
/// turn rates and speed over whole cycles, and combines disturbances that turn about one axis only
/// and lose little speed, within the joints' limits up to k = 2. A turn that the hinges do not
/// allow is left empty, with a warning. Deterministic; parallel; reports progress.
[[nodiscard]] Result<PoseGraph> find_perturbations(PoseGraph graph, const Body& body,
                                                   const WaterSettings& water,
                                                   const StartState& start = {});

}  // namespace supple::swim
