// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/steering.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::swim {
namespace {

/// How fast a held key moves the target aside, rad/s, and how far at most.
constexpr double kPush = 60 * std::numbers::pi / 180;
constexpr double kMostAside = 75 * std::numbers::pi / 180;
/// After release, the target is 95 % of the way back after two seconds.
constexpr double kReturnSeconds = 2.0 / 3;
constexpr double kTargetAhead = 4;  ///< m, to the target
/// A target nearer to the front than this, rad, is in front: the swimmer keeps its direction.
constexpr double kInFront = 2 * std::numbers::pi / 180;
/// Sines of angles above the level. Less steep than the first is level; steeper than the second,
/// the direction has no heading; the third is the most by which a lost height is made up for.
const double kLevelRise = std::sin(10 * std::numbers::pi / 180);
const double kSteepRise = std::sin(60 * std::numbers::pi / 180);
const double kMostCorrection = std::sin(20 * std::numbers::pi / 180);
/// A lost height is made up for over this distance, m: over less the swimmer overshoots.
constexpr double kCorrectionWay = 1.3;

}  // namespace

KeySteering::KeySteering(const PoseGraph& graph) : m_control(graph) {}

void KeySteering::hold(int up, int left, int roll_left) {
  const auto key = [](int value) { return static_cast<double>(std::clamp(value, -1, 1)); };
  m_held = Eigen::Vector3d(-key(roll_left), key(left), key(up));
}

const std::array<double, kTurns>& KeySteering::advance(const Swimmer& swimmer, double seconds) {
  m_control.observe(swimmer, seconds, m_turns);
  // A swimmer that starts on its back stays on it.
  if (!m_up) m_up = Eigen::Vector3d(0, m_control.axes()(1, 1) < -0.5 ? -1 : 1, 0);
  for (Eigen::Index i = 0; i < 3; ++i) {
    double& offset = m_offset[i];
    if (m_held[i] == 0) {
      offset *= std::exp(-seconds / kReturnSeconds);
    } else {
      offset = std::clamp(offset + m_held[i] * kPush * seconds, -kMostAside, kMostAside);
    }
  }
  hold_height(swimmer.centre_of_mass().y(), seconds);
  const Eigen::Vector3d direction = wanted_direction(swimmer.centre_of_mass().y());
  m_aim = swimmer.centre_of_mass() + kTargetAhead * direction;
  Eigen::Vector3d rate = m_control.rate_towards(direction, *m_up);
  // A requested roll has priority; the swimmer returns to belly down after the key is released.
  const double asked = std::min(1.0, std::abs(m_offset.x()) / (0.1 * kMostAside));
  rate.x() = (1 - asked) * rate.x() + m_offset.x() / m_control.cycle_seconds();
  m_turns = m_control.turns_for(rate);
  return m_turns;
}

void KeySteering::hold_height(double now, double seconds) {
  const double rise = m_control.forward().y();
  if (std::abs(m_offset.z()) > kInFront || std::abs(rise) > kSteepRise) {
    m_height.reset();
    return;
  }
  if (!m_height) m_height = {now, std::abs(rise) < kLevelRise ? 0 : rise};
  m_height->at += m_height->rise * m_control.speed() * seconds;
}

Eigen::Vector3d KeySteering::wanted_direction(double height) {
  const Eigen::Vector3d aside(0, m_offset.y(), m_offset.z());
  const Eigen::Vector3d forward = m_control.forward();
  if (aside.norm() <= kInFront) {
    if (!m_course) m_course = forward;
    return m_height ? at_height(*m_course, height) : *m_course;
  }
  m_course.reset();
  if (m_height) {  // to the side alone: about the vertical, however the body lies
    const Eigen::AngleAxisd turn(aside.y(), *m_up);
    return at_height(turn * forward, height);
  }
  return m_control.axes() * (Eigen::AngleAxisd(aside.norm(), aside.normalized()) *
                             (m_control.axes().transpose() * forward));
}

Eigen::Vector3d KeySteering::at_height(const Eigen::Vector3d& direction, double height) const {
  const double lost = (m_height->at - height) / kCorrectionWay;
  const double rise = m_height->rise + std::clamp(lost, -kMostCorrection, kMostCorrection);
  const Eigen::Vector3d level = Eigen::Vector3d(direction.x(), 0, direction.z()).normalized();
  return std::sqrt(1 - rise * rise) * level + rise * Eigen::Vector3d::UnitY();
}

}  // namespace supple::swim
