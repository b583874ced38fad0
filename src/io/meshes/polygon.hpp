// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <span>
#include <vector>

namespace supple::io::detail {

/// Appends the triangles of a simple, possibly concave and slightly warped polygon, by ear clipping
/// in the plane of its vector area. Fewer than three corners append nothing; polygons without ears
/// (self-intersecting or degenerate) and very long ones fall back to a fan.
void triangulate(const std::vector<geometry::Vec3>& positions,
                 std::span<const geometry::Index> polygon,
                 std::vector<geometry::Triangle>& triangles);

}  // namespace supple::io::detail
