// SPDX-License-Identifier: Apache-2.0
#include "supple/simulator/script.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::simulator {
namespace {

/// Seconds of a span that have passed.
double elapsed(const Span& span, double time) {
  return std::max(0.0, std::min(time, span.end) - span.begin);
}

Mat3 turned(const Vec3& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

Eigen::Quaterniond quaternion(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm();
  if (angle == 0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, rotation_vector / angle));
}

Pose about(const Vec3& centre, const Mat3& rotation, const Vec3& translation) {
  return {rotation, centre - rotation * centre + translation};
}

Pose pose_of(const Drift& drift, double time) {
  return {Mat3::Identity(), elapsed(drift.span, time) * drift.velocity};
}

Pose pose_of(const Turn& turn, double time) {
  return about(turn.point, turned(turn.axis, turn.speed * elapsed(turn.span, time)), Vec3::Zero());
}

Pose pose_of(const Oscillation& oscillation, double time) {
  const double turns = oscillation.frequency * elapsed(oscillation.span, time);
  const double share =
      std::sin(2 * std::numbers::pi * turns + oscillation.phase) - std::sin(oscillation.phase);
  return {Mat3::Identity(), share * oscillation.amplitude};
}

Pose pose_of(const Keyframes& keyframes, double time) {
  const auto& keys = keyframes.keys;
  const auto after = std::ranges::upper_bound(keys, time, {}, &Keyframes::Key::time);
  const auto& b = after == keys.end() ? keys.back() : *after;
  const auto& a = after == keys.begin() ? keys.front() : *(after - 1);
  const double length = b.time - a.time;
  const double share = length > 0 ? (time - a.time) / length : 0.0;
  const Eigen::Quaterniond turn =
      quaternion(a.rotation_vector).slerp(share, quaternion(b.rotation_vector));
  return about(keyframes.centre, turn.toRotationMatrix(),
               (1 - share) * a.translation + share * b.translation);
}

Result<void> check_span(const Span& span) {
  if (std::isnan(span.begin) || std::isnan(span.end) || !std::isfinite(span.begin) ||
      span.end < span.begin) {
    return bad_input(
        fmt::format("the span from {} s to {} s has no length; let it end after it begins",
                    span.begin, span.end));
  }
  return {};
}

Result<void> check_finite(bool finite) {
  if (!finite) return bad_input("a number is not finite; give finite numbers");
  return {};
}

Result<void> check(const Drift& drift) {
  SUPPLE_TRY_VOID(check_finite(drift.velocity.allFinite()));
  return check_span(drift.span);
}

Result<void> check(const Turn& turn) {
  SUPPLE_TRY_VOID(
      check_finite(turn.point.allFinite() && turn.axis.allFinite() && std::isfinite(turn.speed)));
  if (turn.axis.norm() == 0) return bad_input("the axis has no length; give a direction");
  return check_span(turn.span);
}

Result<void> check(const Oscillation& oscillation) {
  SUPPLE_TRY_VOID(check_finite(oscillation.amplitude.allFinite() &&
                               std::isfinite(oscillation.frequency) &&
                               std::isfinite(oscillation.phase)));
  return check_span(oscillation.span);
}

Result<void> check(const Keyframes& keyframes) {
  if (keyframes.keys.empty()) return bad_input("there are no keyframes; give at least one");
  for (std::size_t i = 0; i < keyframes.keys.size(); ++i) {
    const Keyframes::Key& key = keyframes.keys[i];
    SUPPLE_TRY_VOID(check_finite(std::isfinite(key.time) && key.translation.allFinite() &&
                                 key.rotation_vector.allFinite()));
    if (i > 0 && !(key.time > keyframes.keys[i - 1].time)) {
      return bad_input(
          fmt::format("keyframe {} at {} s does not come after the one before; let times ascend",
                      i + 1, key.time));
    }
  }
  return check_finite(keyframes.centre.allFinite());
}

}  // namespace

Pose Script::at(double time) const {
  Pose pose;
  for (const ScriptedMotion& motion : motions) {
    const Pose next = std::visit([&](const auto& m) { return pose_of(m, time); }, motion);
    pose = {next.rotation * pose.rotation, next(pose.translation)};
  }
  return pose;
}

Result<void> Script::validate() const {
  for (std::size_t i = 0; i < motions.size(); ++i) {
    SUPPLE_TRY_VOID(std::visit([](const auto& m) { return check(m); }, motions[i])
                        .during(fmt::format("checking motion {} of the script", i + 1)));
  }
  return {};
}

}  // namespace supple::simulator
