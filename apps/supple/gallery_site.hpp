// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery.hpp"
#include "gallery_watch.hpp"
#include "swim_live.hpp"

#include "supple/server/server.hpp"

#include <filesystem>
#include <memory>

namespace supple::app {

/// What the server offers for a gallery: the viewer, the manifest, exactly the items' files, the
/// call that saves settings, events, and the calls of the swimmer, who may be null. The watch knows
/// all files then.
[[nodiscard]] Result<server::Site> make_site(const Gallery& gallery,
                                             const std::filesystem::path& viewer,
                                             const std::shared_ptr<GalleryWatch>& watch,
                                             const std::shared_ptr<SwimLive>& swimmer);

}  // namespace supple::app
