// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"
#include "gallery/page_job.hpp"
#include "gallery/swim_live.hpp"
#include "gallery/watch.hpp"

#include "supple/server/server.hpp"

#include <filesystem>
#include <memory>

namespace supple::gallery {

/// What the server offers for a gallery: the viewer, the manifest, only the items' files, the call
/// that saves settings, events, and the calls of the swimmer and of bakes and simulations, which
/// may be null. Registers all files with the watch. Files of items that are still being baked are
/// served once they exist.
[[nodiscard]] Result<server::Site> make_site(const std::shared_ptr<const GrowingGallery>& gallery,
                                             const std::filesystem::path& viewer,
                                             const std::shared_ptr<GalleryWatch>& watch,
                                             const std::shared_ptr<SwimLive>& swimmer,
                                             const std::shared_ptr<PageJobs>& jobs);

}  // namespace supple::gallery
