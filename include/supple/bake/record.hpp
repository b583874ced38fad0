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

/// How long gravity and wind are recorded unless one says.
inline constexpr double kStillSeconds = 4;

struct RecordSettings {
  double rate = 60;               ///< frames per second
  std::optional<double> seconds;  ///< of gravity and wind; an error where neither is recorded
  std::string bone_map;           ///< for recordings in BVH files
  PlaySettings play;              ///< a wind given here blows during every motion
};

/// Plays a file over "gravity" (dropped from the rest shape), "wind", or what load_motion knows.
/// With a push a loop is played once. Wind without shells is an error. `asset` may be null where
/// there is no glTF file.
[[nodiscard]] Result<BakedClip> record_motion(const std::string& what, const io::GltfAsset* asset,
                                              const GltfCharacter& source, const BakedFile& file,
                                              const RecordSettings& settings);

/// The same for several. None: every clip of the file, or without any, gravity (wind where all
/// shells sag already). An error where two are the same.
[[nodiscard]] Result<std::vector<BakedClip>> record_motions(std::vector<std::string> motions,
                                                            const io::GltfAsset& asset,
                                                            const GltfCharacter& source,
                                                            const BakedFile& file,
                                                            const RecordSettings& settings);

}  // namespace supple::bake
