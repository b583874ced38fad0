// SPDX-License-Identifier: Apache-2.0
#include "swim/stroke_variables.hpp"

#include "supple/core/units.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace supple::swim {
namespace {

constexpr double kAngleUnit = 15 * kDegree;
constexpr double kLogTimeUnit = 0.3;
/// Poses last 0.55 to 1.8 times their original duration.
constexpr double kMostLogTime = 0.6;
constexpr double kSame = 1e-7;
/// Angles this close to their limits are unnatural.
constexpr double kNearLimit = 5 * kDegree;

/// The joint of the other side; itself for those of the middle.
std::vector<std::size_t> other_sides(const Body& body) {
  std::vector<std::size_t> others(body.joints.size());
  for (std::size_t j = 0; j < others.size(); ++j) {
    const std::string& name = body.joints[j].name;
    std::string other = name;
    if (name.starts_with("right_")) other = "left_" + name.substr(6);
    if (name.starts_with("left_")) other = "right_" + name.substr(5);
    others[j] = body.find_joint(other).value_or(j);
  }
  return others;
}

bool mirror_each_other(const Pose& a, const Pose& b, const std::vector<std::size_t>& others) {
  for (std::size_t j = 0; j < others.size(); ++j) {
    if (std::abs(a.angles[j] - b.angles[others[j]]) > kSame) return false;
  }
  return std::abs(a.duration - b.duration) < kSame;
}

}  // namespace

Symmetry find_symmetry(const PoseGraph& stroke, const Body& body) {
  const std::vector<std::size_t> others = other_sides(body);
  const std::vector<Pose>& poses = stroke.poses;
  if (std::ranges::all_of(poses, [&](const Pose& p) { return mirror_each_other(p, p, others); })) {
    return Symmetry::Equal;
  }
  const std::size_t half = poses.size() / 2;
  if (poses.size() % 2 != 0) return Symmetry::None;
  for (std::size_t i = 0; i < half; ++i) {
    if (!mirror_each_other(poses[i], poses[i + half], others)) return Symmetry::None;
  }
  return Symmetry::Alternating;
}

StrokeVariables::StrokeVariables(const PoseGraph& stroke, const Body& body, Symmetry symmetry)
    : m_stroke(stroke) {
  const std::vector<std::size_t> others = other_sides(body);
  const std::size_t poses = stroke.poses.size();
  const bool alternating = symmetry == Symmetry::Alternating;
  const std::size_t counted = alternating ? poses / 2 : poses;
  // Joints that the given stroke holds still, such as a neck, stay still.
  const auto moves = [&](std::size_t joint) {
    return std::ranges::any_of(stroke.poses, [&](const Pose& p) {
      return std::abs(p.angles[joint] - stroke.poses.front().angles[joint]) > kSame;
    });
  };
  m_angles.reserve(counted * body.joints.size());
  m_times.reserve(counted);
  for (std::size_t i = 0; i < counted; ++i) {
    const Pose& pose = stroke.poses[i];
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      const Joint& joint = body.joints[j];
      if (!moves(j) && !moves(others[j])) continue;
      if (symmetry == Symmetry::Equal && others[j] < j) continue;
      Angle angle{pose.angles[j], joint.low, joint.high, {{i, j}}};
      if (symmetry == Symmetry::Equal && others[j] != j) angle.uses.emplace_back(i, others[j]);
      if (alternating) angle.uses.emplace_back(i + counted, others[j]);
      m_angles.push_back(std::move(angle));
    }
    Time time{pose.duration, {i}};
    if (alternating) time.poses.push_back(i + counted);
    m_times.push_back(std::move(time));
  }
}

double StrokeVariables::wanted(const Eigen::VectorXd& x, std::size_t angle) const {
  return m_angles[angle].given + kAngleUnit * x[static_cast<Eigen::Index>(angle)];
}

PoseGraph StrokeVariables::at(const Eigen::VectorXd& x) const {
  PoseGraph stroke = m_stroke;
  for (std::size_t i = 0; i < m_angles.size(); ++i) {
    const Angle& angle = m_angles[i];
    for (const auto& [pose, joint] : angle.uses) {
      stroke.poses[pose].angles[joint] = std::clamp(wanted(x, i), angle.low, angle.high);
    }
  }
  for (std::size_t i = 0; i < m_times.size(); ++i) {
    const double log_time = kLogTimeUnit * x[static_cast<Eigen::Index>(m_angles.size() + i)];
    const double factor = std::exp(std::clamp(log_time, -kMostLogTime, kMostLogTime));
    for (const std::size_t pose : m_times[i].poses) {
      stroke.poses[pose].duration = m_times[i].given * factor;
      stroke.poses[pose].blend = m_stroke.poses[pose].blend * factor;
    }
  }
  return stroke;
}

double StrokeVariables::beyond_limits(const Eigen::VectorXd& x) const {
  double sum = 0;
  for (std::size_t i = 0; i < m_angles.size(); ++i) {
    const double angle = wanted(x, i);
    const double beyond = angle - std::clamp(angle, m_angles[i].low, m_angles[i].high);
    sum += beyond * beyond / (kAngleUnit * kAngleUnit);
  }
  for (std::size_t i = 0; i < m_times.size(); ++i) {
    const double log_time = kLogTimeUnit * x[static_cast<Eigen::Index>(m_angles.size() + i)];
    const double beyond = std::max(0.0, std::abs(log_time) - kMostLogTime) / kLogTimeUnit;
    sum += beyond * beyond;
  }
  return sum;
}

double StrokeVariables::strangeness(const Eigen::VectorXd& x) const {
  double sum = 0;
  for (std::size_t i = 0; i < m_angles.size(); ++i) {
    const Angle& angle = m_angles[i];
    const double change = x[static_cast<Eigen::Index>(i)];
    const double room = std::min(wanted(x, i) - angle.low, angle.high - wanted(x, i));
    // An angle that started near its limit may stay there.
    const double had = std::min({angle.given - angle.low, angle.high - angle.given, kNearLimit});
    const double near = std::clamp((had - room) / kNearLimit, 0.0, 1.0);
    sum += change * change + 4 * near * near;
  }
  return sum / static_cast<double>(std::max<std::size_t>(m_angles.size(), 1));
}

}  // namespace supple::swim
