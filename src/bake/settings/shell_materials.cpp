// SPDX-License-Identifier: Apache-2.0
#include "bake/settings/shell_materials.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::bake {
namespace {

ShellMatter sheet(const char* name, double youngs_modulus, double poisson_ratio, double density,
                  double thickness, double bending = 1) {
  return SheetMaterial{{name, youngs_modulus, poisson_ratio, density}, thickness, bending};
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  names.reserve(shell_presets().size());
  for (const ShellPreset& preset : shell_presets()) names.push_back(preset.name);
  return names;
}

std::optional<std::size_t> preset_number(std::string_view name) {
  const auto& presets = shell_presets();
  const auto found = std::ranges::find(presets, name, &ShellPreset::name);
  if (found == presets.end()) return {};
  return static_cast<std::size_t>(found - presets.begin());
}

}  // namespace

const settings::Fields<SheetMaterial>& detail::sheet_fields() {
  using S = SheetMaterial;
  static const settings::Fields<S> fields = [] {
    settings::Fields<S> list{};
    list.adopt<&S::solid>(fem::material_fields())
        .add(settings::field<&S::thickness>("thickness", "of the sheet; 0.0001 is paper")
                 .in("m")
                 .range(settings::above(0))
                 .must_be_given())
        .add(settings::field<&S::bending>("bending",
                                          "factor on its bending stiffness; 1 for a solid sheet, "
                                          "less for cloth, whose fibres slide")
                 .range(settings::from(0)))
        .titled([](const S& s) { return "material '" + s.solid.name + "'"; });
    return list;
  }();
  return fields;
}

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
  if (const auto number = preset_number(name)) return shell_presets()[*number].matter;
  return bad_input(fmt::format("unknown material '{}'{}; available: {}", name,
                               did_you_mean(name, preset_names()),
                               fmt::join(preset_names(), ", ")));
}

Result<double> find_medium(std::string_view name) {
  for (const shell::NamedMedium& medium : shell::media()) {
    if (medium.name == name) return medium.density;
  }
  return bad_input(
      fmt::format("unknown medium '{}'; use none, air, water or a density in kg/m^3", name));
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
    SUPPLE_TRY_VOID(detail::sheet_fields().check(*sheet));
  }
  return shell_material(matter, 1).validate();
}

std::vector<settings::Form> detail::shell_material_forms() {
  using S = ShellSettings;
  settings::Form preset = settings::word_form<S>(
      preset_names(), [](S& s) { return preset_number(s.material_name); },
      [](S& s, std::size_t word) {
        s.material_name = shell_presets()[word].name;
        s.material = shell_presets()[word].matter;
      });
  preset.words_are = "a preset";
  return {
      preset,
      settings::table_form<S>(
          sheet_fields(),
          [](S& s) -> SheetMaterial& {
            s.material_name.clear();
            return s.material.emplace<SheetMaterial>(SheetMaterial{{"custom", 0, 0, 0}, 0, 1});
          },
          [](S& s) { return std::get_if<SheetMaterial>(&s.material); }),
      settings::table_form<S>(
          fem::shell_material_fields(),
          [](S& s) -> fem::ShellMaterial& {
            s.material_name.clear();
            return s.material.emplace<fem::ShellMaterial>(fem::ShellMaterial{"custom", 0, 0, 0, 0});
          },
          [](S& s) { return std::get_if<fem::ShellMaterial>(&s.material); })};
}

}  // namespace supple::bake
