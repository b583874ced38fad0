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

/// Poses of a character's bones at equal time steps from 0 to `duration`.
struct Motion {
  std::string name;
  double duration = 0;                   ///< seconds
  std::optional<std::size_t> animation;  ///< its clip in the glTF file, if it is one
  std::vector<std::string> bones;
  /// World matrices, one per bone; at least one frame, and exactly one only if duration is 0.
  std::vector<std::vector<Eigen::Matrix4d>> frames;
  bool loops = false;              ///< the last pose equals the first: see `closes`
  std::vector<std::string> notes;  ///< what was matched, skipped or repaired, for display

  [[nodiscard]] double time(std::size_t frame) const {
    return frames.size() < 2
               ? 0
               : duration * static_cast<double>(frame) / static_cast<double>(frames.size() - 1);
  }
  /// Seconds between frames.
  [[nodiscard]] double step() const { return time(1); }
};

/// The largest distance between a bone's positions relative to the skeleton's size, or the largest
/// rotation of its axes in radians.
[[nodiscard]] double pose_difference(const std::vector<Eigen::Matrix4d>& a,
                                     const std::vector<Eigen::Matrix4d>& b);

/// Whether the last pose equals the first, or would with one more key: many looping clips omit the
/// closing key, so a gap counts as closed if it is no larger than the motion's own movement within
/// 1/24 s (and at most 0.2 by pose_difference).
[[nodiscard]] bool closes(const Motion& motion);

/// The bones at rest for this long; 0 seconds: one frame.
[[nodiscard]] Motion still_motion(const Character& character, std::string name, double seconds = 0,
                                  double rate = 60);

/// A motion of the whole character as one rigid body; docs/motion.md has the formulas.
struct BuiltInMotion {
  const char* name;
  const char* description;
};
[[nodiscard]] const std::vector<BuiltInMotion>& built_in_motions();
/// An error lists the names.
[[nodiscard]] Result<Motion> built_in_motion(std::string_view name, const Character& character,
                                             double rate);

}  // namespace supple::character
