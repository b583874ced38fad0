// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/turn_control.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace supple::swim {
namespace {

/// Errors are corrected over this many cycles: the response to a k comes a cycle late, and faster
/// loops oscillate.
constexpr double kCloseCycles = 1.0;
constexpr double kRollCycles = 1.5;
/// Time constants of the learnt quantities, s.
constexpr double kDriftSeconds = 4;
constexpr double kForwardSeconds = 5;
/// Slower than this, m/s, a direction of motion is noise.
constexpr double kSlow = 0.15;
/// Weight of roll against yaw and pitch: lying askew costs less than going off course.
constexpr double kRollWeight = 0.3;
/// Weight of a k against its rate, so that opposite turns are never mixed needlessly.
constexpr double kEffort = 1e-3;
/// To turn round, the swimmer turns about the vertical axis and stays belly down.
constexpr double kTurnAngle = 100 * std::numbers::pi / 180;
/// The share of the fastest turn that can be sustained over a whole bend.
constexpr double kUsable = 0.8;

Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& m) {
  Eigen::Vector3d x = m.col(0);
  if (x.norm() < 1e-9) return Eigen::Matrix3d::Identity();
  x.normalize();
  Eigen::Vector3d y = m.col(1) - m.col(1).dot(x) * x;
  y = y.norm() < 1e-9 ? x.unitOrthogonal() : y.normalized();
  Eigen::Matrix3d result;
  result << x, y, x.cross(y);
  return result;
}

Eigen::Matrix3d rotation(const Eigen::Vector3d& turn) {
  const double angle = turn.norm();
  if (angle < 1e-12) return Eigen::Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
}

}  // namespace

Eigen::Matrix3d trunk_axes(const Swimmer& swimmer) {
  const auto torso = swimmer.body().find_segment("torso");
  Eigen::Matrix3d pelvis = swimmer.segment(0).axes;
  if (!torso) return pelvis;
  return nearest_rotation(pelvis + swimmer.segment(*torso).axes);
}

Eigen::Vector3d turn_rate(const Eigen::Matrix3d& before, const Eigen::Matrix3d& after,
                          double seconds) {
  const Eigen::AngleAxisd turn(Eigen::Quaterniond(before.transpose() * after));
  return turn.angle() / seconds * turn.axis();
}

Crossing cross_current(const Eigen::Vector3d& direction, const Eigen::Vector3d& current,
                       double own_speed) {
  const double along = current.dot(direction);
  const Eigen::Vector3d across = current - along * direction;
  const double aside = across.norm();
  if (aside >= own_speed) return {direction, own_speed - aside};
  const double ahead = std::sqrt(own_speed * own_speed - aside * aside);
  if (along + ahead <= 0) return {direction, along + ahead};
  return {(ahead * direction - across) / own_speed, along + ahead};
}

TurnControl::TurnControl(const PoseGraph& graph)
    : m_rates(graph.turn_rates), m_cycle(graph.cycle_seconds()) {}

void TurnControl::observe(const Swimmer& swimmer, double seconds,
                          const std::array<double, kTurns>& turns) {
  Moment now;
  now.seconds = seconds;
  now.axes = trunk_axes(swimmer);
  now.current = Eigen::Vector3d::Zero();
  if (const auto& flow = swimmer.water().settings().flow) {
    now.current = flow->velocity(swimmer.centre_of_mass(), swimmer.time());
  }
  now.velocity = swimmer.velocity() - now.current;
  now.commanded = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < kTurns; ++i) now.commanded += turns[i] * m_rates[i];
  const auto most = static_cast<std::size_t>(std::max(1.0, std::round(m_cycle / seconds))) + 1;
  if (m_past.size() == most) {
    m_newest = (m_newest + 1) % most;
    m_past[m_newest] = now;
  } else {  // at the start, and when the step length has changed
    const auto oldest = static_cast<std::ptrdiff_t>(m_past.empty() ? 0 : m_newest + 1);
    std::rotate(m_past.begin(), m_past.begin() + oldest, m_past.end());
    m_past.push_back(now);
    if (m_past.size() > most) {
      m_past.erase(m_past.begin(), m_past.end() - static_cast<std::ptrdiff_t>(most));
    }
    m_newest = m_past.size() - 1;
  }
  learn(seconds);
}

void TurnControl::learn(double seconds) {
  Eigen::Matrix3d axes = Eigen::Matrix3d::Zero();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d own = Eigen::Vector3d::Zero();  // velocity in the trunk's axes
  Eigen::Vector3d current = Eigen::Vector3d::Zero();
  Eigen::Vector3d commanded = Eigen::Vector3d::Zero();
  double time = 0;
  const std::size_t oldest = (m_newest + 1) % m_past.size();
  for (std::size_t i = 0; i < m_past.size(); ++i) {
    const Moment& moment = m_past[i];
    // A cycle ends at the phase at which it began, so the two share one weight in the mean.
    const double share = i == oldest || i == m_newest ? 0.5 : 1;
    axes += share * moment.axes;
    velocity += share * moment.velocity;
    current += share * moment.current;
    own += share * moment.axes.transpose() * moment.velocity;
    if (i == oldest) continue;  // its interval lies before the cycle
    commanded += moment.commanded;
    time += moment.seconds;
  }
  const auto count = std::max(0.5, static_cast<double>(m_past.size()) - 1);
  axes = nearest_rotation(axes);
  m_speed = velocity.norm() / count;
  m_current = current / count;
  // Compared with the same phase a cycle ago, so that sway cancels.
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();
  if (time > 0.5 * m_cycle) {
    rate = turn_rate(m_past[oldest].axes, m_past[m_newest].axes, time);
  }
  // The mean is half a cycle old.
  m_axes = axes * rotation(rate * time / 2);
  if (time < 0.95 * m_cycle) return;
  m_drift += std::min(1.0, seconds / kDriftSeconds) * (rate - commanded / count - m_drift);
  if (own.norm() / count < kSlow) return;
  m_forward += std::min(1.0, seconds / kForwardSeconds) * (own.normalized() - m_forward);
  m_forward.normalize();
}

Eigen::Vector3d TurnControl::rate_towards(const Eigen::Vector3d& direction,
                                          const Eigen::Vector3d& up) const {
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();
  if (direction.norm() > 0) {
    Eigen::Vector3d heading = direction.normalized();
    if (!m_current.isZero() && m_speed > kSlow) {
      heading = cross_current(heading, m_current, m_speed).heading;
    }
    const Eigen::Vector3d d = m_axes.transpose() * heading;
    Eigen::Vector3d axis = m_forward.cross(d);
    const double angle = std::atan2(axis.norm(), m_forward.dot(d));
    axis.x() = 0;
    if (angle > kTurnAngle) {
      axis.z() *= std::max(0.0, 1 - 4 * (angle - kTurnAngle));
      if (std::abs(axis.y()) < 0.1) axis.y() = std::copysign(0.1, axis.y());
    }
    if (axis.norm() > 1e-9) rate = axis.normalized() * angle / (kCloseCycles * m_cycle);
  }
  const Eigen::Vector3d u = m_axes.transpose() * up;
  // Upright is undefined for a swimmer heading straight up or down: the correction fades out there.
  rate.x() = std::atan2(u.z(), u.y()) * std::hypot(u.y(), u.z()) / (kRollCycles * m_cycle);
  return rate;
}

double TurnControl::turning_radius(const Eigen::Vector3d& side) const {
  Eigen::Vector3d axis = m_forward.cross(m_axes.transpose() * side);
  axis.x() = 0;
  if (axis.norm() < 1e-9) axis = Eigen::Vector3d::UnitY();
  axis.normalize();
  double fastest = 0;
  for (const double wanted : {4.0, 2.0, 1.0, 0.5, 0.25}) {
    const auto k = turns_for(wanted * axis);
    Eigen::Vector3d rate = m_drift;
    for (std::size_t i = 0; i < kTurns; ++i) rate += k[i] * m_rates[i];
    fastest = std::max(fastest, rate.dot(axis));
  }
  return m_speed / std::max(kUsable * fastest, 0.05);
}

std::array<double, kTurns> TurnControl::turns_for(const Eigen::Vector3d& rate) const {
  // Bounded least squares by coordinate descent; six unknowns converge in a few rounds.
  constexpr int kRounds = 20;
  const Eigen::Vector3d weight(kRollWeight, 1, 1);
  std::array<double, kTurns> k{};
  Eigen::Vector3d missing = rate - m_drift;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < kTurns; ++i) {
      const Eigen::Vector3d& r = m_rates[i];
      const double square = (weight.array() * r.array().square()).sum();
      if (square < 1e-8) continue;
      const double slope = (weight.array() * r.array() * missing.array()).sum() + square * k[i];
      const double next = std::clamp(slope / (square + kEffort), 0.0, kMostTurn);
      missing -= (next - k[i]) * r;
      k[i] = next;
    }
  }
  return k;
}

}  // namespace supple::swim
