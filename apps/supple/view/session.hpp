// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace supple::app {

struct ViewSettings {
  std::uint16_t port = 0;  ///< 0: any free port
  bool browser = true;     ///< open a browser if there is one
  bool json = false;       ///< print the address as JSON on standard output
  bool quiet = false;      ///< no other text on standard error
  std::string stroke;      ///< the swimmer's first stroke; "": the default
};

/// Serves a gallery until Ctrl-C and notifies pages of changes on disk and in the gallery. If an
/// item shows a live swimmer, simulates it.
[[nodiscard]] Result<void> serve_gallery(
    const std::shared_ptr<const gallery::GrowingGallery>& shown,
    const std::filesystem::path& viewer, const ViewSettings& settings);

}  // namespace supple::app
