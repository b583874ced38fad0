// SPDX-License-Identifier: Apache-2.0
#include "material_presets.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace supple::app {
namespace {

Error unreadable(std::string_view text, std::string_view why) {
  return Error(ErrorCode::Usage,
               fmt::format("cannot read the material '{}': {}; expected E,nu,rho (Pa, -, kg/m^3), "
                           "for instance 12000,0.49,1060, or a preset such as fat",
                           text, why));
}

}  // namespace

const std::vector<fem::Material>& material_presets() {
  // Soft tissue: small strains, quasi-static; measured moduli scatter by a factor of ten with
  // site, person and method. nu = 0.49 stands for "nearly incompressible" where 0.5 would be
  // singular. Metals and rubber: handbook values at room temperature.
  static const std::vector<fem::Material> presets{
      // Samani, Zubovits & Plewes 2007 (breast fat 3.2 kPa); density ICRU 44.
      {"fat", 3.0e3, 0.49, 920},
      // Relaxed muscle across the fibres: 5 to 20 kPa by elastography (Gennisson et al. 2010).
      {"muscle", 12.0e3, 0.49, 1060},
      // In-plane 100 to 400 kPa in suction and indentation (Diridollou et al. 2000).
      {"skin", 200.0e3, 0.48, 1100},
      // Liver by elastography, 4 to 6 kPa (Sandrin et al. 2003).
      {"liver", 5.0e3, 0.49, 1050},
      // Cortical bone along the shaft (Reilly & Burstein 1975).
      {"bone", 17.0e9, 0.30, 1900},
      // Ballistic and dessert gelatine of 5 to 10 % (Hall et al. 1997).
      {"gelatine", 5.0e3, 0.49, 1000},
      // Unfilled natural rubber; filled compounds reach 10 MPa (Treloar 1975).
      {"rubber", 2.0e6, 0.49, 1100},
      // Soft two-part casting silicone, Shore 00-30 to 00-50.
      {"silicone", 0.1e6, 0.49, 1070},
      {"foam", 50.0e3, 0.30, 60},      // soft polyurethane seat foam (Gibson & Ashby 1997)
      {"wood", 11.0e9, 0.35, 600},     // softwood along the grain, taken as isotropic
      {"plastic", 2.3e9, 0.35, 1050},  // ABS
      {"glass", 70.0e9, 0.22, 2500},
      {"aluminium", 70.0e9, 0.33, 2700},
      {"titanium", 110.0e9, 0.34, 4430},  // Ti-6Al-4V
      {"steel", 210.0e9, 0.30, 7850},
  };
  return presets;
}

Result<fem::Material> parse_material(std::string_view text) {
  if (text.find(',') == std::string_view::npos) {
    std::vector<std::string> names;
    for (const fem::Material& preset : material_presets()) {
      if (preset.name == text) return preset;
      names.push_back(preset.name);
    }
    return unreadable(text, "no preset of that name" + did_you_mean(text, names));
  }
  std::array<double, 3> values{};
  std::string_view rest = text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == values.size())) {
      return unreadable(text, "there have to be three numbers");
    }
    const std::string_view number = rest.substr(0, comma);
    const char* end = number.data() + number.size();
    const auto [stop, status] = std::from_chars(number.data(), end, values[i]);
    if (status != std::errc() || stop != end) {
      return unreadable(text, fmt::format("'{}' is no number", number));
    }
    if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
  }
  fem::Material material{std::string(text), values[0], values[1], values[2]};
  SUPPLE_TRY_VOID(material.validate());
  return material;
}

Result<RegionMaterial> parse_region_material(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Error(
        ErrorCode::Usage,
        fmt::format("cannot read the region '{}': expected NAME=E,nu,rho or NAME=PRESET", text));
  }
  SUPPLE_TRY(fem::Material material, parse_material(text.substr(equals + 1)));
  return RegionMaterial{std::string(text.substr(0, equals)), std::move(material)};
}

std::string describe_presets() {
  std::string text;
  for (const fem::Material& preset : material_presets()) {
    text += fmt::format("  {:<10} {:>9.3g} Pa  nu {:<5.3g} {:>6.4g} kg/m^3\n", preset.name,
                        preset.youngs_modulus, preset.poisson_ratio, preset.density);
  }
  return text;
}

}  // namespace supple::app
