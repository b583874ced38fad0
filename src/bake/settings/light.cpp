// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/light_settings.hpp"
#include "supple/settings/toml.hpp"

#include <fmt/format.h>

#include <bit>

namespace supple::bake {
namespace {

using settings::above;
using settings::Complaint;
using settings::field;
using settings::Fields;
using settings::from;

const Fields<LightShapes>& light_shape_fields() {
  using S = LightShapes;
  static const Fields<S> fields{
      field<&S::count>("count", "shapes for which light is computed, chosen from the motion")
          .range(from(1).to(1000)),
      field<&S::held_out>("held_out", "more shapes, to measure the error; 0: none")
          .range(from(0).to(100)),
      field<&S::share>("share", "how far objects move that no clip moves, relative to their size")
          .range(above(0).to(1)),
  };
  return fields;
}

const Fields<LightTransfer>& light_transfer_fields() {
  using S = LightTransfer;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::order>("order", "bands of spherical harmonics").range(from(1).to(6)),
          field<&S::directions>("directions", "rays of a vertex, over the whole sphere")
              .range(from(16).to(65'536)),
          field<&S::bounces>("bounces", "of light between surfaces; 0: shadows alone")
              .range(from(0).to(64)),
          field<&S::sides>("sides", "1, or 2 for sheets with a front and a back; 0: by the file")
              .range(from(0).to(2)),
      }
          .rule([](const S& s) -> std::optional<Complaint> {
            if (std::has_single_bit(s.directions)) return {};
            return Complaint{
                fmt::format("{} directions are no power of two; {} or {} are", s.directions,
                            std::bit_floor(s.directions), std::bit_ceil(s.directions)),
                {"directions"}};
          });
  return fields;
}

const Fields<LightAppearance>& light_appearance_fields() {
  using S = LightAppearance;
  static const Fields<S> fields{
      field<&S::tolerance>("tolerance", "part of the transfer that its bases may leave")
          .range(above(0).below(1)),
      field<&S::rank>("rank", "exactly so many appearance coordinates; 0: by the tolerance")
          .range(from(0).to(64)),
      field<&S::max_rank>("max_rank", "at most so many").range(from(1).to(64)),
  };
  return fields;
}

const Fields<LitSurfaces>& lit_surface_fields() {
  using S = LitSurfaces;
  static const Fields<S> fields{
      field<&S::albedo>("albedo", "reflected red, green, blue of what has no colour, linear")
          .range(from(0).to(1)),
      field<&S::most>("most", "brighter surfaces reflect no more than this").range(from(0).to(1)),
      field<&S::transmission>("transmission",
                              "part of the light that sheets let through instead of reflecting it")
          .range(from(0).to(1)),
  };
  return fields;
}

const Fields<LightSky>& light_sky_fields() {
  using S = LightSky;
  static const Fields<S> fields{
      field<&S::map>("map", "a panorama (.hdr) instead of the sky").unless_empty(),
      field<&S::sun>("sun", "towards the sun, world axes; above y = 0"),
      field<&S::turbidity>("turbidity", "of the air: 2 is very clear, 10 haze")
          .range(from(2).to(10)),
      field<&S::sun_strength>(
          "sun_strength", "what the sun gives what faces it, over what the sky gives the ground")
          .range(from(0).to(100)),
      field<&S::exposure>("exposure",
                          "of the colours in the .glb; 0: a white floor is nearly white")
          .range(from(0).to(1e6)),
  };
  return fields;
}

}  // namespace

const Fields<LightSettings>& light_fields() {
  using S = LightSettings;
  static const Fields<S> fields =
      Fields<S>{
          settings::section<&S::shapes>("shapes", light_shape_fields(),
                                        "shapes for which light is computed"),
          settings::section<&S::transfer>("transfer", light_transfer_fields(),
                                          "how light is computed for a shape"),
          settings::section<&S::appearance>("appearance", light_appearance_fields(),
                                            "how the light of all shapes is reduced"),
          settings::section<&S::surface>("surface", lit_surface_fields(),
                                         "what the file does not say of its surfaces"),
          settings::section<&S::sky>("sky", light_sky_fields(),
                                     "the light of the vertex colours in the .glb"),
      }
          .rule([](const S& s) -> std::optional<Complaint> {
            if (s.sky.sun.y() > 0) return {};
            return Complaint{"the sun is not above the horizon: y is up", {"sky.sun"}};
          });
  return fields;
}

Result<void> LightSettings::validate() const {
  return light_fields().check(*this);
}

Result<LightSettings> parse_light_settings(std::string_view toml, std::string_view name) {
  SUPPLE_TRY(const settings::Value document, settings::parse_toml(toml, name));
  LightSettings read;
  SUPPLE_TRY_VOID(light_fields().read(document, name, read));
  return read;
}

std::string print_light_settings(const LightSettings& settings) {
  return settings::print_toml(light_fields(), light_fields().write(settings));
}

}  // namespace supple::bake
