// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"
#include "supple/io/gltf_character.hpp"

#include <cstdint>
#include <vector>

namespace supple::bake::detail {

/// A box with elliptic edges; `rounding` are their half axes, at most half the box's sizes. At the
/// maximum it is an ellipsoid.
struct RoundedBox {
  geometry::Box box;
  geometry::Vec3 rounding = geometry::Vec3::Zero();
};

/// A stretch of a shape along x, up to a position, that belongs to a part.
struct Stretch {
  double to = 0;  ///< x; ignored for the last one
  io::SkinnedPart* part = nullptr;
};

/// Adds a shape that follows one bone to the parts, one stretch after another.
void add_rounded_box(const RoundedBox& shape, std::uint32_t bone,
                     const std::vector<Stretch>& stretches);

/// Adds an arrow of length 1 along +y from the bone's origin, which is at `from` at rest.
void add_arrow(const geometry::Vec3& from, std::uint32_t bone, io::SkinnedPart& part);

}  // namespace supple::bake::detail
