// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"
#include "gallery/samples.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace supple::gallery {

struct GalleryBakeSettings {
  std::filesystem::path directory;
  std::vector<std::string> only;  ///< names of samples; empty: all
  bool pictures = true;
  bool videos = false;
  std::optional<std::size_t> elements;  ///< per object, for a quick look
};

/// Makes the samples and their pictures in a directory, with a gallery.json. Files made before from
/// the same inputs by the same version are kept. If the user changed the settings of a sample
/// (NAME.bake.toml), those are used. Without a GPU or ffmpeg, the log says which pictures are
/// missing. Quick samples come first. `told` receives the whole gallery when work begins and after
/// each sample; unfinished samples are marked as baking.
[[nodiscard]] Result<Gallery> bake_gallery(const GalleryBakeSettings& settings,
                                           const std::function<void(const Gallery&)>& told = {});

}  // namespace supple::gallery
