// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/fem/material.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace supple::fem {

/// What happens when a sheet is stretched beyond SheetMaterial::stretch_limit.
enum class StretchLimit : std::uint8_t {
  None,     ///< it stretches on
  Penalty,  ///< it stiffens: a cubic energy of the excess, smooth and finite
  Hard,     ///< it stretches no further: a barrier that no step of a solver crosses
};

/// Cloth, paper, rubber sheet: matter of a thickness that is small next to its extent.
struct SheetMaterial {
  std::string name;
  double youngs_modulus = 0;  ///< Pa, > 0
  double poisson_ratio = 0;   ///< in (-1, 0.5)
  double density = 0;         ///< kg/m^3, > 0
  double thickness = 0;       ///< m, > 0
  /// Times the bending stiffness of solid matter: threads slide in cloth, so that it bends more
  /// easily.
  double bending_factor = 1;
  StretchLimit limit = StretchLimit::Penalty;
  double stretch_limit = 0.1;  ///< strain, > 0: 0.1 lets 1 m become 1.1 m
  /// Of a penalty: at twice the limit it has added this many Young's moduli of stiffness.
  double limit_stiffness = 10;

  /// Says which value is wrong and what range it needs.
  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges and descriptions of such a material in a settings file.
[[nodiscard]] const settings::Fields<SheetMaterial>& sheet_material_fields();

/// A sheet at rest.
struct SheetModel {
  geometry::TriMesh mesh;
  std::vector<SheetMaterial> materials;
  std::vector<geometry::Index> regions;  ///< per triangle, place in materials; empty: all 0

  [[nodiscard]] const SheetMaterial& material_of(std::size_t triangle) const {
    return materials[regions.empty() ? 0 : regions[triangle]];
  }
  /// Sizes and materials, degenerate triangles, edges that do not bend: errors with their lists, as
  /// ShellModel::validate has them.
  [[nodiscard]] Result<void> validate() const;
};

/// kg per vertex: a third of the mass of each of its triangles.
[[nodiscard]] Eigen::VectorXd lumped_masses(const SheetModel& model);

/// The sheet as a shell that resists bending alone, for ShellEnergy beside a MembraneEnergy, which
/// resists stretching. Hinges by default: cloth of ten thousand vertices can afford them.
[[nodiscard]] Result<DiscreteShell> bending_shell(const SheetModel& model,
                                                  Bending bending = Bending::Hinge);

}  // namespace supple::fem
