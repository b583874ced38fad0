// SPDX-License-Identifier: Apache-2.0
#include "bake/settings/simulation_bodies.hpp"

#include "bake/settings/shell_materials.hpp"
#include "bake/settings/vertex_selection.hpp"

#include "supple/bake/solid_materials.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::bake {
namespace {

using settings::above;
using settings::Complaint;
using settings::field;
using settings::Fields;
using settings::Form;
using settings::from;

Result<void> check_where(std::string_view text) {
  if (auto read = detail::parse_vertex_selection(text); !read.ok()) return std::move(read).error();
  return {};
}

const Fields<SimulatedGeometry>& geometry_fields() {
  using S = SimulatedGeometry;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::mesh>("mesh", "a file (.obj .ply .stl .glb .msh .vtk .vtu .inp) instead")
              .unless_empty(),
          settings::choice<&S::shape>("shape", {"box", "sphere", "cylinder", "sheet"},
                                      "a cylinder stands along y, a sheet lies in x and z"),
          field<&S::size>("size", "of the shape along x, y, z, centred at the origin")
              .in("m")
              .range(from(0)),
          field<&S::cells>("cells", "of the shape along its longest side").range(from(1).to(500)),
          field<&S::scale>("scale", "metres per unit of the file").in("m").range(above(0)),
          field<&S::position>("position", "is added after turning").in("m"),
          field<&S::rotation>("rotation", "axis times angle").in("degrees"),
          field<&S::colour>("colour", "red, green, blue in the result, linear")
              .range(from(0).to(1)),
      }
          .rule([](const S& s) -> std::optional<Complaint> {
            const bool flat = s.shape == SimulatedShape::Sheet;
            const bool good = s.size.x() > 0 && s.size.z() > 0 && (flat || s.size.y() > 0);
            if (!s.mesh.empty() || good) return {};
            return Complaint{"the sides of a shape must be longer than 0", {"size"}};
          });
  return fields;
}

std::vector<std::string> solid_preset_names() {
  std::vector<std::string> names;
  for (const fem::Material& preset : material_presets()) names.push_back(preset.name);
  return names;
}

std::vector<Form> solid_material_forms() {
  using S = SimulatedSolid;
  Form preset = settings::word_form<S>(
      solid_preset_names(),
      [](S& s) -> std::optional<std::size_t> {
        const auto& presets = material_presets();
        const auto found = std::find(presets.begin(), presets.end(), s.material);
        if (found == presets.end()) return {};
        return static_cast<std::size_t>(found - presets.begin());
      },
      [](S& s, std::size_t word) { s.material = material_presets()[word]; });
  preset.words_are = "a preset";
  return {preset, settings::table_form<S>(
                      fem::material_fields(),
                      [](S& s) -> fem::Material& {
                        s.material = {"custom", 0, 0, 0};
                        return s.material;
                      },
                      [](S& s) { return &s.material; })};
}

std::vector<std::string> sheet_preset_names() {
  std::vector<std::string> names;
  for (const ShellPreset& preset : shell_presets()) names.push_back(preset.name);
  return names;
}

void set_sheet_preset(SimulatedCloth& s, std::size_t preset) {
  s.material_name = shell_presets()[preset].name;
  s.material = std::get<SheetMaterial>(shell_presets()[preset].matter);
}

std::optional<std::size_t> sheet_preset(const SimulatedCloth& s) {
  const auto& presets = shell_presets();
  const auto found = std::ranges::find(presets, s.material_name, &ShellPreset::name);
  if (found == presets.end()) return {};
  return static_cast<std::size_t>(found - presets.begin());
}

std::vector<Form> cloth_material_forms() {
  using S = SimulatedCloth;
  Form preset = settings::word_form<S>(
      sheet_preset_names(), [](S& s) { return sheet_preset(s); },
      [](S& s, std::size_t word) { set_sheet_preset(s, word); });
  preset.words_are = "a preset";
  return {preset, settings::table_form<S>(
                      detail::sheet_fields(),
                      [](S& s) -> SheetMaterial& {
                        s.material_name.clear();
                        s.material = {{"custom", 0, 0, 0}, 0, 1};
                        return s.material;
                      },
                      [](S& s) { return &s.material; })};
}

const Fields<MotionTimes>& times_fields() {
  using S = MotionTimes;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::begin>("begin", "when it begins").in("s").range(from(0)),
          field<&S::end>("end", "when it ends").in("s").range(above(0)).default_is("never"),
      }
          .rule([](const S& s) -> std::optional<Complaint> {
            if (!s.end || *s.end > s.begin) return {};
            return Complaint{"a motion must end after it begins", {"end"}};
          });
  return fields;
}

const Fields<DriftSettings>& drift_fields() {
  using S = DriftSettings;
  static const Fields<S> fields = [] {
    Fields<S> list{field<&S::velocity>("velocity", "constant").in("m/s").must_be_given()};
    list.adopt<&S::times>(times_fields());
    return list;
  }();
  return fields;
}

const Fields<TurnSettings>& turn_fields() {
  using S = TurnSettings;
  static const Fields<S> fields = [] {
    Fields<S> list{field<&S::point>("point", "on the axis").in("m"),
                   field<&S::axis>("axis", "of any length but 0"),
                   field<&S::speed>("speed", "about the axis").in("degrees/s").must_be_given()};
    list.adopt<&S::times>(times_fields()).rule([](const S& s) -> std::optional<Complaint> {
      if (s.axis.norm() > 0) return {};
      return Complaint{"the axis has no length, so no direction", {"axis"}};
    });
    return list;
  }();
  return fields;
}

const Fields<SwingSettings>& swing_fields() {
  using S = SwingSettings;
  static const Fields<S> fields = [] {
    Fields<S> list{
        field<&S::amplitude>("amplitude", "times sin(2 pi frequency t + phase) - sin(phase)")
            .in("m")
            .must_be_given(),
        field<&S::frequency>("frequency", "how often").in("Hz").range(from(0)),
        field<&S::phase>("phase", "where it begins").in("degrees")};
    list.adopt<&S::times>(times_fields());
    return list;
  }();
  return fields;
}

const Fields<KeySettings>& key_fields() {
  using S = KeySettings;
  static const Fields<S> fields{
      field<&S::time>("time", "when").in("s").range(from(0)).must_be_given(),
      field<&S::position>("position", "from where the body starts").in("m"),
      field<&S::rotation>("rotation", "axis times angle, about `centre`").in("degrees"),
  };
  return fields;
}

std::optional<Complaint> check_motion(const MotionSettings& s) {
  const int given = static_cast<int>(s.drift.has_value()) + static_cast<int>(s.turn.has_value()) +
                    static_cast<int>(s.swing.has_value()) + static_cast<int>(!s.keys.empty());
  if (given != 1) return Complaint{"a motion needs one of drift, turn, swing and keys", {}};
  for (std::size_t i = 1; i < s.keys.size(); ++i) {
    if (s.keys[i].time > s.keys[i - 1].time) continue;
    return Complaint{"the times of keys must ascend", {fmt::format("keys[{}].time", i + 1)}};
  }
  return {};
}

const Fields<MotionSettings>& motion_fields() {
  using S = MotionSettings;
  static const Fields<S> fields =
      Fields<S>{
          settings::inline_table<&S::drift>("drift", drift_fields(), "a constant velocity"),
          settings::inline_table<&S::turn>("turn", turn_fields(), "about a fixed axis"),
          settings::inline_table<&S::swing>("swing", swing_fields(), "to and fro"),
          settings::forms<S>(
              "keys",
              {settings::tables_form<S>(
                  key_fields(), [](S& s) -> std::vector<KeySettings>& { return s.keys; },
                  [](S& s) { return s.keys.empty() ? nullptr : &s.keys; })},
              "poses at times, straight in between")
              .in_rows(),
          field<&S::centre>("centre", "about which keys rotate").in("m"),
      }
          .rule(check_motion);
  return fields;
}

}  // namespace

SimulatedSolid::SimulatedSolid() : material(*parse_material("silicone")) {}

SimulatedCloth::SimulatedCloth() {
  geometry.shape = SimulatedShape::Sheet;
  geometry.size = {0.5, 0, 0.5};
  geometry.cells = 20;
  const auto names = sheet_preset_names();
  set_sheet_preset(*this,
                   static_cast<std::size_t>(std::ranges::find(names, "fabric") - names.begin()));
}

const Fields<SimulatedSolid>& detail::solid_fields() {
  using S = SimulatedSolid;
  static const Fields<S> fields = [] {
    Fields<S> list{field<&S::name>("name", "in messages and in the result").unless_empty()};
    list.adopt<&S::geometry>(geometry_fields())
        .add(field<&S::elements>("elements", "about this many, where a surface is filled")
                 .range(from(10).to(1e6)))
        .add(settings::forms<S>(
            "nodes",
            {settings::word_form<S>(
                {"4", "10"},
                [](S& s) -> std::optional<std::size_t> { return s.nodes == 10 ? 1 : 0; },
                [](S& s, std::size_t word) { s.nodes = word == 1 ? 10 : 4; })},
            "of an element"))
        .add(settings::forms<S>(
            "material", solid_material_forms(),
            "a preset or {youngs_modulus = Pa, poisson_ratio = .., density = kg/m^3}"))
        .add(settings::choice<&S::st_venant_kirchhoff>(
            "law", {"neo_hookean", "st_venant_kirchhoff"}, "of large deformations"))
        .add(field<&S::friction>("friction", "of two bodies, the geometric mean acts")
                 .range(from(0).to(10)))
        .add(field<&S::damping>("damping", "stress per rate of strain, relative to the stiffness")
                 .in("s")
                 .range(from(0)))
        .add(field<&S::velocity>("velocity", "at the start").in("m/s"))
        .titled([](const S& s) { return fmt::format("solid '{}'", s.name); })
        .rule([](const S& s) -> std::optional<Complaint> {
          if (!s.geometry.mesh.empty() || s.geometry.shape != SimulatedShape::Sheet) return {};
          return Complaint{"a sheet has no volume; make it a [[cloth]], or use a box", {"shape"}};
        });
    return list;
  }();
  return fields;
}

const Fields<SimulatedCloth>& detail::cloth_fields() {
  using S = SimulatedCloth;
  static const Fields<S> fields = [] {
    Fields<S> list{field<&S::name>("name", "in messages and in the result").unless_empty()};
    list.adopt<&S::geometry>(geometry_fields())
        .add(settings::forms<S>("material", cloth_material_forms(),
                                "a preset or {youngs_modulus = Pa, poisson_ratio = .., density = "
                                "kg/m^3, thickness = m, bending = ..}"))
        .add(field<&S::thickness>("thickness", "kept from everything else; 0: the material's")
                 .in("m")
                 .range(from(0)))
        .add(settings::choice<&S::limit>("limit", {"none", "penalty", "hard"},
                                         "beyond stretch_limit: it stretches on, it stiffens, or "
                                         "it stretches no further"))
        .add(field<&S::stretch_limit>("stretch_limit", "strain; 0.1 lets 1 m become 1.1 m")
                 .range(above(0)))
        .add(field<&S::friction>("friction", "of two bodies, the geometric mean acts")
                 .range(from(0).to(10)))
        .add(field<&S::damping>("damping", "stress per rate of strain, relative to the stiffness")
                 .in("s")
                 .range(from(0)))
        .add(field<&S::velocity>("velocity", "at the start").in("m/s"))
        .titled([](const S& s) { return fmt::format("cloth '{}'", s.name); });
    return list;
  }();
  return fields;
}

const Fields<SimulatedObstacle>& detail::obstacle_fields() {
  using S = SimulatedObstacle;
  static const Fields<S> fields = [] {
    Fields<S> list{field<&S::name>("name", "in messages and in the result").unless_empty()};
    list.adopt<&S::geometry>(geometry_fields())
        .add(field<&S::friction>("friction", "of two bodies, the geometric mean acts")
                 .range(from(0).to(10)))
        .add(settings::sections<&S::motions>("motion", motion_fields(),
                                             "one after the other; none: it stands still"))
        .titled([](const S& s) { return fmt::format("obstacle '{}'", s.name); });
    return list;
  }();
  return fields;
}

const Fields<PinSettings>& detail::pin_fields() {
  using S = PinSettings;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::body>("body", "a solid or a cloth").must_be_given(),
          field<&S::where>("where", "vertices in one of these selections, such as \"y>0.2\"")
              .text_checked_by(check_where)
              .must_be_given(),
          settings::sections<&S::motions>("motion", motion_fields(),
                                          "one after the other; none: they stand still"),
      }
          .titled([](const S& s) { return fmt::format("the pin of '{}'", s.body); })
          .rule([](const S& s) -> std::optional<Complaint> {
            if (!s.where.empty()) return {};
            return Complaint{"a pin needs vertices: where = [\"y>0.2\"]", {"where"}};
          });
  return fields;
}

const Fields<ImpulseSettings>& detail::impulse_fields() {
  using S = ImpulseSettings;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::time>("time", "when").in("s").range(from(0)).must_be_given(),
          field<&S::body>("body", "a solid or a cloth").must_be_given(),
          field<&S::where>("where", "vertices in one of these; none: all of it")
              .text_checked_by(check_where),
          field<&S::velocity>("velocity", "is added").in("m/s").must_be_given(),
      }
          .titled([](const S& s) { return fmt::format("the impulse on '{}'", s.body); });
  return fields;
}

}  // namespace supple::bake
