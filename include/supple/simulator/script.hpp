// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <limits>
#include <variant>
#include <vector>

namespace supple::simulator {

using geometry::Mat3;
using geometry::Vec3;

/// A rigid motion from the positions at which a body was given: x = rotation X + translation.
struct Pose {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();

  [[nodiscard]] Vec3 operator()(const Vec3& point) const { return rotation * point + translation; }
};

/// When a motion goes on, in seconds: it stands still before and after.
struct Span {
  double begin = 0;
  double end = std::numeric_limits<double>::infinity();
};

/// A constant velocity.
struct Drift {
  Vec3 velocity = Vec3::Zero();  ///< m/s
  Span span = {};
};

/// A rotation about a fixed axis.
struct Turn {
  Vec3 point = Vec3::Zero();  ///< on the axis
  Vec3 axis = Vec3::UnitY();  ///< of any length but 0
  double speed = 0;           ///< rad/s
  Span span = {};
};

/// amplitude (sin(2 pi frequency t + phase) - sin(phase)), with t from the begin of its span.
struct Oscillation {
  Vec3 amplitude = Vec3::Zero();  ///< m
  double frequency = 0;           ///< Hz
  double phase = 0;               ///< rad
  Span span = {};
};

/// Poses at given times: rotations about a centre, then translations. Between two of them
/// translations change linearly and rotations at constant speed; before the first and after the
/// last the body stands still.
struct Keyframes {
  struct Key {
    double time = 0;                      ///< s
    Vec3 translation = Vec3::Zero();      ///< m
    Vec3 rotation_vector = Vec3::Zero();  ///< its length is the angle in radians
  };
  std::vector<Key> keys;
  Vec3 centre = Vec3::Zero();
};

using ScriptedMotion = std::variant<Drift, Turn, Oscillation, Keyframes>;

/// How a body moves, whatever is in its way: motions applied one after the other. Without any the
/// body stands still.
struct Script {
  std::vector<ScriptedMotion> motions;

  [[nodiscard]] Pose at(double time) const;
  [[nodiscard]] bool is_still() const { return motions.empty(); }
  /// Numbers that are not finite, an axis of length 0, a span that ends before it begins, keys
  /// whose times do not ascend: errors that say which motion, counted from 1.
  [[nodiscard]] Result<void> validate() const;
};

}  // namespace supple::simulator
