// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/page_job.hpp"

#include "supple/server/server.hpp"

#include <memory>

namespace supple::gallery {

inline constexpr const char* kBakeAddress = "api/bake";

/// Adds the calls by which pages have files baked. Results are files of a temporary folder.
void add_page_bakes(server::Site& site, const std::shared_ptr<PageJobs>& jobs);

}  // namespace supple::gallery
