// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/shell_settings.hpp"

#include "bake/settings/shell_materials.hpp"
#include "bake/settings/vertex_selection.hpp"

#include "supple/format/layout.hpp"
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

Result<void> check_selection(std::string_view text) {
  if (auto read = detail::parse_vertex_selection(text); !read.ok()) return std::move(read).error();
  return {};
}

Result<void> check_hold(std::string_view text) {
  if (auto read = parse_hold(text); !read.ok()) return std::move(read).error();
  return {};
}

const Fields<ShellRegion>& region_fields() {
  using S = ShellRegion;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::surface_material>("surface_material", "triangles drawn with this glTF material")
              .unless_empty(),
          settings::forms<S>(
              "where",
              {settings::form<S>([](S& s) -> std::vector<std::string>& { return s.where; },
                                 [](S& s) { return s.where.empty() ? nullptr : &s.where; })},
              "triangles with all corners in one of these selections")
              .text_checked_by(check_selection),
          field<&S::stiffness>("stiffness", "factor s: k_A and k_L by s t, k_B by s t^3")
              .range(above(0)),
          field<&S::thickness>("thickness", "factor t; the mass grows with it too").range(above(0)),
      }
          .rule([](const S& s) -> std::optional<Complaint> {
            if (!s.surface_material.empty() || !s.where.empty()) return {};
            return Complaint{"a region needs surface_material or where to select its triangles",
                             {}};
          });
  return fields;
}

std::optional<Complaint> check_handle(const ShellHandle& handle) {
  if (handle.bone.empty()) return Complaint{"a handle needs the bone that moves it", {"bone"}};
  if (!handle.at.empty()) return {};
  return Complaint{
      fmt::format("the handle of bone '{}' needs a vertex: at = \"nearest:x,y,z\", a selection, or "
                  "vertex = N",
                  handle.bone),
      {}};
}

const Fields<ShellHandle>& handle_fields() {
  using S = ShellHandle;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::bone>("bone", "node that moves the handle").must_be_given(),
          field<&S::at>("at",
                        "the vertex: \"nearest:x,y,z\", \"vertex:N\" or the middle of a selection")
              .unless_empty()
              .text_checked_by(check_selection),
          settings::derived_whole<S>("vertex", "the same as at = \"vertex:N\"").excludes("at"),
          field<&S::hold>(
              "hold", "\"position\", \"orientation\", \"both\" or components: \"xy\", \"turn z\"")
              .text_checked_by(check_hold),
          field<&S::stiffness>("stiffness", "of the spring that holds it; 0: held exactly")
              .in("N/m")
              .range(from(0)),
      }
          .completed_by([](S& s, const settings::Value& table) {
            const settings::Entry* vertex = table.find("vertex");
            if (vertex == nullptr) return;
            s.at = fmt::format("vertex:{}", std::get<std::int64_t>(vertex->value.data));
          })
          .rule(check_handle);
  return fields;
}

/// Takes the name from the mesh; a default number of modes is reduced to what the shell has.
void complete_shell(ShellSettings& s, const settings::Value& table) {
  if (table.find("name") == nullptr) s.object.name = s.mesh.empty() ? "shell" : s.mesh;
  s.object.fewer_modes = table.find("modes") == nullptr;
}

std::optional<Complaint> check_matter(const ShellSettings& s) {
  const auto valid = shell_material(s.material, 1).validate();
  if (valid.ok()) return {};
  return Complaint{valid.error().message(), {"material"}};
}

const Fields<ShellExportSettings>& shell_export_fields() {
  using S = ShellExportSettings;
  static const Fields<S> fields{
      field<&S::rate>("rate", "frames per second of recorded motion")
          .in("Hz")
          .range(from(12).to(1000)),
      field<&S::tolerance>("tolerance", "largest error of a vertex, relative to the shell's size")
          .range(above(0).below(1)),
      field<&S::targets>("targets", "at most this many shapes per shell").range(from(1).to(256)),
      field<&S::signed_weights>("signed", "one morph target per shape instead of a pair"),
      field<&S::float32>("float32", "shapes of the .supple as floats, not 16-bit numbers"),
  };
  return fields;
}

std::optional<Complaint> check_shell_names(const ShellFileSettings& s) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < s.shells.size(); ++i) {
    const std::string& name = s.shells[i].object.name;
    if (!names.insert(name).second) return detail::name_taken(name, i);
  }
  return {};
}

}  // namespace

ShellSettings::ShellSettings() : material(shell_presets().front().matter) {}

Complaint detail::name_taken(const std::string& name, std::size_t shell) {
  return {fmt::format("the name '{}' is used twice; each object and shell needs its own", name),
          {fmt::format("shell[{}].name", shell + 1)}};
}

const Fields<ShellSettings>& shell_fields() {
  using S = ShellSettings;
  static const Fields<S> fields = [] {
    Fields<S> list{};
    list.adopt<&S::object>(shell::object_fields(), {"name"})
        .add(
            field<&S::mesh>("mesh", "a mesh, node or material of the file; \"\": everything drawn"))
        .add(field<&S::bone>("bone", "node that carries it; \"\": chosen automatically"))
        .add(settings::forms<S>(
            "material", detail::shell_material_forms(),
            "a preset, {youngs_modulus = Pa, poisson_ratio, density = kg/m^3, thickness = m} or "
            "stiffnesses"))
        .add(settings::choice<&S::bending>(
            "bending_model", {"plate", "hinge"},
            "\"hinge\": the energy of [CWK07], stiffer or softer by the mesh"))
        .add(field<&S::fix>("fix",
                            "vertices that do not move: \"sphere:x,y,z,r\", \"x<0.1\", "
                            "\"vertices:1,2\", \"colour:COLOR_0.r>0.5\", \"set:NAME\"")
                 .text_checked_by(check_selection))
        .add(field<&S::clamp>("clamp",
                              "the same, fixed together with their neighbours, so that a "
                              "border cannot swing")
                 .text_checked_by(check_selection))
        .adopt<&S::object>(shell::object_fields())
        .add(settings::sections<&S::regions>("region", region_fields(),
                                             "a part that is stiffer, softer, thicker or thinner"))
        .add(settings::sections<&S::handles>("handle", handle_fields(),
                                             "a vertex that a bone holds"))
        .titled([](const S& s) { return fmt::format("shell '{}'", s.object.name); })
        .completed_by([](S& s, const settings::Value& table) { complete_shell(s, table); })
        .rule(check_matter);
    return list;
  }();
  return fields;
}

const Fields<ShellFileSettings>& shell_file_fields() {
  using S = ShellFileSettings;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::metres_per_unit>("unit", "metres per unit of the file, such as 0.01")
              .in("m")
              .range(above(0)),
          settings::section<&S::output>("export", shell_export_fields(),
                                        "how recorded motion is written"),
          settings::sections<&S::shells>("shell", shell_fields(),
                                         "a shell; without any, every mesh is one"),
      }
          .rule(check_shell_names);
  return fields;
}

Result<void> ShellSettings::validate() const {
  return shell_fields().check(*this);
}

Result<void> ShellExportSettings::validate() const {
  return shell_export_fields().check(*this);
}

Result<void> ShellFileSettings::validate() const {
  return shell_file_fields().check(*this);
}

Result<ShellFileSettings> parse_shell_settings(std::string_view toml, std::string_view name) {
  SUPPLE_TRY(const settings::Value document, settings::parse_toml(toml, name));
  ShellFileSettings read;
  SUPPLE_TRY_VOID(shell_file_fields().read(document, name, read));
  return read;
}

std::string print_shell_settings(const ShellFileSettings& settings) {
  return settings::print_toml(shell_file_fields(), shell_file_fields().write(settings));
}

Result<std::uint32_t> parse_hold(std::string_view text) {
  if (text == "position") return format::kHandlePosition;
  if (text == "orientation") return format::kHandleOrientation;
  if (text == "both") return format::kHandlePosition | format::kHandleOrientation;
  std::uint32_t bits = 0;
  std::string_view rest = text;
  std::uint32_t shift = 0;
  while (!rest.empty()) {
    if (rest.front() == ' ') {
      rest.remove_prefix(1);
    } else if (shift == 0 && rest.starts_with("turn")) {
      shift = 3;
      rest.remove_prefix(4);
    } else if (rest.front() >= 'x' && rest.front() <= 'z') {
      bits |= 1U << (static_cast<unsigned>(rest.front() - 'x') + shift);
      rest.remove_prefix(1);
    } else {
      bits = 0;
      break;
    }
  }
  if (bits != 0) return bits;
  return bad_input(
      fmt::format("cannot read hold = \"{}\"; expected \"position\", \"orientation\", \"both\", "
                  "some of \"xyz\", or \"turn\" and some of \"xyz\"",
                  text));
}

}  // namespace supple::bake
