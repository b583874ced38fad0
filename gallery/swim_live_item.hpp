// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"
#include "gallery/temporary_folder.hpp"

#include "supple/core/result.hpp"

#include <filesystem>
#include <string>

namespace supple::gallery {

/// The swimmer as a glTF file with a clip of that stroke. Pages move it by the stream, or play the
/// clip if there is no stream. "": the default stroke.
[[nodiscard]] Result<void> record_swim_clip(const std::string& stroke,
                                            const std::filesystem::path& file);

/// One item: the swimmer, to be steered.
[[nodiscard]] Result<Gallery> swim_gallery(const std::string& stroke, TemporaryFolder& folder);

}  // namespace supple::gallery
