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

/// Writes the viewer and a gallery to a folder for any static host: completely, or not at all.
/// Replaces an earlier export; refuses any other directory that is not empty.
[[nodiscard]] Result<ExportSummary> export_gallery(const Gallery& gallery,
                                                   const std::filesystem::path& viewer,
                                                   const std::filesystem::path& directory);

}  // namespace supple::gallery
