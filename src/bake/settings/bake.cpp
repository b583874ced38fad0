// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/settings.hpp"

#include "bake/settings/shell_materials.hpp"

#include "supple/settings/toml.hpp"

#include <fmt/format.h>

#include <set>

namespace supple::bake {
namespace {

using settings::above;
using settings::Complaint;
using settings::field;
using settings::Fields;
using settings::from;

const Fields<ExportSettings>& output_fields() {
  using S = ExportSettings;
  static const Fields<S> fields{
      field<&S::rate>("rate", "samples per second of baked clips")
          .in("Hz")
          .range(from(12).to(1000)),
      field<&S::tolerance>("tolerance",
                           "error of thinned keys, relative to a weight's largest value")
          .range(from(0).below(1)),
      field<&S::signed_weights>("signed", "one morph target per mode instead of a pair"),
      field<&S::float32>("float32", "shapes of the .supple as floats, not 16-bit numbers"),
      field<&S::gain>("gain", "scales what is baked into clips; 1 is physical").range(from(0)),
      field<&S::shell_tolerance>("shell_tolerance",
                                 "error of a recorded shell's vertices, relative to its size")
          .range(above(0).below(1)),
      field<&S::shell_targets>("shell_targets", "at most this many shapes per recorded shell")
          .range(from(1).to(256)),
  };
  return fields;
}

settings::TypedField<BakeSettings> unit_field() {
  using S = BakeSettings;
  settings::Form automatic = settings::word_form<S>(
      {"auto"},
      [](S& s) -> std::optional<std::size_t> {
        if (s.metres_per_unit == 0) return 0;
        return {};
      },
      [](S& s, std::size_t) { s.metres_per_unit = 0; });
  settings::Form number = settings::form<S>([](S& s) -> double& { return s.metres_per_unit; },
                                            [](S& s) -> double* { return &s.metres_per_unit; });
  number.range = above(0);
  return settings::forms<S>("unit", {automatic, number},
                            "metres per unit of the file, such as 0.01")
      .in("m")
      .explain("`\"auto\"` is 1, or 0.01 where the character would be a giant");
}

std::optional<Complaint> check_all_names(const BakeSettings& s) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < s.objects.size(); ++i) {
    const std::string& name = s.objects[i].name;
    if (names.insert(name).second) continue;
    return Complaint{fmt::format("two objects have the name '{}'; each needs its own", name),
                     {fmt::format("object[{}].name", i + 1)}};
  }
  for (std::size_t i = 0; i < s.shells.size(); ++i) {
    const std::string& name = s.shells[i].object.name;
    if (!names.insert(name).second) return detail::name_taken(name, i);
  }
  return {};
}

}  // namespace

const Fields<BakeSettings>& bake_fields() {
  using S = BakeSettings;
  static const Fields<S> fields =
      Fields<S>{
          unit_field(),
          field<&S::skeleton>("skeleton",
                              "the highest bone of the character, in a file that has several; "
                              "absent: the one with the most vertices"),
          settings::section<&S::output>("output", output_fields(), "how baked clips are written"),
          settings::sections<&S::objects>(
              "object", flesh::object_fields(),
              "a piece of flesh; without any, they are chosen automatically"),
          settings::sections<&S::shells>("shell", shell_fields(),
                                         "a thin part on the same bones: see shells.md"),
      }
          .rule(check_all_names);
  return fields;
}

Result<void> ExportSettings::validate() const {
  return output_fields().check(*this);
}

ExportSettings export_settings(const ShellExportSettings& shells) {
  ExportSettings settings;
  settings.rate = shells.rate;
  settings.shell_tolerance = shells.tolerance;
  settings.shell_targets = shells.targets;
  settings.signed_weights = shells.signed_weights;
  settings.float32 = shells.float32;
  return settings;
}

Result<void> BakeSettings::validate() const {
  return bake_fields().check(*this);
}

Result<BakeSettings> parse_bake_settings(std::string_view toml, std::string_view name) {
  SUPPLE_TRY(const settings::Value document, settings::parse_toml(toml, name));
  BakeSettings read;
  SUPPLE_TRY_VOID(bake_fields().read(document, name, read));
  return read;
}

std::string print_bake_settings(const BakeSettings& settings, PrintedKeys keys) {
  const Fields<BakeSettings>& fields = bake_fields();
  return settings::print_toml(
      fields, keys == PrintedKeys::All ? fields.write(settings) : fields.write_changed(settings));
}

}  // namespace supple::bake
