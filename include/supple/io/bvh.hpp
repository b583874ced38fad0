// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <Eigen/Geometry>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace supple::io {

enum class BvhChannel { PositionX, PositionY, PositionZ, RotationX, RotationY, RotationZ };

struct BvhJoint {
  std::string name;
  std::optional<std::size_t> parent;
  geometry::Vec3 offset = geometry::Vec3::Zero();  ///< from the parent, at rest
  std::vector<BvhChannel> channels;                ///< in the order of the file
  std::size_t first_channel = 0;                   ///< its first number in a frame
  std::optional<geometry::Vec3> end;               ///< the tip of a last joint ("End Site")
};

/// A skeleton and its recorded motion. Lengths are in the file's units, angles in degrees as in
/// the file; at rest every joint has the world's axes.
struct Bvh {
  std::string name;               ///< the file's name in messages
  std::vector<BvhJoint> joints;   ///< each after its parent
  double frame_time = 0;          ///< seconds
  std::size_t channel_count = 0;  ///< numbers per frame
  std::vector<double> values;     ///< frame by frame
  std::vector<std::string> warnings;

  [[nodiscard]] std::size_t frame_count() const {
    return channel_count == 0 ? 0 : values.size() / channel_count;
  }
  [[nodiscard]] double duration() const {
    return frame_count() == 0 ? 0 : static_cast<double>(frame_count() - 1) * frame_time;
  }
};

/// Errors name the line. Fewer frames than announced are a warning, no frames an error.
[[nodiscard]] Result<Bvh> read_bvh(std::span<const std::byte> bytes, std::string_view name);
[[nodiscard]] Result<Bvh> read_bvh(const std::filesystem::path& path);

/// Text that `read_bvh` reads back as the same skeleton and motion; lengths and angles to six
/// decimals.
[[nodiscard]] Result<std::string> write_bvh(const Bvh& bvh);

/// World transforms of the joints at rest: offsets only.
[[nodiscard]] std::vector<Eigen::Isometry3d> bvh_rest_pose(const Bvh& bvh);

/// The same at `time` seconds after the first frame, interpolated between frames along the shortest
/// rotation; constant before the first and after the last. Rotations apply in file order; a
/// position replaces the offset (as in Blender and MotionBuilder).
[[nodiscard]] std::vector<Eigen::Isometry3d> bvh_pose(const Bvh& bvh, double time);

}  // namespace supple::io
