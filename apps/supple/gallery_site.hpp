// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery.hpp"
#include "gallery_watch.hpp"

#include "supple/server/server.hpp"

#include <filesystem>
#include <memory>

namespace supple::app {

/// What the server offers for a gallery: the viewer, the manifest, exactly the items' files, the
/// call that saves settings, and events. The watch knows all files then.
[[nodiscard]] Result<server::Site> make_site(const Gallery& gallery,
                                             const std::filesystem::path& viewer,
                                             const std::shared_ptr<GalleryWatch>& watch);

}  // namespace supple::app
