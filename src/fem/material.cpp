// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/material.hpp"

#include <fmt/format.h>

#include <cmath>

namespace supple::fem {

Result<void> Material::validate() const {
  const auto wrong = [&](const char* quantity, double value, const char* range) {
    return bad_input(
        fmt::format("material '{}': {} is {}; it must be {}", name, quantity, value, range));
  };
  if (!(youngs_modulus > 0) || !std::isfinite(youngs_modulus)) {
    return wrong("Young's modulus", youngs_modulus, "positive (Pa)");
  }
  if (!(poisson_ratio > -1 && poisson_ratio < 0.5)) {
    return wrong("Poisson's ratio", poisson_ratio,
                 "above -1 and below 0.5 (0.5 cannot change volume at all; flesh is near 0.45 to "
                 "0.499)");
  }
  if (!(density > 0) || !std::isfinite(density)) {
    return wrong("density", density, "positive (kg/m^3)");
  }
  return {};
}

}  // namespace supple::fem
