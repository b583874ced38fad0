// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/solid_materials.hpp"

#include "supple/core/suggest.hpp"
#include "supple/flesh/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace supple::bake {
namespace {

Error unreadable(std::string_view text, std::string_view why) {
  return Error(ErrorCode::Usage,
               fmt::format("cannot read the material '{}': {}; expected E,nu,rho (Pa, -, kg/m^3), "
                           "for instance 12000,0.49,1060, or a preset such as fat",
                           text, why));
}

}  // namespace

const std::vector<fem::Material>& material_presets() {
  static const std::vector<fem::Material> presets = [] {
    std::vector<fem::Material> all = flesh::tissue_presets();
    // Handbook values at room temperature.
    const std::vector<fem::Material> matter{
        {"bone", 17.0e9, 0.30, 1900},     // cortical, along the shaft (Reilly & Burstein 1975)
        {"silicone", 0.1e6, 0.49, 1070},  // soft, two-component, Shore 00-30 to 00-50
        {"foam", 50.0e3, 0.30, 60},       // polyurethane of seats (Gibson & Ashby 1997)
        {"wood", 11.0e9, 0.35, 600},      // softwood along the grain, taken as isotropic
        {"plastic", 2.3e9, 0.35, 1050},   // ABS
        {"glass", 70.0e9, 0.22, 2500},     {"aluminium", 70.0e9, 0.33, 2700},
        {"titanium", 110.0e9, 0.34, 4430},  // Ti-6Al-4V
        {"steel", 210.0e9, 0.30, 7850},
    };
    all.insert(all.end(), matter.begin(), matter.end());
    return all;
  }();
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
      return unreadable(text, "three numbers are required");
    }
    const std::string_view number = rest.substr(0, comma);
    const char* end = number.data() + number.size();
    const auto [stop, status] = std::from_chars(number.data(), end, values[i]);
    if (status != std::errc() || stop != end) {
      return unreadable(text, fmt::format("'{}' is not a number", number));
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

}  // namespace supple::bake
