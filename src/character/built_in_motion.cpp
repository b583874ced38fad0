// SPDX-License-Identifier: Apache-2.0
#include "supple/character/motion.hpp"
#include "supple/character/pose_chain.hpp"
#include "supple/core/suggest.hpp"
#include "supple/core/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace supple::character {
namespace {

using geometry::Vec3;

constexpr double kTurn = 2 * std::numbers::pi;

/// The position of the whole character: metres from rest, radians about the vertical.
struct Placement {
  Vec3 shift = Vec3::Zero();
  double yaw = 0;
};

/// From 0 to 1 with speed and acceleration 0 at both ends.
double smooth(double t) {
  const double x = std::clamp(t, 0.0, 1.0);
  return x * x * x * (10 + x * (6 * x - 15));
}

Placement sine(double t) {
  return {Vec3(0, 0.05 * std::sin(kTurn * 2 * t), 0)};
}

Placement impulse(double t) {
  const double at = std::clamp((t - 0.2) / 0.1, 0.0, 1.0);
  return {Vec3(0, 0, 0.025 * (1 - std::cos(kTurn * at)))};
}

Placement turn(double t) {
  return {Vec3::Zero(), kTurn / 4 * smooth((t - 0.2) / 0.5)};
}

Placement walk(double t) {
  const double phase = kTurn * t / 1.1;
  return {Vec3(0.02 * std::sin(phase), -0.025 * std::cos(2 * phase), 0.01 * std::sin(2 * phase)),
          kTurn / 60 * std::sin(phase)};
}

/// Crouch, take-off, flight, landing, up: constant accelerations while the feet push or catch.
Placement jump(double t) {
  constexpr double kHeight = 0.4;
  constexpr double kCrouch = 0.2;
  constexpr double kDown = 0.4;
  constexpr double kUp = 0.6;
  const double speed = std::sqrt(2 * kGravity * kHeight);
  const double push = 2 * kCrouch / speed;  // seconds
  const double flight = 2 * speed / kGravity;
  const double landing = kDown + push + flight;
  double y = 0;
  if (t < kDown) {
    y = -kCrouch * smooth(t / kDown);
  } else if (t < kDown + push) {
    const double s = t - kDown;
    y = -kCrouch + speed / push * s * s / 2;
  } else if (t < landing) {
    const double s = t - kDown - push;
    y = speed * s - kGravity * s * s / 2;
  } else if (t < landing + push) {
    const double s = t - landing;
    y = -speed * s + speed / push * s * s / 2;
  } else {
    y = -kCrouch * (1 - smooth((t - landing - push) / kUp));
  }
  return {Vec3(0, y, 0)};
}

struct Entry {
  BuiltInMotion motion;
  double duration;
  Placement (*at)(double);
};
const std::array<Entry, 5>& entries() {
  static constexpr std::array<Entry, 5> kEntries{{
      {{"sine", "up and down 5 cm, twice a second, for 2 s"}, 2, sine},
      {{"impulse", "one jolt: 5 cm forwards and back within 0.1 s, then still until 2 s"},
       2,
       impulse},
      {{"jump", "a crouch of 20 cm, a jump of 40 cm, the landing, still until 3 s"}, 3, jump},
      {{"turn", "a quarter turn to the left within 0.5 s, then still until 2 s"}, 2, turn},
      {{"walk", "the sway of a walk on the spot: one cycle of 1.1 s that loops"}, 1.1, walk},
  }};
  return kEntries;
}

}  // namespace

const std::vector<BuiltInMotion>& built_in_motions() {
  static const std::vector<BuiltInMotion> motions = [] {
    std::vector<BuiltInMotion> list;
    for (const Entry& entry : entries()) list.push_back(entry.motion);
    return list;
  }();
  return motions;
}

Result<Motion> built_in_motion(std::string_view name, const Character& character, double rate) {
  const auto* entry = std::find_if(entries().begin(), entries().end(),
                                   [&](const Entry& e) { return e.motion.name == name; });
  if (entry == entries().end()) {
    std::vector<std::string> names;
    for (const BuiltInMotion& motion : built_in_motions()) names.emplace_back(motion.name);
    return bad_input(fmt::format("unknown motion '{}' (built-in motions: {}){}", name,
                                 fmt::join(names, ", "), did_you_mean(name, names)));
  }
  Motion motion;
  motion.name = name;
  motion.duration = entry->duration;
  // The character turns about the vertical through its first bone.
  const Vec3 centre =
      character.bones[parents_first(character)[0]].rest_world.topRightCorner<3, 1>();
  SUPPLE_TRY_VOID(sample_motion(motion, character, rate, [&](double time) {
    const Placement at = entry->at(time);
    const Eigen::Affine3d whole =
        Eigen::Translation3d(centre + at.shift / character.metres_per_unit) *
        Eigen::AngleAxisd(at.yaw, Vec3::UnitY()) * Eigen::Translation3d(-centre);
    std::vector<Eigen::Matrix4d> bones;
    for (const Bone& bone : character.bones) {
      bones.emplace_back(whole.matrix() * bone.rest_world);
    }
    return bones;
  }));
  return motion;
}

}  // namespace supple::character
