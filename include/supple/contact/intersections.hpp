// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

namespace supple::contact {

using geometry::Vec3;

/// The sign of the volume of the tetrahedron a b c d, exactly: positive if d lies on the side of
/// the triangle from which a b c appear clockwise, 0 if all four are coplanar.
[[nodiscard]] int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Whether an edge and a triangle have a point in common, decided exactly for the positions given.
/// Touching counts. A triangle without area never does: its edges are tested with its neighbours.
[[nodiscard]] bool edge_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b,
                                       const Vec3& c);

}  // namespace supple::contact
