// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <cstddef>

namespace supple::bench {

/// Rays per second of Embree and nothing else, on all threads.
struct RawRays {
  double single = 0;
  double packets = 0;  ///< of eight parallel rays
};

/// From every vertex of a surface into those of `directions` directions, evenly spread over the
/// sphere, that lie above it. Robust mode, nearest hits. An error where Embree is missing.
[[nodiscard]] Result<RawRays> raw_rays(const geometry::TriMesh& mesh, std::size_t directions);

}  // namespace supple::bench
