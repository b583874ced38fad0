// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/settings.hpp"

#include "supple/core/suggest.hpp"
#include "supple/settings/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::flesh {
namespace {

using settings::above;
using settings::Complaint;
using settings::field;
using settings::Fields;
using settings::Form;
using settings::from;

constexpr double kMostElements = 2'000'000;  // a million took 19 GB in the benchmarks
constexpr double kMostModes = 1000;
constexpr double kLongestLength = 1000;  // metres
constexpr double kMostDamping = 10;
constexpr double kMostSag = 10;

const Fields<fem::Material>& tissue_fields() {
  static const Fields<fem::Material> fields = Fields<fem::Material>(fem::material_fields())
                                                  .rename("youngs_modulus", "E")
                                                  .rename("poisson_ratio", "nu")
                                                  .rename("density", "rho");
  return fields;
}

std::vector<std::string> tissue_names() {
  std::vector<std::string> names;
  for (const fem::Material& preset : tissue_presets()) names.push_back(preset.name);
  return names;
}

std::optional<std::size_t> preset_number(const fem::Material& material) {
  const auto& presets = tissue_presets();
  const auto found = std::ranges::find(presets, material);
  if (found == presets.end()) return {};
  return static_cast<std::size_t>(found - presets.begin());
}

/// A preset by its name, or a table of numbers. `Make` and `View` find the material in S.
template <class S, class Make, class View>
std::vector<Form> material_forms(Make make, View view) {
  Form preset = settings::word_form<S>(
      tissue_names(),
      [](S& s) {
        const fem::Material* material = View{}(s);
        return material != nullptr ? preset_number(*material) : std::nullopt;
      },
      [](S& s, std::size_t word) { Make{}(s) = tissue_presets()[word]; });
  preset.words_are = "a preset";
  return {preset, settings::table_form<S>(tissue_fields(), make, view)};
}

const Fields<Layer>& layer_fields() {
  static const Fields<Layer> fields{
      settings::forms<Layer>("material",
                             material_forms<Layer>(
                                 [](Layer& layer) -> fem::Material& {
                                   return layer.material = {"custom", 0, 0, 0};
                                 },
                                 [](Layer& layer) { return &layer.material; }),
                             "a preset or {E = Pa, nu = .., rho = kg/m^3}")
          .must_be_given(),
      settings::forms<Layer>(
          "depth",
          {settings::form<Layer>(
              [](Layer& layer) -> double& { return layer.depth; },
              [](Layer& layer) -> double* { return layer.depth != 0 ? &layer.depth : nullptr; })},
          "its lower end, measured from the surface; the last layer reaches the bone")
          .in("m")
          .default_is("all the rest")
          .range(from(0).to(kLongestLength)),
  };
  return fields;
}

const Fields<DampingRatio>& ratio_fields() {
  static const Fields<DampingRatio> fields{
      field<&DampingRatio::xi>("ratio",
                               "damping ratio of every mode; 0 rings for ever, 1 is critical")
          .range(from(0).to(kMostDamping))
          .must_be_given()};
  return fields;
}

const Fields<RayleighDamping>& rayleigh_fields() {
  static const Fields<RayleighDamping> fields{
      field<&RayleighDamping::alpha>("alpha", "Rayleigh damping, C = alpha M + beta K")
          .in("1/s")
          .range(from(0)),
      field<&RayleighDamping::beta>("beta", "Rayleigh damping, C = alpha M + beta K")
          .in("s")
          .range(from(0))};
  return fields;
}

const Fields<SettlesIn>& settle_fields() {
  static const Fields<SettlesIn> fields{
      field<&SettlesIn::seconds>("settle",
                                 "after this time the slowest mode is down to a hundredth")
          .in("s")
          .range(above(0))};
  return fields;
}

const Fields<BoneCore>& radius_fields() {
  static const Fields<BoneCore> fields{
      field<&BoneCore::radius>("radius", "of a rigid capsule along the bone; 0: by `fraction`")
          .in("m")
          .range(from(0).to(kLongestLength))};
  return fields;
}

const Fields<BoneCore>& fraction_fields() {
  static const Fields<BoneCore> fields{
      field<&BoneCore::fraction>("fraction",
                                 "of the way from bone to skin; core = false for no core")
          .range(above(0).below(1))};
  return fields;
}

std::vector<Form> core_forms() {
  using S = ObjectSettings;
  return {settings::form<S>([](S& s) -> bool& { return s.core.enabled; },
                            [](S& s) { return s.core.enabled ? nullptr : &s.core.enabled; }),
          settings::table_form<S>(
              radius_fields(), [](S& s) -> BoneCore& { return s.core; },
              [](S& s) { return s.core.radius != 0 ? &s.core : nullptr; }),
          settings::table_form<S>(
              fraction_fields(), [](S& s) -> BoneCore& { return s.core; },
              [](S& s) { return &s.core; })};
}

/// One layer that reaches the bone is written as `material`, others as `layers`.
bool is_one_material(const ObjectSettings& s) {
  return s.layers.size() == 1 && s.layers.front().depth == 0;
}

settings::TypedField<ObjectSettings> material_field() {
  using S = ObjectSettings;
  return settings::forms<S>(
      "material",
      material_forms<S>(
          [](S& s) -> fem::Material& {
            s.layers = {Layer{{"custom", 0, 0, 0}, 0}};
            return s.layers.front().material;
          },
          [](S& s) { return is_one_material(s) ? &s.layers.front().material : nullptr; }),
      "a preset or {E = Pa, nu = .., rho = kg/m^3}; or layers = [..]");
}

settings::TypedField<ObjectSettings> layers_field() {
  using S = ObjectSettings;
  return settings::forms<S>(
             "layers",
             {settings::tables_form<S>(
                 layer_fields(), [](S& s) -> std::vector<Layer>& { return s.layers; },
                 [](S& s) { return &s.layers; })},
             "from the surface inwards, each down to `depth` metres")
      .explain(
          "`[{material = \"skin\", depth = 0.002}, {material = \"fat\", depth = 0.02}, {material = "
          "\"muscle\"}]`")
      .in_rows()
      .excludes("material");
}

/// One bone is written as `bone`, several as `bones`.
settings::TypedField<ObjectSettings> bone_field() {
  using S = ObjectSettings;
  return settings::forms<S>("bone",
                            {settings::form<S>(
                                [](S& s) -> std::string& {
                                  s.region.bones.assign(1, {});
                                  return s.region.bones.front();
                                },
                                [](S& s) -> std::string* {
                                  return s.region.bones.size() == 1 ? &s.region.bones.front()
                                                                    : nullptr;
                                })},
                            "skin that follows this bone; for several: bones = [..]");
}

settings::TypedField<ObjectSettings> bones_field() {
  using S = ObjectSettings;
  return settings::forms<S>(
             "bones",
             {settings::form<S>([](S& s) -> std::vector<std::string>& { return s.region.bones; },
                                [](S& s) -> std::vector<std::string>* {
                                  return s.region.bones.empty() ? nullptr : &s.region.bones;
                                })},
             "skin that follows any of these bones")
      .excludes("bone");
}

std::optional<Complaint> check_name(const ObjectSettings& s) {
  if (!s.name.empty()) return {};
  return Complaint{"an object needs a name", {"name"}};
}

std::optional<Complaint> check_region(const ObjectSettings& s) {
  const RegionSettings& region = s.region;
  if (region.bones.empty() && region.material.empty() && region.mask.empty()) {
    return Complaint{
        "nothing says which skin belongs to it; give bone, bones, surface_material or mask",
        {"name"}};
  }
  if (std::ranges::find(region.bones, "") != region.bones.end()) {
    return Complaint{"a bone has no name", {"bone", "bones"}};
  }
  return {};
}

std::optional<Complaint> check_layers(const ObjectSettings& s) {
  if (s.layers.empty()) return Complaint{"it has no material; give material or layers", {"layers"}};
  for (std::size_t i = 0; i < s.layers.size(); ++i) {
    const Layer& layer = s.layers[i];
    const std::string key = fmt::format("layers[{}]", i + 1);
    if (layer.depth == 0 && i + 1 < s.layers.size()) {
      return Complaint{
          fmt::format("layer {} ({}) has no depth; only the last one may reach to the bone", i + 1,
                      layer.material.name),
          {key}};
    }
    if (i > 0 && layer.depth != 0 && layer.depth <= s.layers[i - 1].depth) {
      return Complaint{
          fmt::format("layer {} ({}) ends at depth {}, above the end of the one before it; depths "
                      "are metres from the surface and must grow",
                      i + 1, layer.material.name, layer.depth),
          {key + ".depth"}};
    }
  }
  return {};
}

std::optional<Complaint> check_ramp(const ObjectSettings& s) {
  if (s.ramp >= s.border) return {};
  return Complaint{fmt::format("ramp is {}, less than border, {}: the flesh softens from the "
                               "border weight to the ramp weight",
                               s.ramp, s.border),
                   {"ramp", "border"}};
}

/// A single bone is the name where none is given.
void name_by_bone(ObjectSettings& s, const settings::Value& table) {
  if (table.find("name") == nullptr && s.region.bones.size() == 1) s.name = s.region.bones.front();
}

Fields<ObjectSettings> make_object_fields() {
  using S = ObjectSettings;
  return Fields<S>{
      field<&S::name>("name", "what reports call this piece of flesh")
          .default_is("the bone")
          .explain("each object and shell needs its own"),
      bone_field(),
      bones_field(),
      field<&S::region, &RegionSettings::material>("surface_material",
                                                   "only skin drawn with this material")
          .unless_empty(),
      field<&S::region, &RegionSettings::mask>(
          "mask", "vertex attribute _NAME or colour COLOR_0.r: 0 is out, 1 is in")
          .unless_empty(),
      field<&S::driver>("driver", "bone whose motion shakes it")
          .unless_empty()
          .default_is("the bone that moves most of it"),
      material_field(),
      layers_field(),
      settings::forms<S>("damping",
                         {settings::alternative<&S::damping>(ratio_fields()),
                          settings::alternative<&S::damping>(rayleigh_fields()),
                          settings::alternative<&S::damping>(settle_fields())},
                         "{settle = s}, {ratio = xi} or {alpha = 1/s, beta = s}"),
      settings::forms<S>(
          "core", core_forms(),
          "the bone inside: {radius = m}, {fraction = of the way to the skin} or false"),
      field<&S::border>("border", "skin with less weight than this does not move")
          .range(from(0).below(1)),
      field<&S::ramp>("ramp", "from this weight on the flesh is as soft as its material")
          .explain("between `border` and here it is stiffer")
          .range(above(0).to(1)),
      field<&S::elements>("elements", "approximate number of tetrahedra")
          .range(from(1).to(kMostElements)),
      field<&S::modes>("modes", "number of modes kept: those that respond most to the bone")
          .range(from(1).to(kMostModes)),
      field<&S::capture>("capture", "above 0: as many modes as capture this share of the response")
          .range(from(0).below(1)),
      field<&S::max_modes>("max_modes", "at most this many modes with `capture`")
          .range(from(1).to(kMostModes)),
      field<&S::coriolis>("coriolis", "keep the Coriolis term, which costs modes^2 per frame"),
      field<&S::sag>("sag",
                     "stiffen until 1 g moves it by this part of its thickness; 0: as soft as its "
                     "material")
          .explain(
              "all moduli are raised alike; 1 g in any direction, as far as the kept modes say")
          .range(from(0).to(kMostSag)),
      field<&S::limit>("limit", "soft limit of displacements; 0: 0.6 of the thickness")
          .in("m")
          .range(from(0).to(kLongestLength)),
  };
}

}  // namespace

const Fields<ObjectSettings>& object_fields() {
  static const Fields<ObjectSettings> fields =
      make_object_fields()
          .titled([](const ObjectSettings& s) { return fmt::format("object '{}'", s.name); })
          .completed_by(
              [](ObjectSettings& s, const settings::Value& table) { name_by_bone(s, table); })
          .rule(check_name)
          .rule(check_region)
          .rule(check_layers)
          .rule(check_ramp);
  return fields;
}

Result<void> ObjectSettings::validate() const {
  return object_fields().check(*this);
}

const std::vector<fem::Material>& tissue_presets() {
  // Small strains, quasi-static: measured moduli of tissue scatter by a factor of ten with site,
  // person and method. nu = 0.49 stands for "nearly incompressible", since 0.5 is singular.
  // Densities of tissue: [ICRU89].
  static const std::vector<fem::Material> presets{
      // Breast fat, 3.25 +- 0.91 kPa ex vivo [SZP07].
      {"fat", 3.25e3, 0.49, 950},
      // Relaxed, across the fibres: 5 to 20 kPa by shear waves [GDM10].
      {"muscle", 12.0e3, 0.49, 1050},
      // In its plane, suction on the forearm: about 0.1 to 0.4 MPa [DPG00].
      {"skin", 200.0e3, 0.48, 1100},
      // Healthy, 4 to 6 kPa by shear waves [SFC03].
      {"liver", 5.0e3, 0.49, 1060},
      // 10 % by weight, as in ballistic blocks. Shear moduli of 2.0 to 10.2 kPa at 3 to 7 % grow
      // with the square of the share [NZR14]: 20 kPa at 10 %, hence E = 3 * 20 kPa.
      {"gelatine", 60.0e3, 0.49, 1030},
      // Natural, unfilled; filled compounds reach 10 MPa [Tre75].
      {"rubber", 2.0e6, 0.49, 950},
  };
  return presets;
}

Result<fem::Material> find_tissue(const std::string& name) {
  std::vector<std::string> names;
  for (const fem::Material& preset : tissue_presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  return bad_input(fmt::format("there is no material '{}'{}; known are {}", name,
                               did_you_mean(name, names), fmt::join(names, ", ")));
}

std::vector<Layer> default_layers() {
  return {Layer{tissue_presets().front(), 0}};
}

}  // namespace supple::flesh
