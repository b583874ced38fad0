// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_export.hpp"
#include "supple/bake/playback.hpp"
#include "supple/bake/shell_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"

#include <string>
#include <vector>

namespace supple::bake {

struct RecordSettings {
  /// "gravity" (dropped from the rest shape), "wind", "clip NAME", or what load_motion knows.
  /// Empty: every clip of the file, or without any, gravity (wind where shells sag already).
  std::vector<std::string> motions;
  double seconds = 4;  ///< of gravity and wind
  Wind wind{{3, 0, 1}, 0.6, 1.5, 1.2};
};

/// Plays shells over what is to be recorded.
[[nodiscard]] Result<std::vector<BakedClip>> record_shells(const io::GltfAsset& asset,
                                                           const GltfCharacter& source,
                                                           const FleshFile& file, double rate,
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
/// for; errors are measured on the keys as they are written.
[[nodiscard]] Result<ShellExport> export_shells(const io::GltfAsset& asset,
                                                const GltfCharacter& source, const FleshFile& file,
                                                const std::vector<BakedClip>& clips,
                                                const ShellExportSettings& settings);

}  // namespace supple::bake
