// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/material.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace supple::fem {

/// What a shell resists and weighs [CWK07 eq. 4].
struct ShellMaterial {
  std::string name;
  double area_stiffness = 0;     ///< k_A, N/m
  double length_stiffness = 0;   ///< k_L, N: its energy has l0 where that of k_A has A0
  double bending_stiffness = 0;  ///< k_B, N m
  double area_density = 0;       ///< kg/m^2
  double poisson_ratio = 0;      ///< in bending: how far curvatures along and across interact

  /// Negative or not finite numbers, no mass, no stiffness at all: errors that say which.
  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges and descriptions of such stiffnesses in a settings file.
[[nodiscard]] const settings::Fields<ShellMaterial>& shell_material_fields();

/// A sheet of solid matter of this thickness in metres, on a mesh of this edge_scale: k_L is a
/// force, so that the same sheet needs less of it the finer its mesh.
///
/// Stretching is derived for equilateral triangles with edges s, on which its energy is isotropic.
/// - Bending: k_B = D/6 = E t^3 / (72 (1 - nu^2)) with the stiffness D of a plate and its nu. By
///   Bending::Hinge curvatures a along and b across give 3 k_B (a^2 + b^2 - 2/3 a b) per area, so
///   that a wide sheet bends as the plate does, D/2 (a^2 + b^2 + 2 nu a b), but with the mesh's own
///   Poisson's ratio, -1/3.
/// - Stretching: a strain e gives k_A (tr e)^2 + k_L sqrt(3)/(4 s) ((tr e)^2 + 2 e:e) per area.
///   Plane stress, E t / (2 (1 - nu^2)) (nu (tr e)^2 + (1 - nu) e:e), asks for
///   k_L = s E t / (sqrt(3) (1 + nu)) and k_A = E t (3 nu - 1) / (4 (1 - nu^2)).
/// - Below nu = 1/3 that k_A is negative. There k_A = 0, and k_L = sqrt(3)/4 s E t keeps E; the
///   sheet contracts across as if nu were 1/3.
[[nodiscard]] ShellMaterial shell_material(const Material& solid, double thickness,
                                           double edge_scale);

/// The edge of equilateral triangles with as much edge per area as this mesh has, in metres; 0 for
/// a mesh without triangles.
[[nodiscard]] double edge_scale(const geometry::TriMesh& mesh);

/// How a shell resists bending.
enum class Bending : std::uint8_t {
  Plate,  ///< by the curvatures of its triangles: converges to Kirchhoff's plate on every mesh
  Hinge,  ///< k_B sum 3 (th - th0)^2 l0 / h0 [CWK07 eq. 3, GHDS03]: depends on the mesh
};

/// A thin shell at rest.
struct ShellModel {
  geometry::TriMesh mesh;
  std::vector<ShellMaterial> materials;
  std::vector<geometry::Index> regions;  ///< per triangle, place in materials; empty: all 0
  /// Per node kFix* bits; empty: nothing is fixed.
  std::vector<std::uint8_t> fixed;
  Bending bending = Bending::Plate;

  [[nodiscard]] const ShellMaterial& material_of(std::size_t triangle) const {
    return materials[regions.empty() ? 0 : regions[triangle]];
  }

  /// Sizes and materials, degenerate triangles, edges of three or more triangles, edges that two
  /// triangles use in the same direction: errors with their lists.
  [[nodiscard]] Result<void> validate() const;
};

}  // namespace supple::fem
