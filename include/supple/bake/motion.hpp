// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/character/motion.hpp"
#include "supple/character/retarget.hpp"
#include "supple/core/result.hpp"
#include "supple/io/bvh.hpp"
#include "supple/io/transform_table.hpp"

#include <string>
#include <string_view>

namespace supple::bake {

using character::BoneMap;
using character::Motion;

/// A clip of the glTF file. `rate` is approximate: the steps divide the clip evenly.
[[nodiscard]] Result<Motion> motion_from_clip(const io::GltfAsset& asset,
                                              const GltfCharacter& source, std::size_t animation,
                                              double rate);

/// The name of a clip; "clip 2" if it has none.
[[nodiscard]] std::string clip_title(const io::GltfAsset& asset, std::size_t animation);

/// Finds a clip by name or by its number, counted from 1; an error lists the clips.
[[nodiscard]] Result<std::size_t> find_clip(const io::GltfAsset& asset, std::string_view clip);

/// See character::retarget. A first frame that is a calibration pose is skipped.
[[nodiscard]] Result<Motion> motion_from_bvh(const io::Bvh& bvh,
                                             const character::Character& character, double rate,
                                             const BoneMap& map = {});

/// World transforms by bone name, in world units; other bones stay still relative to their parents.
[[nodiscard]] Result<Motion> motion_from_table(const io::TransformTable& table,
                                               const character::Character& character, double rate);

struct MotionRequest {
  /// A clip of the glTF file (its name, its number from 1, or "clip:NAME"), a built-in motion, a
  /// stroke ("swim:NAME"), or a file that ends in .bvh or .csv.
  std::string what;
  std::string bone_map;  ///< file of a BoneMap, or empty
  double rate = 60;      ///< Hz
  character::Looping looping = character::Looping::Auto;
};
/// Loads the requested motion. `asset` is null if there is no glTF file; then a clip is an error.
/// Built-in motions take precedence, so "clip:walk" means the clip.
[[nodiscard]] Result<Motion> load_motion(const MotionRequest& request,
                                         const character::Character& character,
                                         const io::GltfAsset* asset, const GltfCharacter* source);

}  // namespace supple::bake
