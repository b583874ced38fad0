// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::character {

/// A joint of the skeleton.
struct Bone {
  std::string name;
  std::optional<std::size_t> parent;  ///< the closest ancestor that is also a bone
  Eigen::Matrix4d rest_world = Eigen::Matrix4d::Identity();    ///< at rest, world units
  Eigen::Matrix4d inverse_bind = Eigen::Matrix4d::Identity();  ///< bind space to the bone's
};

/// A skinned surface with its skeleton, independent of its file format. Positions and normals are
/// in bind space, the input space of skinning.
struct Character {
  std::string name;
  double metres_per_unit = 1;  ///< of the world
  std::vector<Bone> bones;
  std::vector<geometry::Vec3> positions;
  std::vector<geometry::Vec3> normals;  ///< unit; empty: the file has none
  std::vector<geometry::Triangle> triangles;
  std::vector<geometry::Index> materials;  ///< per triangle, index into material_names, or -1
  std::vector<std::string> material_names;
  std::size_t influences = 0;                        ///< bones per vertex
  std::vector<std::uint32_t> joints;                 ///< influences per vertex
  std::vector<double> weights;                       ///< the same; sum 1 per vertex
  std::map<std::string, std::vector<double>> masks;  ///< one number per vertex

  [[nodiscard]] Result<void> validate() const;
  /// An error suggests similar names.
  [[nodiscard]] Result<std::size_t> find_bone(std::string_view bone) const;
};

}  // namespace supple::character
