// SPDX-License-Identifier: Apache-2.0
#include "samples/dyrt_man_clips.hpp"

#include "samples/curves.hpp"
#include "samples/dyrt_man_pose.hpp"

#include "supple/core/units.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

namespace supple::samples {
namespace {

using dyrt_man_pose::BodyPose;
using dyrt_man_pose::FootPose;
using dyrt_man_pose::turn;
using geometry::Vec3;

constexpr double kRate = 60;  ///< keys per second

struct Key {
  double time;
  double value;
  double slope = 0;
};

/// Cubic from key to key; constant beyond the ends.
double curve(std::initializer_list<Key> keys, double t) {
  const Key* last = keys.begin();
  for (const Key& next : keys) {
    if (t < next.time) {
      if (&next == last) return next.value;
      const double span = next.time - last->time;
      const double s = (t - last->time) / span;
      const double rest = 1 - s;
      return rest * rest * (1 + 2 * s) * last->value + s * s * (3 - 2 * s) * next.value +
             span * s * rest * (rest * last->slope - s * next.slope);
    }
    last = &next;
  }
  return last->value;
}

double cosine_wave(double phase) {
  return std::cos(kTwoPi * phase);
}

template <class Pose>
io::SkinnedClip sample_clip(const char* name, double duration, const Pose& pose) {
  const int keys = static_cast<int>(std::lround(duration * kRate));
  std::vector<BodyPose> poses;
  for (int key = 0; key <= keys; ++key) poses.push_back(pose(key / kRate));
  return dyrt_man_pose::make_clip(name, kRate, poses);
}

// ---- Walk -------------------------------------------------------------------------------------

/// A foot over one cycle that begins with its heel strike: 0.6 of the time on the floor, which
/// moves back under it, 0.4 in the air.
FootPose walking_foot(double phase) {
  constexpr double kStance = 0.6;
  constexpr double kReach = 0.30;  // metres ahead and behind
  phase -= std::floor(phase);
  const double back = -2 * kReach / kStance;
  FootPose foot;
  foot.shift.z() = phase < kStance ? kReach + back * phase
                                   : curve({{kStance, -kReach, back}, {1, kReach, back}}, phase);
  const double swing = std::max(0.0, (phase - kStance) / (1 - kStance));
  foot.shift.y() = 0.035 * std::pow(std::sin(std::numbers::pi * swing), 2);
  foot.shift.x() = -0.035;  // walkers set their feet closer than they stand
  foot.pitch = kDegree * curve({{0, 18, 0},
                                {0.10, 0},
                                {0.34, 0},
                                {0.60, -38, -90},
                                {0.70, -40, 40},
                                {0.88, 8, 150},
                                {1, 18, 0}},
                               phase);
  foot.toes = phase < 0.75 ? curve({{0.60, 1}, {0.75, 0.2}}, phase) : 0.2;
  foot.knee_out = 4 * kDegree;
  // Toes that hang in line with a raised heel reach below the ball.
  constexpr double kToeLength = 0.075;
  foot.shift.y() += kToeLength * (1 - foot.toes) * std::sin(std::max(0.0, -foot.pitch));
  return foot;
}

BodyPose walk(double t) {
  constexpr double kCycle = 1.1;
  const double phase = t / kCycle;
  BodyPose pose;
  // Lowest with both feet down, highest over the standing leg, and leaning towards it.
  pose.hips_shift =
      Vec3(0.022 * cosine_wave(phase - 0.30), -0.022 - 0.015 * cosine_wave(2 * (phase - 0.05)),
           0.010 * cosine_wave(2 * phase));
  pose.hips = turn(1, -7 * cosine_wave(phase), 3.5 * cosine_wave(phase - 0.30));
  pose.spine = turn(0, 6 * cosine_wave(phase), -3 * cosine_wave(phase - 0.30));
  pose.chest =
      turn(-1 + cosine_wave(2 * phase), 9 * cosine_wave(phase), -1.5 * cosine_wave(phase - 0.30));
  pose.neck = turn(0, -4 * cosine_wave(phase), 0);
  pose.head = turn(-2 - cosine_wave(2 * phase), -4 * cosine_wave(phase), 0);
  for (const std::size_t side : {0, 1}) {
    const double own = phase + 0.5 * static_cast<double>(side);
    pose.feet[side] = walking_foot(own);
    pose.feet[side].shift.x() *= side == 0 ? 1 : -1;
    pose.arms[side].shoulder = turn(0, 0, -3);
    pose.arms[side].upper = turn(4 + 24 * cosine_wave(own - 0.03), 0, -20);
    pose.arms[side].elbow = kDegree * (18 - 11 * cosine_wave(own - 0.08));
  }
  return pose;
}

// ---- Jump -------------------------------------------------------------------------------------

constexpr double kFlight = kJumpLanding - kJumpTakeOff;
constexpr double kHipsOff = 0.075;  ///< height of the hips above rest at take-off, on the toes
constexpr double kHipsOn = -0.030;  ///< the same at landing, with the knees bent
constexpr double kSpeedOff = (kHipsOn - kHipsOff) / kFlight + 0.5 * kGravity * kFlight;
constexpr double kSpeedOn = kSpeedOff - kGravity * kFlight;

double jump_height(double t) {
  if (t >= kJumpTakeOff && t <= kJumpLanding) {
    const double s = t - kJumpTakeOff;
    return kHipsOff + kSpeedOff * s - 0.5 * kGravity * s * s;
  }
  return curve({{0, 0},
                {0.42, -0.30},
                {kJumpTakeOff, kHipsOff, kSpeedOff},
                {kJumpLanding, kHipsOn, kSpeedOn},
                {1.26, -0.149, -1.4},  // heels down: most of the fall is absorbed at once
                {1.48, -0.310},
                {1.56, -0.308},
                {2.15, 0.0},
                {2.5, 0}},
               t);
}

FootPose jumping_foot(double t) {
  FootPose foot;
  if (t > kJumpTakeOff && t < kJumpLanding) {
    // Legs trail the hips' parabola, tucked up a little in the middle.
    const double s = (t - kJumpTakeOff) / kFlight;
    const double chord = kHipsOff + s * (kHipsOn - kHipsOff);
    foot.shift.y() = jump_height(t) - chord + 0.07 * std::pow(std::sin(std::numbers::pi * s), 2);
    foot.shift.z() = -0.04 * std::sin(std::numbers::pi * s);
  }
  foot.pitch = kDegree * curve({{0.50, 0},
                                {kJumpTakeOff, -48, -150},
                                {0.80, -46, 100},
                                {1.08, -18},
                                {kJumpLanding, -20},
                                {1.26, 0}},
                               t);
  foot.toes = curve({{kJumpTakeOff, 1}, {0.80, 0.1}, {1.10, 0.2}, {kJumpLanding, 1}}, t);
  foot.knee_out =
      kDegree * curve({{0, 0}, {0.42, 14}, {0.72, 2}, {1.15, 4}, {1.46, 20}, {2.15, 0}}, t);
  return foot;
}

BodyPose jump(double t) {
  BodyPose pose;
  // In a crouch the hips move back so that the weight stays over the feet.
  const double back = curve({{0, 0},
                             {0.42, -0.13},
                             {0.70, 0.02},
                             {1.20, -0.02},
                             {1.46, -0.15},
                             {1.54, -0.148},
                             {2.15, 0}},
                            t);
  const double lean = curve(
      {{0, 0}, {0.42, 38}, {0.72, -4}, {0.95, 4}, {1.20, 8}, {1.46, 40}, {1.54, 39}, {2.15, 0}}, t);
  pose.hips_shift = Vec3(0, jump_height(t), back);
  pose.hips = turn(0.6 * lean, 0, 0);
  pose.spine = turn(0.35 * lean, 0, 0);
  pose.chest = turn(0.15 * lean, 0, 0);
  pose.neck = turn(-0.35 * lean, 0, 0);
  pose.head = turn(-0.35 * lean + curve({{1.20, 0}, {1.34, 14}, {1.60, 0}}, t), 0, 0);
  // Arms swing back, throw him up, and catch the landing.
  const double swing = curve({{0, 0},
                              {0.40, 55},
                              {0.72, -140},
                              {0.95, -105},
                              {1.20, -70},
                              {1.50, 6},
                              {1.75, 10},
                              {2.25, 0}},
                             t);
  const double spread =
      curve({{0, 0}, {0.40, -18}, {0.72, -22}, {0.95, 12}, {1.22, 18}, {1.50, -6}, {2.25, 0}}, t);
  const double elbow = curve(
      {{0, 0}, {0.40, 15}, {0.72, 25}, {0.95, 30}, {1.20, 30}, {1.50, 55}, {1.75, 40}, {2.25, 0}},
      t);
  for (const std::size_t side : {0, 1}) {
    pose.arms[side].shoulder = turn(0, 0, curve({{0.50, 0}, {0.72, 10}, {1.20, 6}, {1.50, 0}}, t));
    pose.arms[side].upper = turn(swing, 0, spread);
    pose.arms[side].elbow = kDegree * elbow;
    pose.feet[side] = jumping_foot(t);
  }
  return pose;
}

// ---- Dance ------------------------------------------------------------------------------------

/// Eight beats of half a second: bounces on every beat, twists on every second, the arms change
/// sides once in four seconds.
BodyPose dance(double t) {
  const double beat = t / 0.5;
  const double twist = std::sin(kTwoPi * beat / 2);
  const double sway = std::sin(kTwoPi * beat / 4);
  const double phrase = std::sin(kTwoPi * beat / 8);
  BodyPose pose;
  pose.hips_shift = Vec3(0.060 * sway, -0.085 + 0.035 * cosine_wave(beat), 0.015 * twist);
  pose.hips = turn(4 - 3 * cosine_wave(beat), 20 * twist, 5 * sway);
  pose.spine = turn(2, -16 * twist, -6 * sway);
  pose.chest = turn(2 - 3 * cosine_wave(beat), -14 * twist, -3 * sway);
  pose.neck = turn(-2, 5 * twist, 3 * sway);
  pose.head = turn(-4 + 5 * cosine_wave(beat), 6 * twist, 6 * sway);
  for (const std::size_t side : {0, 1}) {
    const double sign = side == 0 ? 1 : -1;
    const double up = 0.5 + 0.5 * sign * phrase;  // which hand is high
    pose.arms[side].shoulder = turn(0, 0, 8 * up - 2 * cosine_wave(beat));
    pose.arms[side].upper = turn(-35 - 45 * up + 12 * sign * twist, 0, -12 + 40 * up);
    pose.arms[side].elbow = kDegree * (75 - 15 * cosine_wave(beat) - 20 * up);
    pose.arms[side].hand = turn(8 * twist, 0, 0);
    // The heel of the free leg comes up as the weight leaves it.
    const double free = std::max(0.0, -sign * sway);
    pose.feet[side].pitch = -30 * kDegree * free * free;
    pose.feet[side].toes = 1;
    pose.feet[side].knee_out = kDegree * (8 + 6 * sign * twist);
  }
  return pose;
}

}  // namespace

std::vector<io::SkinnedClip> dyrt_man_clips() {
  return {sample_clip("walk", 1.1, walk), sample_clip("jump", 2.5, jump),
          sample_clip("dance", 4, dance)};
}

}  // namespace supple::samples
