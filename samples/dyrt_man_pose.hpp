// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <Eigen/Geometry>

#include <array>
#include <vector>

/// A pose of the DyRT man in an animator's terms. Rotations turn a bone relative to its parent, in
/// the world's axes at rest: x to his left, y up, z ahead. All zeros is the rest pose.
namespace supple::samples::dyrt_man_pose {

using Eigen::Quaterniond;
using geometry::Vec3;

/// An arm of the left side; right arms are mirrored.
struct ArmPose {
  Quaterniond shoulder = Quaterniond::Identity();
  Quaterniond upper = Quaterniond::Identity();
  double elbow = 0;  ///< radians of flexion
  Quaterniond hand = Quaterniond::Identity();
};

/// A foot by its position; the leg follows.
struct FootPose {
  Vec3 shift = Vec3::Zero();  ///< of the sole from its rest position
  double pitch = 0;           ///< radians; > 0: on the heel, toes up; < 0: on the ball, heel up
  double toes = 0;            ///< 1: toes stay level while the heel is up; 0: in line with the foot
  double knee_out = 0;        ///< radians by which the knee points outwards
};

struct BodyPose {
  Vec3 hips_shift = Vec3::Zero();
  Quaterniond hips = Quaterniond::Identity();
  Quaterniond spine = Quaterniond::Identity();
  Quaterniond chest = Quaterniond::Identity();
  Quaterniond neck = Quaterniond::Identity();
  Quaterniond head = Quaterniond::Identity();
  std::array<ArmPose, 2> arms;  ///< left, right (as if it were a left one)
  std::array<FootPose, 2> feet;
};

/// About y, then x, then z, in degrees.
[[nodiscard]] Quaterniond turn(double pitch_x, double yaw_y, double roll_z);

/// One key per pose, at `rate` poses per second: rotations of all bones, and the position of the
/// hips.
[[nodiscard]] io::SkinnedClip make_clip(const std::string& name, double rate,
                                        const std::vector<BodyPose>& poses);

}  // namespace supple::samples::dyrt_man_pose
