// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"
#include "supple/character/motion.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Geometry>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace supple::character {

/// Pairs of names: joint of the recording, bone of the character.
using BoneMap = std::vector<std::pair<std::string, std::string>>;

/// Lines "joint = bone"; '#' starts a comment, names may be in double quotes.
[[nodiscard]] Result<BoneMap> parse_bone_map(std::string_view text, std::string_view name);

/// The motion of another skeleton, from any file format.
struct Recording {
  /// World transforms of all joints.
  using Pose = std::vector<Eigen::Isometry3d>;
  struct Joint {
    std::string name;
    std::optional<std::size_t> parent;
    bool moves = true;  ///< false: only its parents carry it
  };
  std::string name;  ///< for messages
  std::vector<Joint> joints;
  Pose rest;
  double frame_time = 0;  ///< seconds
  std::size_t frame_count = 0;
  std::function<Pose(double time)> pose;

  [[nodiscard]] double duration() const {
    return frame_count == 0 ? 0 : static_cast<double>(frame_count - 1) * frame_time;
  }
};

/// Transfers a recording to the character. Joints are matched to bones by `map`, then by name
/// ignoring case, separators and prefixes, then by body part. Rotations away from rest carry over
/// in world axes; arms and legs take the recording's directions, so that rest poses may differ; the
/// hips' path is scaled by the ratio of leg lengths; other bones stay still relative to their
/// parents. An error if no joint matches a bone or `map` contains an unknown name.
[[nodiscard]] Result<Motion> retarget(const Recording& recording, const Character& character,
                                      double rate, const BoneMap& map = {});

}  // namespace supple::character
