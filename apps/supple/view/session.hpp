// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace supple::app {

struct ViewSettings {
  std::uint16_t port = 0;  ///< 0: any free one
  bool browser = true;     ///< open one where there is one
  bool json = false;       ///< tell the address as JSON on standard output
  bool quiet = false;      ///< otherwise on standard error
  std::string stroke;      ///< that a swimmer begins with; "": the usual one
};

/// Serves a gallery and tells pages what changes on disk and in the gallery, until Ctrl-C. Where
/// an item is there to swim, somebody swims.
[[nodiscard]] Result<void> serve_gallery(
    const std::shared_ptr<const gallery::GrowingGallery>& shown,
    const std::filesystem::path& viewer, const ViewSettings& settings);

}  // namespace supple::app
