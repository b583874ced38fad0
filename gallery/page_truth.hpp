// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/page_job.hpp"

#include "supple/server/server.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace supple::gallery {

inline constexpr const char* kTruthAddress = "api/simulation";

/// The folder of each item, by its id: there are the meshes of its scene.
using ItemFolders = std::map<std::string, std::filesystem::path>;

/// Adds the calls by which pages have the scene in a .supple simulated, to see it beside its
/// playback. Frames can be fetched as soon as they are known.
void add_page_truths(server::Site& site, const std::shared_ptr<PageJobs>& jobs,
                     ItemFolders folders);

}  // namespace supple::gallery
