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

}  // namespace supple::bake
