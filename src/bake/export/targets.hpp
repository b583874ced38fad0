// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/clip_export.hpp"

#include <vector>

namespace supple::bake {

/// export_clips for objects that all move linearly with their modes.
[[nodiscard]] Result<ClipExport> write_targets(const io::GltfAsset& asset,
                                               const GltfCharacter& source,
                                               const std::vector<soft::Object>& objects,
                                               const std::vector<BakedClip>& clips,
                                               const ExportSettings& settings);

/// without_flesh for one of several characters of a file: the others keep theirs.
[[nodiscard]] Result<io::GltfAsset> without_flesh_of(io::GltfAsset asset,
                                                     const GltfCharacter& source);

}  // namespace supple::bake
