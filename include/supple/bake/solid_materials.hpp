// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/material.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace supple::bake {

/// flesh::tissue_presets() and plausible values for other common materials.
[[nodiscard]] const std::vector<fem::Material>& material_presets();

/// "E,nu,rho" in SI units or the name of a preset. Unreadable text is a usage error, a value out of
/// range is bad input.
[[nodiscard]] Result<fem::Material> parse_material(std::string_view text);

/// "NAME=E,nu,rho" or "NAME=PRESET".
struct RegionMaterial {
  std::string region;
  fem::Material material;
};
[[nodiscard]] Result<RegionMaterial> parse_region_material(std::string_view text);

/// One line per preset for --help.
[[nodiscard]] std::string describe_presets();

}  // namespace supple::bake
