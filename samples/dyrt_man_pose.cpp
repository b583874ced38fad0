// SPDX-License-Identifier: Apache-2.0
#include "samples/dyrt_man_pose.hpp"

#include "samples/dyrt_man_body.hpp"
#include "samples/dyrt_man_rig.hpp"

#include "supple/core/units.hpp"

#include <algorithm>
#include <cmath>

namespace supple::samples::dyrt_man_pose {
namespace {

using namespace dyrt_man_body;
using namespace dyrt_man_rig;
using Eigen::AngleAxisd;
using Eigen::Matrix3d;

/// Rotations of the bones from rest, in world axes.
using Turns = std::array<Quaterniond, BoneCount>;

Vec3 on_side(const Vec3& left, std::size_t side) {
  return {side == 0 ? left.x() : -left.x(), left.y(), left.z()};
}

/// A rotation seen in the mirror x = 0.
Quaterniond on_side(const Quaterniond& left, std::size_t side) {
  return side == 0 ? left : Quaterniond(left.w(), left.x(), -left.y(), -left.z());
}

Matrix3d frame(const Vec3& along, const Vec3& hinge) {
  const Vec3 y = along.normalized();
  const Vec3 x = (hinge - y.dot(hinge) * y).normalized();
  Matrix3d result;
  result << x, y, x.cross(y);
  return result;
}

/// Hip, knee and ankle in one plane with the direction in which the knee bends.
struct Leg {
  Vec3 hip, knee, ankle;
  Vec3 hinge;
};

Leg solve_leg(const Vec3& hip, const Vec3& ankle, const Vec3& ahead) {
  const double thigh = (kKnee - kHip).norm();
  const double shin = (kAnkle - kKnee).norm();
  constexpr double kMostStretched = 0.9985;  // a straight knee snaps
  const Vec3 span = ankle - hip;
  const double length = std::clamp(span.norm(), 0.3 * thigh, kMostStretched * (thigh + shin));
  const Vec3 along = span.normalized();
  const Vec3 forward = (ahead - along.dot(ahead) * along).normalized();
  // Law of cosines: the knee's position along the span and off it.
  const double x = (thigh * thigh - shin * shin + length * length) / (2 * length);
  const double y = std::sqrt(std::max(0.0, thigh * thigh - x * x));
  return {hip, hip + x * along + y * forward, hip + length * along, forward.cross(along)};
}

void place_leg(const BodyPose& pose, const Turns& turns, std::size_t side, Turns& out) {
  const FootPose& foot = pose.feet[side];
  const std::size_t offset = side * kToRight;
  const Vec3 rest_hip = on_side(kHip, side);
  const Vec3 rest_ankle = on_side(kAnkle, side);
  const Vec3 hip = kPelvis + pose.hips_shift + turns[Hips] * (rest_hip - kPelvis);
  // The foot rolls over its heel or its ball, whose positions on the floor are given.
  const Vec3 pivot = on_side(foot.pitch > 0 ? kHeel : Vec3(kBall.x(), 0, kBall.z()), side);
  const Quaterniond sole(AngleAxisd(-foot.pitch, Vec3::UnitX()));
  const Vec3 ankle = pivot + foot.shift + sole * (rest_ankle - pivot);
  const double out_turn = side == 0 ? foot.knee_out : -foot.knee_out;
  const Vec3 ahead = AngleAxisd(out_turn, Vec3::UnitY()) * Vec3::UnitZ();
  const Leg rest = solve_leg(rest_hip, rest_ankle, Vec3::UnitZ());
  const Leg leg = solve_leg(hip, ankle, ahead);
  const auto turned = [&](const Vec3& now, const Vec3& before) {
    return Quaterniond(Matrix3d(frame(now, leg.hinge) * frame(before, rest.hinge).transpose()));
  };
  out[LeftThigh + offset] = turned(leg.knee - leg.hip, rest.knee - rest.hip);
  out[LeftShin + offset] = turned(leg.ankle - leg.knee, rest.ankle - rest.knee);
  out[LeftFoot + offset] = sole;
  const double level = foot.pitch < 0 ? foot.toes * foot.pitch : 0;
  out[LeftToe + offset] = sole * AngleAxisd(level, Vec3::UnitX());
}

void place_arm(const BodyPose& pose, std::size_t side, Turns& out) {
  const ArmPose& arm = pose.arms[side];
  const std::size_t offset = side * kToRight;
  const Vec3 hinge = (kElbow - kShoulder).cross(Vec3::UnitZ()).normalized();
  out[LeftShoulder + offset] = out[Chest] * on_side(arm.shoulder, side);
  out[LeftUpperArm + offset] = out[LeftShoulder + offset] * on_side(arm.upper, side);
  const Quaterniond flexed(AngleAxisd(arm.elbow, hinge));
  out[LeftForeArm + offset] = out[LeftUpperArm + offset] * on_side(flexed, side);
  out[LeftHand + offset] = out[LeftForeArm + offset] * on_side(arm.hand, side);
}

Turns solve(const BodyPose& pose) {
  Turns turns;
  turns[Hips] = pose.hips;
  turns[Spine] = turns[Hips] * pose.spine;
  turns[Chest] = turns[Spine] * pose.chest;
  turns[Neck] = turns[Chest] * pose.neck;
  turns[Head] = turns[Neck] * pose.head;
  for (const std::size_t side : {0, 1}) {
    place_arm(pose, side, turns);
    place_leg(pose, turns, side, turns);
  }
  return turns;
}

}  // namespace

Quaterniond turn(double pitch_x, double yaw_y, double roll_z) {
  return AngleAxisd(yaw_y * kDegree, Vec3::UnitY()) * AngleAxisd(pitch_x * kDegree, Vec3::UnitX()) *
         AngleAxisd(roll_z * kDegree, Vec3::UnitZ());
}

io::SkinnedClip make_clip(const std::string& name, double rate,
                          const std::vector<BodyPose>& poses) {
  const std::vector<io::SkinnedBone> bones = skeleton();
  const std::vector<Eigen::Isometry3d> rest = io::rest_world(bones);
  io::SkinnedClip clip;
  clip.name = name;
  clip.tracks.resize(bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b) clip.tracks[b].bone = b;
  for (std::size_t key = 0; key < poses.size(); ++key) {
    clip.times.push_back(static_cast<double>(key) / rate);
    const Turns turns = solve(poses[key]);
    const auto world = [&](std::size_t b) { return turns[b] * Quaterniond(rest[b].linear()); };
    for (std::size_t b = 0; b < bones.size(); ++b) {
      const auto parent = bones[b].parent;
      clip.tracks[b].rotations.push_back(
          (parent ? world(*parent).inverse() * world(b) : world(b)).normalized());
    }
    clip.tracks[Hips].translations.emplace_back(kPelvis + poses[key].hips_shift);
  }
  return clip;
}

}  // namespace supple::samples::dyrt_man_pose
