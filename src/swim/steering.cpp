// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/steering.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace supple::swim {
namespace {

/// Distance of the aim ahead on a curve, as the number of cycles to swim it. With less the swimmer
/// weaves, with more it cuts corners.
constexpr double kLookAheadCycles = 1.5;
constexpr double kJoinCycles = 2.0;      ///< on a line that the swimmer must join
constexpr double kLeastLookAhead = 1.2;  ///< m
/// Multiple of the distance from the curve that is added to the aim.
constexpr double kBackToPath = 0.3;
/// Inside a bend the distance along the curve exceeds the distance swum by at most this factor.
constexpr double kCutBend = 2;
/// While leaving a target inside the turning circle, the aim is this far ahead, m.
constexpr double kFarAhead = 5;
/// The distance that the centre of mass keeps from obstacles, m: an arm stretched out to the side
/// (0.9), half a body width clear (0.3), and what the path may be off by;
constexpr double kRoomBeside = 1.6;
/// and the least, for a target close to one.
constexpr double kLeastRoom = 0.8;
/// Paths nearer to the centre of an obstacle than this share of the distance to keep are head on.
constexpr double kHeadOn = 0.25;
/// A turn counts as easier than its opposite if its circle is smaller by this factor.
constexpr double kEasier = 0.85;
/// The part of a target's reach that may be used to keep away from an obstacle.
constexpr double kUsableReach = 0.8;
/// Within this margin outside the turning circle, the swimmer turns back to the target.
constexpr double kOutside = 1.2;
/// Tolerance for reaching a heading, rad.
constexpr double kHeadingReached = 25 * std::numbers::pi / 180;
/// The part of it that may be used to return to the line near the target, rad.
constexpr double kOffHeading = 18 * std::numbers::pi / 180;

Eigen::Vector3d level(const Eigen::Vector3d& v) {
  const Eigen::Vector3d flat(v.x(), 0, v.z());
  return flat.norm() > 1e-6 ? flat.normalized() : Eigen::Vector3d::UnitX();
}

/// The component of `v` perpendicular to a unit vector.
Eigen::Vector3d across(const Eigen::Vector3d& v, const Eigen::Vector3d& unit) {
  return v - v.dot(unit) * unit;
}

/// The direction to take instead of `to` if a sphere of radius `keep` blocks it: along the tangent
/// on the nearer side, or out of the sphere. Empty if the path is free. `easy`: the side to take if
/// the path leads almost through the centre.
std::optional<Eigen::Vector3d> pass_by(const Eigen::Vector3d& centre, double keep,
                                       const Eigen::Vector3d& to, const Eigen::Vector3d& easy) {
  const double way = to.norm();
  const double distance = centre.norm();
  if (way < 1e-9 || distance < 1e-9) return std::nullopt;
  const Eigen::Vector3d direction = to / way;
  const double along = centre.dot(direction);
  Eigen::Vector3d side = direction * along - centre;  // from the centre to the path
  if (along < 0 || side.norm() >= keep) return std::nullopt;
  if (along > way && (to - centre).norm() >= keep) return std::nullopt;
  if (side.norm() < kHeadOn * keep) side = across(easy, direction);
  const Eigen::Vector3d inward = centre / distance;
  side = across(side, inward);
  side = side.norm() > 1e-9 ? side.normalized() : inward.unitOrthogonal();
  const double sine = std::min(1.0, keep / distance);
  Eigen::Vector3d tangent = std::sqrt(1 - sine * sine) * inward + sine * side;
  if (distance < keep) tangent = side - 2 * (keep - distance) / keep * inward;
  return std::max(distance, 1.0) * tangent.normalized();
}

std::optional<CoursePath> path_of(const Course& course) {
  if (!course.spline || course.targets.size() < 2) return std::nullopt;
  std::vector<Eigen::Vector3d> points;
  points.reserve(course.targets.size());
  for (const Target& target : course.targets) {
    points.push_back(target.position);
    if (course.depth) points.back().y() = *course.depth;
  }
  return CoursePath(points, course.loop);
}

}  // namespace

Steering::Steering(const PoseGraph& graph, Course course)
    : m_course(std::move(course)),
      m_control(graph),
      m_path(path_of(m_course)),
      m_outcomes(m_course.targets.size()) {
  const auto can = [&](Turn turn) {
    return graph.perturbations[static_cast<std::size_t>(turn)].size() > 0;
  };
  m_level = !can(Turn::PitchUp) || !can(Turn::PitchDown);
}

bool Steering::done() const {
  return m_target >= m_course.targets.size();
}

bool Steering::been_round() const {
  const std::size_t count = m_course.targets.size();
  return count > 0 && m_reached + m_missed >= count + (m_course.loop ? 1 : 0);
}

const std::array<double, kTurns>& Steering::advance(const Swimmer& swimmer, double seconds) {
  m_control.observe(swimmer, seconds, m_turns);
  // A swimmer that starts on its back stays on it.
  if (!m_up) m_up = Eigen::Vector3d(0, m_control.axes()(1, 1) < -0.5 ? -1 : 1, 0);
  const Eigen::Vector3d position = swimmer.centre_of_mass();
  note_reached(position);
  Eigen::Vector3d point = wanted_point(position);
  if (!done() && !m_on_path && m_stage != Stage::Align)
    point = beyond_turning_circle(position, point);
  m_aim = around_obstacles(position, point);
  Eigen::Vector3d up = *m_up;
  if (!done() && m_course.targets[m_target].up) up = *m_course.targets[m_target].up;
  m_turns = m_control.turns_for(m_control.rate_towards(m_aim - position, up));
  return m_turns;
}

void Steering::next_target() {
  ++m_target;
  m_leaving = false;
  m_ahead.reset();
  m_stage = Stage::Decide;
  if (m_target == m_course.targets.size() && m_course.loop) m_target = 0;
}

void Steering::count_reached() {
  ++m_reached;
  ++m_outcomes[m_target].reached;
}

double Steering::distance(const Target& target, const Eigen::Vector3d& position) const {
  Eigen::Vector3d away = target.position - position;
  if (m_course.depth || m_level) away.y() = 0;
  return away.norm();
}

bool Steering::is_there(const Target& target, const Eigen::Vector3d& position) const {
  if (distance(target, position) > target.reach) return false;
  const double turned = std::cos(kHeadingReached);
  if (target.heading && m_control.forward().dot(target.heading->normalized()) < turned) {
    return false;
  }
  return !target.up || m_control.axes().col(1).dot(target.up->normalized()) >= turned;
}

void Steering::note_reached(const Eigen::Vector3d& position) {
  if (done()) return;
  double& nearest = m_outcomes[m_target].nearest;
  nearest = std::min(nearest, distance(m_course.targets[m_target], position));
  if (m_on_path) {
    follow_path(position);
  } else if (is_there(m_course.targets[m_target], position)) {
    m_on_path = m_path.has_value();
    count_reached();
    next_target();
  }
  m_last = position;
}

void Steering::follow_path(const Eigen::Vector3d& position) {
  const double length = m_path->length();
  // Where the curve passes near itself, its nearest point may be far ahead: limit progress to the
  // distance actually swum.
  const double most = m_along + kCutBend * (position - m_last).norm();
  m_along = std::clamp(m_path->nearest(position, m_along, most), m_along, most);
  if (!m_path->closed()) m_along = std::min(m_along, length);
  for (std::size_t i = 0; i < m_course.targets.size() && !done(); ++i) {
    const Target& target = m_course.targets[m_target];
    const double knot = m_target == 0 ? length : m_path->knots()[m_target];
    const double end =
        m_path->closed() ? knot + target.reach : std::min(knot + target.reach, length);
    if (m_along > knot - 2 * target.reach && is_there(target, position)) {
      count_reached();
    } else if (m_along >= end - 1e-6 * length) {
      ++m_missed;
    } else {
      return;
    }
    if (m_target == 0) m_along -= length;
    next_target();
  }
}

Eigen::Vector3d Steering::wanted_point(const Eigen::Vector3d& position) {
  Eigen::Vector3d point;
  if (done()) {
    point = point_on_line(position);
  } else if (m_on_path) {
    point = point_on_path(position);
  } else {
    const Target& target = m_course.targets[m_target];
    point = target.heading ? point_to_align(target, position) : target.position;
  }
  if (m_course.depth) point.y() = *m_course.depth;
  if (m_level) point.y() = position.y();
  return point;
}

Eigen::Vector3d Steering::point_on_line(const Eigen::Vector3d& position) {
  if (!m_line) {
    const bool flat = m_course.depth || m_course.targets.empty();
    const Eigen::Vector3d forward = m_control.forward();
    m_line = Line{position, flat ? level(forward) : forward};
  }
  const Eigen::Vector3d away = position - m_line->origin;
  const double along = away.dot(m_line->direction);
  const double beside = across(away, m_line->direction).norm();
  // Far from the line, a point just ahead would be met at a right angle: aim further along.
  const double ahead = std::max(look_ahead(kJoinCycles), beside);
  return m_line->origin + (along + ahead) * m_line->direction;
}

Eigen::Vector3d Steering::point_on_path(const Eigen::Vector3d& position) {
  const double ahead = look_ahead(kLookAheadCycles);
  const Eigen::Vector3d beside = m_path->at(m_along) - position;
  // Far from the curve, a point just ahead would be met at a right angle: aim further along.
  if (beside.norm() > ahead) return m_path->at(m_along + beside.norm());
  // A point ahead on a bend lies inside it; a swimmer off to one side aims to the other.
  return m_path->at(m_along + ahead) + kBackToPath * beside;
}

Eigen::Vector3d Steering::point_to_align(const Target& target, const Eigen::Vector3d& position) {
  const Eigen::Vector3d heading = target.heading->normalized();
  const Eigen::Vector3d away = position - target.position;
  const double before = -away.dot(heading);  // remaining distance along the line to the target
  const Eigen::Vector3d beside = across(away, heading);
  const double radius = m_control.turning_radius(across(-away, m_control.forward()));
  // Aiming this far ahead on a line reduces the distance from it by a factor e over the same
  // distance swum; a swimmer facing elsewhere moves away from the line while turning. If too near,
  // swim to a point before it first.
  const double ahead = look_ahead(kJoinCycles);
  const auto needed = [&](double off) { return ahead * std::log1p(off / (target.reach / 2)); };
  const double off = beside.norm() + radius * (1 - m_control.forward().dot(heading));
  if (m_stage == Stage::Decide) m_stage = before < needed(off) ? Stage::Approach : Stage::Align;
  if (m_stage == Stage::Align && before < -target.reach) m_stage = Stage::Approach;
  if (m_stage == Stage::Approach) {
    Eigen::Vector3d staging = target.position - (needed(2 * radius) + radius) * heading;
    if ((position - staging).norm() > radius && before < needed(off)) return staging;
    m_stage = Stage::Align;
    m_leaving = false;
  }
  // Near the target its position counts more than its line, as far as the heading allows.
  const double steepest = std::min(ahead, beside.norm() / std::tan(kOffHeading));
  return position + std::clamp(before, steepest, ahead) * heading - beside;
}

double Steering::look_ahead(double cycles) const {
  return std::max(kLeastLookAhead, cycles * m_control.cycle_seconds() * m_control.speed());
}

Eigen::Vector3d Steering::beyond_turning_circle(const Eigen::Vector3d& position,
                                                const Eigen::Vector3d& point) {
  // In the plane of the path and the point: the circle tangent to the path at the swimmer.
  const Eigen::Vector3d forward = m_control.forward();
  const Eigen::Vector3d to = point - position;
  const Eigen::Vector3d side = across(to, forward);
  const double radius = m_control.turning_radius(side);
  const double from_centre = std::hypot(to.dot(forward), side.norm() - radius);
  const bool inside = from_centre < radius - 0.8 * m_course.targets[m_target].reach;
  // While the swimmer leaves, a target ahead only gets further inside. One that is not inside any
  // more never was: the heading of an unfinished first cycle sways with the stroke.
  const bool mistaken = !inside && to.dot(forward) > 0;
  if (!m_leaving && inside) {
    m_leaving = true;
    m_ahead = m_course.depth ? level(forward) : forward;
  } else if (m_leaving && (mistaken || from_centre > kOutside * radius)) {
    m_leaving = false;
    m_ahead.reset();
  }
  if (!m_leaving) return point;
  Eigen::Vector3d away = position + kFarAhead * *m_ahead;
  if (m_course.depth) away.y() = *m_course.depth;
  return away;
}

double Steering::room_at_target(const Obstacle& obstacle) const {
  if (done()) return kRoomBeside;
  const Target& target = m_course.targets[m_target];
  const double room = distance(target, obstacle.centre) - obstacle.radius;
  const double least = std::min(kLeastRoom, room + kUsableReach * target.reach);
  return std::clamp(room, least, kRoomBeside);
}

std::optional<Steering::Sphere> Steering::in_the_way(const Obstacle& obstacle, double room,
                                                     const Eigen::Vector3d& position) const {
  Sphere sphere{obstacle.centre - position, obstacle.radius + room};
  if (!m_level && !m_course.depth) return sphere;
  // The swimmer stays at its depth, and passes the sphere's section there.
  const double height = sphere.centre.y();
  if (std::abs(height) >= sphere.keep) return std::nullopt;
  return Sphere{{sphere.centre.x(), 0, sphere.centre.z()},
                std::sqrt(sphere.keep * sphere.keep - height * height)};
}

Eigen::Vector3d Steering::easy_side(const Eigen::Vector3d& to) const {
  const Eigen::Vector3d right(-to.z(), 0, to.x());
  const double on_right = m_control.turning_radius(right);
  const double on_left = m_control.turning_radius(-right);
  return on_left < kEasier * on_right ? Eigen::Vector3d(-right) : right;
}

Eigen::Vector3d Steering::around_obstacles(const Eigen::Vector3d& position,
                                           const Eigen::Vector3d& point) const {
  Eigen::Vector3d aim = point;
  // One obstacle may block the path around another; three rounds suffice for those a swimmer can
  // meet at once.
  for (int round = 0; round < 3; ++round) {
    bool clear = true;
    for (const Obstacle& obstacle : m_course.obstacles) {
      const auto sphere = in_the_way(obstacle, room_at_target(obstacle), position);
      if (!sphere) continue;
      const Eigen::Vector3d to = aim - position;
      const auto free = pass_by(sphere->centre, sphere->keep, to, easy_side(to));
      if (!free) continue;
      aim = position + *free;
      clear = false;
    }
    if (clear) break;
  }
  // A swimmer that has yet to turn to the aim first meets what lies straight ahead.
  const Eigen::Vector3d forward = m_control.forward();
  const double radius = m_control.turning_radius(across(aim - position, forward));
  for (const Obstacle& obstacle : m_course.obstacles) {
    const auto sphere = in_the_way(obstacle, kRoomBeside, position);
    if (!sphere) continue;
    const double away = sphere->centre.norm();
    if (away > sphere->keep + radius || (point - position).norm() < kRoomBeside) continue;
    const Eigen::Vector3d to = (away + sphere->keep) * forward;
    const auto free = pass_by(sphere->centre, sphere->keep, to, easy_side(to));
    if (free) aim = position + *free;
  }
  return aim;
}

}  // namespace supple::swim
