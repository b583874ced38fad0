// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/settings/declare.hpp"

#include <string>

namespace supple::fem {

/// Isotropic linear elasticity.
struct Material {
  std::string name;
  double youngs_modulus = 0;  ///< Pa, > 0
  double poisson_ratio = 0;   ///< in (-1, 0.5)
  double density = 0;         ///< kg/m^3, > 0

  /// Says which value is wrong and what range it needs.
  [[nodiscard]] Result<void> validate() const;
  [[nodiscard]] bool operator==(const Material&) const = default;
};

/// Keys, ranges and descriptions of a material in a settings file.
[[nodiscard]] const settings::Fields<Material>& material_fields();

}  // namespace supple::fem
