// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"

#include <cstdint>
#include <filesystem>

namespace supple::gallery {

struct ExportSummary {
  std::size_t files = 0;
  std::uintmax_t bytes = 0;
};

/// The viewer with a gallery as a folder for any static host: complete, or not there at all. An
/// earlier export is replaced; any other directory with something in it is refused.
[[nodiscard]] Result<ExportSummary> export_gallery(const Gallery& gallery,
                                                   const std::filesystem::path& viewer,
                                                   const std::filesystem::path& directory);

}  // namespace supple::gallery
