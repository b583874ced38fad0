// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/material.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <cstdint>
#include <vector>

namespace supple::fem {

/// How the mass of an element is integrated.
enum class MassRule {
  Consistent,  ///< exact for the shape functions
  FourPoint,   ///< 4 integration points: CalculiX's C3D10
  OnePoint,    ///< 1 integration point: CalculiX's C3D4
  Lumped       ///< diagonal: HRZ scaling of the consistent diagonal
};

/// Bits of SolidModel::fixed.
inline constexpr std::uint8_t kFixX = 1;
inline constexpr std::uint8_t kFixY = 2;
inline constexpr std::uint8_t kFixZ = 4;
inline constexpr std::uint8_t kFixAll = kFixX | kFixY | kFixZ;

/// A linear elastic solid.
struct SolidModel {
  geometry::TetMesh mesh;
  std::vector<Material> materials;  ///< one per region of the mesh
  std::vector<std::uint8_t> fixed;  ///< per node, kFix* bits; empty: nothing fixed
  MassRule mass_rule = MassRule::Consistent;

  /// Checks mesh, materials and sizes; every error names the object and the remedy.
  [[nodiscard]] Result<void> validate() const;
};

}  // namespace supple::fem
