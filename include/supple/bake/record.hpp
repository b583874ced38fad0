// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/clip_export.hpp"
#include "supple/bake/playback.hpp"
#include "supple/bake/shell_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"

#include <optional>
#include <string>
#include <vector>

namespace supple::bake {

/// How long gravity and wind are recorded by default.
inline constexpr double kStillSeconds = 4;

struct RecordSettings {
  double rate = 60;               ///< frames per second
  std::optional<double> seconds;  ///< of gravity and wind; an error if neither is recorded
  std::string bone_map;           ///< for recordings in BVH files
  character::Looping looping = character::Looping::Auto;
  PlaySettings play;  ///< a wind given here blows during every motion
};

/// Plays a file over "gravity" (dropped from the rest shape), "wind", or any motion of load_motion.
/// With a push, a loop is played once. Wind without shells is an error. `asset` may be null if
/// there is no glTF file.
[[nodiscard]] Result<BakedClip> record_motion(const std::string& what, const io::GltfAsset* asset,
                                              const GltfCharacter& source, const BakedFile& file,
                                              const RecordSettings& settings);

/// The same for several motions. If none is given: every clip of the file or, without clips,
/// gravity (wind if all shells already sag). Two equal motions are an error.
[[nodiscard]] Result<std::vector<BakedClip>> record_motions(std::vector<std::string> motions,
                                                            const io::GltfAsset& asset,
                                                            const GltfCharacter& source,
                                                            const BakedFile& file,
                                                            const RecordSettings& settings);

}  // namespace supple::bake
