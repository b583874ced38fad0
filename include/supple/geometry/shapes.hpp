// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tet_mesh.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <functional>
#include <vector>

namespace supple::geometry {

// Solids and surfaces made from a few numbers, for tests and samples. Sizes are in metres and
// positive, counts at least 1 unless stated; anything else breaks the contract.

// ---- Solids: linear tetrahedra, all positive; node sets are sorted -----------------------------

/// nx x ny x nz cells of six tetrahedra each [Kuhn's split: it conforms across cells by itself].
/// Node sets x_min, x_max, y_min, y_max, z_min, z_max.
[[nodiscard]] TetMesh box_mesh(const Box& box, int nx, int ny, int nz);

/// A box along +x from the origin, centred in y and z. Sets as box_mesh; clamp x_min.
[[nodiscard]] TetMesh beam_mesh(double length, double height, double width, int nx, int ny, int nz);

/// Two arms along +x and +y of `arm` cells each that share a corner of `thickness` cells;
/// `depth` cells in z; cubes of edge `cell`. 0 < thickness < arm. Sets as box_mesh: x_max and
/// y_max are the ends of the arms.
[[nodiscard]] TetMesh l_bracket_mesh(double cell, int arm, int thickness, int depth);

/// box_mesh in two regions, "low" and "high" in x, split at cell nx / 2 (nx at least 2).
[[nodiscard]] TetMesh two_region_mesh(const Box& box, int nx, int ny, int nz);

/// A cylinder about the y axis, centred: a square of 2 `cells` x 2 `cells` mapped to the disc,
/// `along` layers. Sets y_min, y_max, side.
[[nodiscard]] TetMesh cylinder_mesh(double radius, double height, int cells, int along);

/// A ball about the origin: a cube of 2 `cells` per edge mapped to the ball. Set surface.
[[nodiscard]] TetMesh ball_mesh(double radius, int cells);

// ---- Surfaces: closed, manifold, outward ------------------------------------------------------

[[nodiscard]] TriMesh box_surface(const Box& box);
/// An icosahedron split `subdivisions` times (0 or more, at most 10): 20 * 4^n triangles.
[[nodiscard]] TriMesh sphere_surface(double radius, int subdivisions);
/// About the y axis, centred; `segments` around (at least 3), `rings` along.
[[nodiscard]] TriMesh cylinder_surface(double radius, double height, int segments, int rings);
/// As cylinder_surface with half-balls of `rings` rings at both ends; `height` without them.
[[nodiscard]] TriMesh capsule_surface(double radius, double height, int segments, int rings);
/// About the y axis; `segments` around the axis and `sides` around the tube, at least 3 each.
[[nodiscard]] TriMesh torus_surface(double major_radius, double minor_radius, int segments,
                                    int sides);

// ---- Implicit shapes ----------------------------------------------------------------------------

/// Capsules that blend into each other: the polynomial smooth minimum of their distances, taken in
/// order. Enough for a creature in twenty numbers.
struct BlendedCapsules {
  /// The hull of two balls.
  struct Capsule {
    Vec3 a = Vec3::Zero();
    Vec3 b = Vec3::Zero();
    double radius_a = 0;
    double radius_b = 0;
  };
  std::vector<Capsule> capsules;
  double blend =
      0;  ///< metres of difference in distance over which two capsules blend; 0: no blending

  /// Negative inside; exact for one capsule, approximate where several blend; infinite if empty.
  [[nodiscard]] double signed_distance(const Vec3& point) const;
  /// Contains the whole shape.
  [[nodiscard]] Box bounds() const;
};

/// The zero level of `sdf` (negative inside) as a closed manifold surface: marching tetrahedra on a
/// body-centred cubic lattice with cubes of edge `cell`. Parts outside `box` are cut off. `sdf` is
/// called from several threads. A lattice of more than a hundred million cells breaks the contract.
[[nodiscard]] TriMesh polygonise(const std::function<double(const Vec3&)>& sdf, const Box& box,
                                 double cell);

}  // namespace supple::geometry
