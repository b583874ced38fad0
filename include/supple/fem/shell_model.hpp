// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/material.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace supple::fem {

/// What a shell resists and weighs [CWK07 eq. 4].
struct ShellMaterial {
  std::string name;
  double area_stiffness = 0;     ///< k_A, N/m
  double length_stiffness = 0;   ///< k_L, N/m
  double bending_stiffness = 0;  ///< k_B, N m
  double area_density = 0;       ///< kg/m^2

  /// Negative or not finite numbers, no mass, no stiffness at all: errors that say which.
  [[nodiscard]] Result<void> validate() const;
};

/// A sheet of solid matter of this thickness in metres. docs/shells.md states the conversion and
/// what it preserves.
[[nodiscard]] ShellMaterial shell_material(const Material& solid, double thickness);

/// A thin shell at rest.
struct ShellModel {
  geometry::TriMesh mesh;
  std::vector<ShellMaterial> materials;
  std::vector<geometry::Index> regions;  ///< per triangle, place in materials; empty: all 0
  /// Per node kFix* bits; empty: nothing is fixed.
  std::vector<std::uint8_t> fixed;

  /// Sizes and materials, degenerate triangles, edges of three or more triangles, edges that two
  /// triangles use in the same direction: errors with their lists.
  [[nodiscard]] Result<void> validate() const;
};

}  // namespace supple::fem
