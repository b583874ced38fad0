// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <Eigen/Geometry>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace supple::io {

/// Rigid transforms over time, read from CSV: a header "time,NAME.px,NAME.py,NAME.pz,NAME.qx,
/// NAME.qy,NAME.qz,NAME.qw,...", then one line of numbers per moment.
struct TransformTable {
  struct Track {
    std::string name;
    std::vector<geometry::Vec3> positions;      ///< one per moment
    std::vector<Eigen::Quaterniond> rotations;  ///< unit
  };
  std::string name;           ///< the file's name in messages
  std::vector<double> times;  ///< seconds, increasing
  std::vector<Track> tracks;
};

/// Columns may be in any order; each name needs all seven. Empty lines and lines that begin with
/// '#' are ignored. Errors name line and column.
[[nodiscard]] Result<TransformTable> read_transform_table(std::span<const std::byte> bytes,
                                                          std::string_view name);
[[nodiscard]] Result<TransformTable> read_transform_table(const std::filesystem::path& path);

}  // namespace supple::io
