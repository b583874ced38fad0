// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace supple::io {

/// The moving vertices of one mesh, frame by frame.
struct PointCache {
  double start = 0;  ///< the first frame's number
  double rate = 1;   ///< frames of the animation per sample
  std::size_t points = 0;
  std::vector<std::vector<geometry::Vec3>> frames;  ///< `points` positions each
  std::vector<double> times = {};                   ///< s, of each frame, where the file has them
};

/// PC2, the point cache of 3ds Max that Blender and Houdini read: positions in single precision.
/// Frames must all have `points` positions.
[[nodiscard]] Bytes write_pc2(const PointCache& cache);

/// Truncated files, wrong magic, sizes that do not fit and numbers that are not finite are errors.
[[nodiscard]] Result<PointCache> read_pc2(std::span<const std::byte> bytes, std::string_view name);

/// MDD, the point cache of LightWave that Blender, Maya and Houdini write, with times. What is
/// wrong is an error as in PC2.
[[nodiscard]] Result<PointCache> read_mdd(std::span<const std::byte> bytes, std::string_view name);

}  // namespace supple::io
