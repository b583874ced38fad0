// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_export.hpp"
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

/// How well the morph targets of one shell show its recorded motion, over all frames.
struct RecordedShell {
  std::string name;
  std::size_t shapes = 0;
  double size = 0;           ///< of its rest shape, metres
  double largest_error = 0;  ///< of a vertex, metres
  double rms_error = 0;      ///< metres
};

struct ShellExport {
  GltfExport gltf;
  std::vector<RecordedShell> shells;
  std::vector<std::string> warnings;
};

/// Adds the recorded motion as morph targets: the leading singular vectors of what the vertices
/// did, because warping is not linear, with animated weights. As many as `settings.tolerance` asks
/// for; errors are measured on the keys as they are written. Flesh beside the shells has its modes
/// for targets, as export_gltf writes them.
[[nodiscard]] Result<ShellExport> export_shells(const io::GltfAsset& asset,
                                                const GltfCharacter& source, const BakedFile& file,
                                                const std::vector<BakedClip>& clips,
                                                const ShellExportSettings& settings);

}  // namespace supple::bake
