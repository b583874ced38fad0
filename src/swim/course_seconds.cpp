// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/recording.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace supple::swim {
namespace {

constexpr double kLeast = 7;         ///< s
constexpr double kLongest = 600;     ///< s: longer runs must be requested
constexpr double kPatience = 3;      ///< times the time of the shortest path
constexpr double kTurnDistance = 5;  ///< m: shortest path to a target
/// m: path to the line through a target with a heading
constexpr double kLineUp = 12;
constexpr double kLeastSpeed = 0.02;  ///< m/s
/// Steering leaves a target inside the turning circle until it is this far out, in radii.
constexpr double kLeftBehind = 1.2;
/// A swimmer slows down in a bend and begins it gradually: its circles are wider than its steady
/// turn by this factor.
constexpr double kWider = 1.5;

/// A swimmer at a place, which turns on circles.
struct Traveller {
  Eigen::Vector3d position;
  Eigen::Vector3d heading;
  double radius;  ///< m, of its turning circle

  /// The length of the shortest path to a point, which it then has travelled: an arc and its
  /// tangent [Dubins57], after a straight part if the point lies inside the turning circle.
  double go(const Eigen::Vector3d& to) {
    const Eigen::Vector3d way = to - position;
    double ahead = way.dot(heading);
    Eigen::Vector3d side = way - ahead * heading;
    const double beside = side.norm();
    side = beside > 1e-9 ? Eigen::Vector3d(side / beside) : heading.unitOrthogonal();
    double straight = 0;
    if (std::hypot(ahead, beside - radius) < radius) {
      straight =
          ahead + std::sqrt(std::pow(kLeftBehind * radius, 2) - std::pow(beside - radius, 2));
      ahead -= straight;
    }
    // About the circle's centre, from the swimmer to the point, less the angle of the tangent.
    const double distance = std::hypot(ahead, beside - radius);
    const double tangent = std::sqrt(std::max(0.0, distance * distance - radius * radius));
    double turn = std::atan2(ahead, radius - beside) - std::atan2(tangent, radius);
    if (turn < 0) turn += 2 * std::numbers::pi;
    position = to;
    heading = (std::cos(turn) * heading + std::sin(turn) * side).normalized();
    return straight + radius * turn + tangent;
  }
};

/// Of the slower of the turns to the left and to the right.
double widest_circle(const PoseGraph& stroke, double speed) {
  double slowest = std::numeric_limits<double>::infinity();
  for (const Turn turn : {Turn::YawLeft, Turn::YawRight}) {
    const double rate = std::abs(stroke.turn_rates.at(static_cast<std::size_t>(turn)).y());
    if (rate > 0) slowest = std::min(slowest, kMostTurn * rate);
  }
  return std::isfinite(slowest) ? kWider * speed / slowest : 0;
}

/// Over ground along a leg, in the current half-way; the swimmer's own if the current is too fast,
/// because more time would not help then.
double speed_on(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double own,
                const WaterSettings& water) {
  if (!water.flow || (to - from).norm() < 1e-9) return own;
  const Eigen::Vector3d current = water.flow->velocity((from + to) / 2, 0);
  const double speed = cross_current((to - from).normalized(), current, own).speed;
  return speed > kLeastSpeed ? std::min(speed, own) : own;
}

}  // namespace

Result<double> straight_speed(const Body& body, const WaterSettings& water, const PoseGraph& stroke,
                              const StartState& start) {
  RunSettings trial;
  trial.seconds = std::max(kLeast, 3 * stroke.cycle_seconds());
  SUPPLE_TRY(const Recording straight, record_swim(body, water, stroke, start, trial, nullptr));
  return report(straight, body, water).mean_speed_mps;
}

Result<double> course_seconds(const Body& body, const WaterSettings& water, const PoseGraph& stroke,
                              const StartState& start, const Course& course) {
  if (course.targets.empty()) return kLeast;
  SUPPLE_TRY(const double trial, straight_speed(body, water, stroke, start));
  const double own = std::max(kLeastSpeed, trial);
  Traveller swimmer{start.position, start.axes.col(0), widest_circle(stroke, own)};
  double seconds = 0;
  const std::size_t count = course.targets.size();
  for (std::size_t i = 0; i < count + (course.loop ? 1 : 0); ++i) {
    const Target& target = course.targets[i % count];
    const double speed = speed_on(swimmer.position, target.position, own, water);
    double way = std::max(kTurnDistance, swimmer.go(target.position));
    if (target.heading) {
      way += kLineUp + 2 * std::numbers::pi * swimmer.radius;
      swimmer.heading = target.heading->normalized();
    }
    seconds += way / speed;
  }
  // A target at the edge of the turning circle may be missed by a little: the swimmer comes round.
  const double round = 2 * std::numbers::pi * swimmer.radius / own;
  return std::clamp(kPatience * seconds + round, kLeast, kLongest);
}

}  // namespace supple::swim
