// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/flesh/tissue.hpp"

#include <vector>

namespace supple::flesh {

/// A straight piece of bone, in bind space.
struct BoneAxis {
  std::size_t bone = 0;
  geometry::Vec3 from = geometry::Vec3::Zero();
  geometry::Vec3 to = geometry::Vec3::Zero();
};

[[nodiscard]] geometry::Vec3 closest_on(const BoneAxis& axis, const geometry::Vec3& point);

/// The position of a bone's joint in bind space.
[[nodiscard]] geometry::Vec3 joint_position(const character::Character& character,
                                            std::size_t bone);

/// From each bone's joint to those of its children; a bone without children points into the skin it
/// moves. `areas` are the vertices': means go by area, so that vertices that files repeat at seams
/// and hard edges do not count twice.
[[nodiscard]] std::vector<BoneAxis> bone_axes(const character::Character& character,
                                              const std::vector<double>& areas,
                                              const std::vector<std::size_t>& bones);

}  // namespace supple::flesh
