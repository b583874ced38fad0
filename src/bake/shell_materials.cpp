// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/shell_settings.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::bake {
namespace {

ShellMatter sheet(const char* name, double youngs_modulus, double poisson_ratio, double density,
                  double thickness, double bending = 1) {
  return SheetMaterial{{name, youngs_modulus, poisson_ratio, density}, thickness, bending};
}

}  // namespace

const std::vector<ShellPreset>& shell_presets() {
  // docs/shells.md has the sources; thickness and density vary more than the moduli do.
  static const std::vector<ShellPreset> presets{
      {"paper", "office paper, 80 g/m^2", sheet("paper", 3.0e9, 0.3, 800, 0.1e-3)},
      {"card", "cardboard, 300 g/m^2", sheet("card", 2.5e9, 0.3, 750, 0.4e-3)},
      {"leaf", "leaf of a broadleaf tree", sheet("leaf", 100.0e6, 0.35, 700, 0.25e-3)},
      {"petal", "petal of a large flower", sheet("petal", 10.0e6, 0.4, 900, 0.3e-3)},
      {"fabric", "woven cotton, 150 g/m^2", sheet("fabric", 30.0e6, 0.3, 500, 0.3e-3, 0.08)},
      {"felt", "wool felt of hats, 3 mm", sheet("felt", 1.5e6, 0.2, 250, 3.0e-3)},
      {"leather", "upper leather, 1.5 mm", sheet("leather", 30.0e6, 0.4, 900, 1.5e-3)},
      {"rubber", "natural rubber, 2 mm", sheet("rubber", 1.5e6, 0.49, 930, 2.0e-3)},
      {"plastic", "polyester film, 0.25 mm", sheet("plastic", 4.0e9, 0.38, 1390, 0.25e-3)},
      {"aluminium", "sheet, 0.5 mm", sheet("aluminium", 70.0e9, 0.33, 2700, 0.5e-3)},
      {"steel", "sheet, 0.5 mm", sheet("steel", 210.0e9, 0.3, 7850, 0.5e-3)},
  };
  return presets;
}

Result<ShellMatter> find_shell_preset(std::string_view name) {
  std::vector<std::string> names;
  names.reserve(shell_presets().size());
  for (const ShellPreset& preset : shell_presets()) {
    if (preset.name == name) return preset.matter;
    names.push_back(preset.name);
  }
  return bad_input(fmt::format("there is no material '{}'{}; there are {}", name,
                               did_you_mean(name, names), fmt::join(names, ", ")));
}

Result<double> find_medium(std::string_view name) {
  if (name == "none") return 0.0;
  if (name == "air") return 1.2;
  if (name == "water") return 1000.0;
  return bad_input(fmt::format(
      "there is no medium '{}'; there are none, air and water, or a density in kg/m^3", name));
}

fem::ShellMaterial shell_material(const ShellMatter& matter, double edge_scale) {
  if (const auto* direct = std::get_if<fem::ShellMaterial>(&matter)) return *direct;
  const auto& sheet = std::get<SheetMaterial>(matter);
  fem::ShellMaterial material = fem::shell_material(sheet.solid, sheet.thickness, edge_scale);
  material.bending_stiffness *= sheet.bending;
  return material;
}

Result<void> validate(const ShellMatter& matter) {
  if (const auto* sheet = std::get_if<SheetMaterial>(&matter)) {
    SUPPLE_TRY_VOID(sheet->solid.validate());
    if (!(sheet->thickness > 0) || !std::isfinite(sheet->thickness)) {
      return bad_input(
          fmt::format("thickness is {}; it must be positive, in metres: 0.0001 is "
                      "paper",
                      sheet->thickness));
    }
    if (!(sheet->bending >= 0) || !std::isfinite(sheet->bending)) {
      return bad_input(
          fmt::format("bending is {}; it must be a factor, 1 for a solid sheet", sheet->bending));
    }
  }
  return shell_material(matter, 1).validate();
}

}  // namespace supple::bake
