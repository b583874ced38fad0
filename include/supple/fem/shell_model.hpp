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

/// Stiffness and mass of a shell [CWK07 eq. 4].
struct ShellMaterial {
  std::string name;
  double area_stiffness = 0;     ///< k_A, N/m
  double length_stiffness = 0;   ///< k_L, N: its energy has l0 in place of k_A's A0
  double bending_stiffness = 0;  ///< k_B, N m
  double area_density = 0;       ///< kg/m^2

  /// Negative or non-finite numbers, zero mass and no stiffness at all are errors that name the
  /// value.
  [[nodiscard]] Result<void> validate() const;
};

/// A solid sheet of this thickness in metres, on a mesh of this edge_scale: k_L is a force, so the
/// finer the mesh, the smaller it is for the same sheet.
///
/// Derived for equilateral triangles with edges s, on which the energies are isotropic.
/// - Bending: curvatures a along and b across give 3 k_B (a^2 + b^2 - 2/3 a b) per area, a plate's
///   D/2 (a^2 + b^2 + 2 nu a b) with D = 6 k_B. So k_B = D/6 = E t^3 / (72 (1 - nu^2)): a wide
///   sheet bends as the plate does. Poisson's ratio in bending is the mesh's, -1/3, whatever nu is.
/// - Stretching: a strain e gives k_A (tr e)^2 + k_L sqrt(3)/(4 s) ((tr e)^2 + 2 e:e) per area.
///   Plane stress, E t / (2 (1 - nu^2)) (nu (tr e)^2 + (1 - nu) e:e), requires
///   k_L = s E t / (sqrt(3) (1 + nu)) and k_A = E t (3 nu - 1) / (4 (1 - nu^2)).
/// - Below nu = 1/3 that k_A is negative. There k_A = 0, and k_L = sqrt(3)/4 s E t keeps E; the
///   sheet contracts across as if nu were 1/3.
/// On right triangles the same holds for bending along the legs; along the diagonals such a mesh is
/// up to three times as stiff.
[[nodiscard]] ShellMaterial shell_material(const Material& solid, double thickness,
                                           double edge_scale);

/// The edge length, in metres, of equilateral triangles with the same edge length per area as this
/// mesh; 0 for a mesh without triangles.
[[nodiscard]] double edge_scale(const geometry::TriMesh& mesh);

/// A thin shell at rest.
struct ShellModel {
  geometry::TriMesh mesh;
  std::vector<ShellMaterial> materials;
  std::vector<geometry::Index> regions;  ///< per triangle, index into materials; empty: all 0
  /// Per node kFix* bits; empty: nothing is fixed.
  std::vector<std::uint8_t> fixed;

  [[nodiscard]] const ShellMaterial& material_of(std::size_t triangle) const {
    return materials[regions.empty() ? 0 : regions[triangle]];
  }

  /// Checks sizes and materials. Degenerate triangles, edges of three or more triangles and edges
  /// that two triangles use in the same direction are errors that list them.
  [[nodiscard]] Result<void> validate() const;
};

}  // namespace supple::fem
