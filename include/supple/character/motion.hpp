// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::character {

/// Where a character's bones are, at equal steps of time from 0 to `duration`.
struct Motion {
  std::string name;
  double duration = 0;                   ///< seconds
  std::optional<std::size_t> animation;  ///< the clip of the glTF file that it is, if it is one
  std::vector<std::string> bones;
  /// World matrices, one per bone; at least one frame, and one alone only if duration is 0.
  std::vector<std::vector<Eigen::Matrix4d>> frames;
  bool loops = false;              ///< the last pose is the first again: see `closes`
  std::vector<std::string> notes;  ///< what was matched, left out or mended; to be shown

  [[nodiscard]] double time(std::size_t frame) const {
    return frames.size() < 2
               ? 0
               : duration * static_cast<double>(frame) / static_cast<double>(frames.size() - 1);
  }
  /// Seconds from frame to frame.
  [[nodiscard]] double step() const { return time(1); }
};

/// The largest distance of a bone over the skeleton's size, or turn of its axes in radians.
[[nodiscard]] double pose_difference(const std::vector<Eigen::Matrix4d>& a,
                                     const std::vector<Eigen::Matrix4d>& b);

/// Whether the last pose is the first again, or would be with one more key: many clips that loop
/// leave the closing key out, so a gap counts as closed that is no larger than what the motion
/// does within 1/24 s anyway (and than 0.2 as pose_difference has it).
[[nodiscard]] bool closes(const Motion& motion);

/// The bones at rest for so long; 0 seconds: one frame.
[[nodiscard]] Motion still_motion(const Character& character, std::string name, double seconds = 0,
                                  double rate = 60);

/// A motion of the whole character as one rigid body; docs/motion.md has the formulas.
struct BuiltInMotion {
  const char* name;
  const char* description;
};
[[nodiscard]] const std::vector<BuiltInMotion>& built_in_motions();
/// An error offers the names.
[[nodiscard]] Result<Motion> built_in_motion(std::string_view name, const Character& character,
                                             double rate);

}  // namespace supple::character
