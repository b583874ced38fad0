// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"
#include "supple/geometry/types.hpp"

#include <functional>

namespace supple::samples {

/// Negative inside; close to a distance near its zero level. Called from several threads.
using Implicit = std::function<double(const geometry::Vec3&)>;

/// Unit normal of the level through `point`, by central differences.
[[nodiscard]] geometry::Vec3 implicit_normal(const Implicit& shape, const geometry::Vec3& point);

/// The zero level as a closed manifold of well-shaped triangles whose edges are about
/// `edge_length(point)` long. `cell` is the lattice that finds it: features thinner than that are
/// lost.
[[nodiscard]] geometry::TriMesh triangulate(
    const Implicit& shape, const geometry::Box& box, double cell,
    const std::function<double(const geometry::Vec3&)>& edge_length);

/// Moves vertices along the surface so that no edge crosses the zero level of `border` by much: a
/// change of colour there follows a line instead of triangles.
void align_vertices(geometry::TriMesh& mesh, const Implicit& shape, const Implicit& border);

// ---- Clay ---------------------------------------------------------------------------------------

/// The polynomial smooth minimum: two shapes blend where their distances differ by less than
/// `blend`.
[[nodiscard]] double melt(double a, double b, double blend);
/// The intersection of `a` and `b`, with edges rounded by `blend`.
[[nodiscard]] double carve(double a, double b, double blend);

[[nodiscard]] double ellipsoid(const geometry::Vec3& point, const geometry::Vec3& centre,
                               const geometry::Vec3& radii);

/// A capsule whose radius changes linearly from `radius_a` to `radius_b`.
[[nodiscard]] double cone(const geometry::Vec3& point, const geometry::Vec3& a,
                          const geometry::Vec3& b, double radius_a, double radius_b);

/// The same, `factor` times thinner along the unit vector `axis`.
[[nodiscard]] double flat_cone(const geometry::Vec3& point, const geometry::Vec3& a,
                               const geometry::Vec3& b, double radius_a, double radius_b,
                               const geometry::Vec3& axis, double factor);

}  // namespace supple::samples
