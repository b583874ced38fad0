// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace supple::io {

/// One vibration of an object, as the player wants it; symbols as in format/layout.hpp.
struct SuppleMode {
  double omega = 0;
  double damping = 0;
  std::array<double, 6> transfer{};
  std::array<double, 6> centrifugal{};
  double share = 0;
  /// On the object's vertices, in bind space at coefficient 1.
  std::vector<Eigen::Vector3f> displacements;
  std::vector<Eigen::Vector3f> normals;
};

struct SuppleObject {
  std::string name;
  std::string bone;
  std::uint32_t node = 0;
  std::uint32_t joint = 0;
  Eigen::Matrix<double, 3, 4> frame_from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  Eigen::Quaterniond rest_rotation = Eigen::Quaterniond::Identity();
  double limit = 0;                     ///< metres; 0: none
  double mass = 0;                      ///< kg
  std::vector<std::uint32_t> vertices;  ///< that it moves, ascending
  std::vector<SuppleMode> modes;
  /// Empty, or 3 matrices m x m: G_axis = 2 Phi^T M [e_axis] Phi, so that Q -= sum w_axis G q'.
  std::vector<Eigen::MatrixXd> coriolis;
};

struct SupplePart {
  std::uint32_t mesh = 0;
  std::uint32_t primitive = 0;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
};

struct SuppleAsset {
  std::string generator;
  std::uint64_t mesh_hash = 0;  ///< mesh_hash() of what the parts hold
  std::uint32_t vertex_count = 0;
  std::uint32_t index_count = 0;
  double metres_per_unit = 1;
  std::vector<SupplePart> parts;
  std::vector<SuppleObject> objects;
};

struct SuppleWriteSettings {
  bool float32 = false;  ///< shapes as floats instead of 16-bit numbers
};

struct SuppleBytes {
  Bytes bytes;
  double position_error = 0;  ///< largest rounding error of a displacement at coefficient 1, metres
  double relative_error = 0;  ///< the same over the largest displacement of its mode
};

/// Sizes that disagree and numbers that are not finite are errors that name the object.
[[nodiscard]] Result<SuppleBytes> write_supple(const SuppleAsset& asset,
                                               const SuppleWriteSettings& settings = {});

/// As `supple_mesh_hash` of the player.
[[nodiscard]] std::uint64_t mesh_hash(const std::vector<Eigen::Vector3f>& positions,
                                      const std::vector<std::uint32_t>& indices);

}  // namespace supple::io
