// SPDX-License-Identifier: Apache-2.0
#include "supple/shell/settings.hpp"

#include "supple/settings/fields.hpp"

#include <fmt/format.h>

namespace supple::shell {
namespace {

using settings::field;
using settings::Fields;
using settings::Form;
using settings::from;

constexpr double kMostModes = 1000;
constexpr double kMostPoints = 1'000'000;
constexpr double kHighest = 1000;        // Hz
constexpr double kLongestLength = 1000;  // metres
constexpr double kDensest = 20000;       // kg/m^3
constexpr double kMostSag = 10;
constexpr double kMostDamping = 10;
constexpr double kMostRayleigh = 1e6;

const Fields<DampingRatio>& ratio_fields() {
  static const Fields<DampingRatio> fields{
      field<&DampingRatio::ratio>("ratio",
                                  "damping ratio of every mode; 0 rings for ever, 1 is critical")
          .range(from(0).to(kMostDamping))
          .must_be_given()};
  return fields;
}

const Fields<RayleighDamping>& rayleigh_fields() {
  static const Fields<RayleighDamping> fields{
      field<&RayleighDamping::mass>("mass", "Rayleigh damping, C = mass M + stiffness K")
          .in("1/s")
          .range(from(0).to(kMostRayleigh)),
      field<&RayleighDamping::stiffness>("stiffness", "Rayleigh damping, C = mass M + stiffness K")
          .in("s")
          .range(from(0).to(kMostRayleigh))};
  return fields;
}

const Fields<Medium>& medium_fields() {
  static const Fields<Medium> fields{
      field<&Medium::density>("density", "of the fluid around it")
          .in("kg/m^3")
          .range(from(0).to(kDensest))
          .must_be_given(),
      field<&Medium::chord>("chord", "size of the fluid that moves along")
          .in("m")
          .range(from(0).to(kLongestLength))
          .default_is("by its outline")};
  return fields;
}

/// By name or by numbers. Only nothing at all is printed by its name.
std::vector<Form> medium_forms() {
  using S = ObjectSettings;
  std::vector<std::string> names;
  for (const NamedMedium& medium : media()) names.emplace_back(medium.name);
  return {settings::word_form<S>(
              std::move(names),
              [](S& s) -> std::optional<std::size_t> {
                if (s.medium.density == 0) return 0;
                return {};
              },
              [](S& s, std::size_t word) { s.medium.density = media()[word].density; }),
          settings::table_form<S>(
              medium_fields(), [](S& s) -> Medium& { return s.medium; },
              [](S& s) { return &s.medium; })};
}

}  // namespace

std::span<const NamedMedium> media() {
  static constexpr NamedMedium kMedia[] = {{"none", 0}, {"air", 1.2}, {"water", 1000}};
  return kMedia;
}

const Fields<ObjectSettings>& object_fields() {
  using S = ObjectSettings;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::name>("name", "what reports call this shell")
              .default_is("`mesh`, or \"shell\"")
              .explain("each object and shell needs its own"),
          field<&S::modes>("modes", "number of modes kept: the lowest")
              .explain("more than the shell has is an error")
              .range(from(1).to(kMostModes))
              .default_is("8, or as many as it has")
              .proposed_if([](const S& s) { return s.fewer_modes; }),
          settings::forms<S>("damping",
                             {settings::alternative<&S::damping>(ratio_fields()),
                              settings::alternative<&S::damping>(rayleigh_fields())},
                             "{ratio = xi} or {mass = 1/s, stiffness = s} (Rayleigh)"),
          field<&S::tether>(
              "tether", "above 0: a free shell swings about its node on springs of this frequency")
              .in("Hz")
              .range(from(0).to(kHighest)),
          settings::forms<S>("medium", medium_forms(),
                             "\"none\", \"air\", \"water\" or {density = kg/m^3, chord = m}"),
          settings::choice<&S::modelled_under_gravity>(
              "gravity", {"whole", "modelled"},
              "\"modelled\": the rest shape already sags, as an artist draws it"),
          field<&S::sag>(
              "sag", "above 0: stiffen until 1 g turns it by this part of what its modes follow")
              .explain("all moduli are raised alike; 1 is just within")
              .range(from(0).to(kMostSag)),
          field<&S::points>("points",
                            "number of points where wind and forces are sampled; 0: chosen")
              .range(from(0).to(kMostPoints)),
          field<&S::rotation_strain>("rotation_strain",
                                     "keep the prefactored solve that preserves areas"),
          field<&S::limit>("limit", "soft limit of displacements; 0: none")
              .in("m")
              .range(from(0).to(kLongestLength)),
      }
          .titled([](const S& s) { return fmt::format("shell '{}'", s.name); })
          .rule([](const S& s) -> std::optional<settings::Complaint> {
            if (!s.name.empty()) return {};
            return settings::Complaint{"a shell needs a name", {"name"}};
          });
  return fields;
}

Result<void> ObjectSettings::validate() const {
  return object_fields().check(*this);
}

}  // namespace supple::shell
