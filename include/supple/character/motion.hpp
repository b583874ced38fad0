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
  /// Frames before this one hold still: the keys of a clip may begin after 0.
  std::size_t first_frame = 0;
  bool loops = false;  ///< the last pose equals the first, but for `travel`: see `find_loop`
  /// How far a cycle of a loop carries the whole character: a walk that gets somewhere.
  Eigen::Matrix4d travel = Eigen::Matrix4d::Identity();
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

/// Whether a motion repeats itself; Auto: if it looks like a loop.
enum class Looping { Auto, Yes, No };

/// Fills `loops` and `travel`. A motion is a loop if its last pose equals its first, or would with
/// one more key: many looping clips omit the closing key, so a gap counts as closed if it is no
/// larger than the motion's own movement within 1/24 s (and at most 0.2 by pose_difference).
///
/// Root motion is removed before poses are compared: a walk may get somewhere or turn about the
/// vertical, if most bones are under way at its ends too (at half of the mean pace) and a further
/// cycle would go on without a jerk. A clip that stands, walks and stands elsewhere does not loop.
void find_loop(Motion& motion, Looping looping = Looping::Auto);

/// The whole steps that divide a motion, so that its last moment is a frame at any rate; 0 if it
/// takes no time. Too many to keep in memory are an error: one stray key at the end of a small file
/// can ask for any number.
[[nodiscard]] Result<std::size_t> count_steps(std::string_view name, double duration, double rate,
                                              std::size_t bones);

/// The bones at rest for this long; 0 seconds: one frame.
[[nodiscard]] Result<Motion> still_motion(const Character& character, std::string name,
                                          double seconds = 0, double rate = 60);

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
