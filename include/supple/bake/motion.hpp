// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/character.hpp"
#include "supple/core/result.hpp"
#include "supple/flesh/character.hpp"
#include "supple/io/bvh.hpp"
#include "supple/io/transform_table.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace supple::bake {

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

/// A clip of the glTF file. `rate` is about kept: the steps divide the clip evenly.
[[nodiscard]] Motion motion_from_clip(const io::GltfAsset& asset, const GltfCharacter& source,
                                      std::size_t animation, double rate);

/// The bones at rest for so long; 0 seconds: one frame.
[[nodiscard]] Motion still_motion(const flesh::Character& character, std::string name,
                                  double seconds = 0, double rate = 60);

/// Finds a clip by name or by its number, counted from 1; an error offers what there is.
[[nodiscard]] Result<std::size_t> find_clip(const io::GltfAsset& asset, std::string_view clip);

/// Pairs of names: joint of the recording, bone of the character.
using BoneMap = std::vector<std::pair<std::string, std::string>>;

/// Lines "joint = bone"; '#' starts a comment, names may stand in double quotes.
[[nodiscard]] Result<BoneMap> parse_bone_map(std::string_view text, std::string_view name);

/// Brings a recording to the character. Joints find their bones through `map`, then by name
/// without regard to case, separators and prefixes, then by their part of the body. Rotations away
/// from rest carry over in world axes; arms and legs take the recording's directions, so that rest
/// poses may differ; the hips' path is scaled by the ratio of leg lengths; other bones keep still
/// in their parents. An error if no joint finds a bone or `map` names what does not exist.
[[nodiscard]] Result<Motion> motion_from_bvh(const io::Bvh& bvh, const flesh::Character& character,
                                             double rate, const BoneMap& map = {});

/// World transforms by bone name, in world units; other bones keep still in their parents.
[[nodiscard]] Result<Motion> motion_from_table(const io::TransformTable& table,
                                               const flesh::Character& character, double rate);

/// A motion of the whole character as one rigid body; docs/motion.md has the formulas.
struct BuiltInMotion {
  const char* name;
  const char* description;
};
[[nodiscard]] const std::vector<BuiltInMotion>& built_in_motions();
/// An error offers the names.
[[nodiscard]] Result<Motion> built_in_motion(std::string_view name,
                                             const flesh::Character& character, double rate);

struct MotionRequest {
  /// A clip of the glTF file (its name, its number from 1, or "clip:NAME"), a built-in motion, a
  /// stroke ("swim:NAME"), or a file that ends in .bvh or .csv.
  std::string what;
  std::string bone_map;  ///< file of a BoneMap, or empty
  double rate = 60;      ///< Hz
};
/// The motion that a user asked for. `asset` is null where there is no glTF file; then a clip is an
/// error. Built-in motions come first, so that "clip:walk" means the clip.
[[nodiscard]] Result<Motion> load_motion(const MotionRequest& request,
                                         const flesh::Character& character,
                                         const io::GltfAsset* asset, const GltfCharacter* source);

}  // namespace supple::bake
