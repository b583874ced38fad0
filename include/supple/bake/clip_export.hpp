// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/motion.hpp"
#include "supple/bake/playback.hpp"
#include "supple/bake/settings.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"
#include "supple/soft/object.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace supple::bake {

/// The motion of the soft parts during one clip.
struct BakedClip {
  std::optional<std::size_t> animation;  ///< of the glTF file; none: `motion` becomes a new one
  Motion motion;                         ///< of all bones; only used for a new one
  Tracks tracks;
};

/// The numbers that clips together may hold. A small file can have any number of clips, all with
/// the same keys.
class ClipMemory {
 public:
  /// An error if this clip no longer fits.
  [[nodiscard]] Result<void> add(const BakedClip& clip);

 private:
  double m_numbers = 0;
};

/// Plays every clip of the file, in its order.
[[nodiscard]] Result<std::vector<BakedClip>> bake_clips(const io::GltfAsset& asset,
                                                        const GltfCharacter& source,
                                                        const BakedFile& file,
                                                        const ExportSettings& settings,
                                                        character::Looping looping);

/// How well the morph targets of one shell show its recorded motion, over all frames.
struct RecordedShell {
  std::string name;
  std::size_t shapes = 0;
  double size = 0;           ///< of its rest shape, metres
  double largest_error = 0;  ///< of a vertex, metres
  double rms_error = 0;      ///< metres
};

struct ClipExport {
  io::GltfAsset asset;
  std::vector<double> scales;  ///< per mode: the coefficient that weight 1 stands for
  double largest_error = 0;    ///< of a weight at a sample, from thinning keys and rounding
  std::size_t samples = 0;     ///< of weights, before thinning
  std::size_t keys = 0;        ///< after thinning
  /// Per clip, frames x modes: the coefficients as a viewer interpolates them from the keys.
  std::vector<Eigen::MatrixXd> shown;
  std::vector<RecordedShell> shells;
  std::vector<std::string> warnings;
};

/// Adds morph targets for all objects and weight animations for all clips; nothing else changes.
///
/// Flesh moves by its modes: a mode is a pair of targets, forth and back, with weights in 0..1 over
/// all clips, or one target with weights in -1..1 (`signed_weights`). Shells warp, which is not
/// linear: their targets are the leading singular vectors of what their vertices did, as many as
/// `settings.shell_tolerance` requires; errors are measured on the keys as they are written. A
/// node's existing animation of weights keeps its values. `settings.gain` is ignored here: the
/// player applies it.
[[nodiscard]] Result<ClipExport> export_clips(const io::GltfAsset& asset,
                                              const GltfCharacter& source,
                                              const std::vector<soft::Object>& objects,
                                              const std::vector<BakedClip>& clips,
                                              const ExportSettings& settings);

/// The name of the object for a shell's recorded motion, so that targets are 'leaf recorded 1 +'.
[[nodiscard]] std::string recorded_name(const std::string& shell);

/// The file without the morph targets that an earlier bake added to it, and without clips of which
/// nothing else is left: they are replaced. Logs that it was baked.
[[nodiscard]] Result<io::GltfAsset> without_flesh(io::GltfAsset asset);

/// Whether export_clips could give a morph target this name: 'belly 2', 'belly 2 +', 'belly 2 -
/// (3)' for an object 'belly' of two modes or more, and 'belly recorded 7 +' in any case. Beside a
/// .supple file, such targets duplicate its shapes. The package supple-three has the same rule.
[[nodiscard]] bool is_baked_target(const std::string& name,
                                   const std::vector<soft::Object>& objects);

}  // namespace supple::bake
