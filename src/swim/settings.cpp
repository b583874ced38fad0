// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/fields.hpp"

#include "supple/swim/body.hpp"
#include "supple/swim/flow.hpp"
#include "supple/swim/water.hpp"

#include <fmt/format.h>

#include <cmath>

namespace supple::swim {
namespace {

using settings::above;
using settings::choice;
using settings::Complaint;
using settings::field;
using settings::Fields;
using settings::from;
using settings::Range;

constexpr Range kSizes = from(0.05).to(20);  // factors on hands and feet
constexpr Range kStrengths = from(0).to(1000);

std::optional<Complaint> check_waves(const WaveSettings& s) {
  if (!(s.gravity > 0) || !std::isfinite(s.gravity) || !std::isfinite(s.surface)) {
    return Complaint{"gravity must be above zero and the surface finite", {}};
  }
  if (!(std::hypot(s.direction.x(), s.direction.z()) > 0)) {
    return Complaint{"direction is not level; give for instance [1, 0, 0]", {"direction"}};
  }
  // Waves higher than 1/7 of their length break; linear theory fails long before. [Lam32 250]
  if (s.amplitude <= s.length / 14) return {};
  return Complaint{fmt::format("with an amplitude of {} m they would break; give at most {:.3g} m, "
                               "a fourteenth of their length",
                               s.amplitude, s.length / 14),
                   {"amplitude", "length"}};
}

}  // namespace

const Fields<BodySettings>& body_fields() {
  using S = BodySettings;
  static const Fields<S> fields{
      choice<&S::hinges>("hinges", {"14", "24"},
                         "14: limbs move in the body's plane; 24: shoulders and hips turn freely"),
      choice<&S::masses>("masses", {"paper", "de_leva"},
                         "table of the segments' masses: [MMY table 1] or [Leva96]"),
      choice<&S::shape>("shape", {"box", "capsule"}, "of the segments"),
      field<&S::height>("height", "of the standing body").in("m").range(from(0.1).to(10)),
      field<&S::mass>("mass", "of the body").in("kg").range(from(1e-3).to(1e5)),
      field<&S::hand_length>("hand_length", "factor on the length of the hands").range(kSizes),
      field<&S::hand_width>("hand_width", "factor on the width of the hands").range(kSizes),
      field<&S::foot_length>("foot_length", "factor on the length of the feet").range(kSizes),
      field<&S::foot_width>("foot_width", "factor on the width of the feet").range(kSizes),
      field<&S::strength>("strength", "factor on the largest torques")
          .explain("these grow with mass times height")
          .range(kStrengths),
      field<&S::gain>("gain", "factor on stiffness and damping of the muscles")
          .explain("these grow with mass times height squared")
          .range(kStrengths),
      field<&S::cuts>("cuts", "faces per edge of a box")
          .explain("2 gives 24 faces a box, 360 in all")
          .range(from(1).to(32)),
      field<&S::buoyancy>("buoyancy", "factor on the displaced volumes")
          .explain("densities of segments after [Winter09], lungs full")
          .range(from(0).to(10)),
      field<&S::mesh>("mesh", "a rigged character (.glb, .gltf) whose pieces become the segments")
          .unless_empty(),
  };
  return fields;
}

const Fields<WaterSettings>& water_fields() {
  using S = WaterSettings;
  static const Fields<S> fields =
      Fields<S>{
          choice<&S::drag>("law", {"none", "linear", "isotropic", "quadratic"},
                           "how drag grows with speed"),
          field<&S::density>("density", "of the water").in("kg/m^3").range(from(0)),
          field<&S::viscosity>("viscosity", "eta of the linear laws")
              .explain("the default is 1500 times that of [MMY]")
              .in("N s/m^3")
              .range(from(0)),
          field<&S::side_drag>("side_drag", "coefficient of the quadratic law on sides of segments")
              .range(from(0)),
          field<&S::end_drag>("end_drag", "coefficient of the quadratic law on their ends")
              .range(from(0)),
          field<&S::friction>("friction", "coefficient along a face").range(from(0)),
          field<&S::lift>("lift", "coefficient across the velocity").range(from(0)),
          field<&S::added_mass>(
              "added_mass", "the water that moves along, as for ellipsoids [Lam32 section 114]"),
          field<&S::gravity>("gravity", "with buoyancy; 0: as if weightless")
              .in("m/s^2")
              .range(from(0)),
          field<&S::surface>("surface", "height y of the surface; nothing acts above it")
              .explain("around it forces fade in; without `gravity` nothing brings a swimmer back "
                       "into the "
                       "water, and a warning says so")
              .in("m")
              .default_is("water everywhere"),
      }
          .rule([](const S& s) -> std::optional<Complaint> {
            if (!s.surface || !s.added_mass) return {};
            return Complaint{"added_mass requires water on all sides; omit it or the surface",
                             {"added_mass", "surface"}};
          });
  return fields;
}

const Fields<VortexSettings>& vortex_fields() {
  using S = VortexSettings;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::centre>("centre", "a point of its axis").in("m"),
          field<&S::axis>("axis", "direction that it turns about, of any length"),
          field<&S::strength>("strength", "circulation far from the core").in("m^2/s"),
          field<&S::core>("core", "radius within which it turns like a solid")
              .in("m")
              .range(above(0)),
      }
          .titled([](const S&) { return "vortex"; })
          .rule([](const S& s) -> std::optional<Complaint> {
            if (s.axis.norm() > 0) return {};
            return Complaint{"axis has no direction; give for instance [0, 1, 0]", {"axis"}};
          });
  return fields;
}

const Fields<WaveSettings>& wave_fields() {
  using S = WaveSettings;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::amplitude>("amplitude", "half of crest to trough").in("m").range(from(0)),
          field<&S::length>("length", "crest to crest").in("m").range(above(0)),
          field<&S::direction>("direction", "level direction of travel, of any length"),
      }
          .titled([](const S&) { return "waves"; })
          .rule([](const S& s) { return check_waves(s); });
  return fields;
}

Result<void> BodySettings::validate() const {
  return body_fields().check(*this);
}

Result<void> WaterSettings::validate() const {
  return water_fields().check(*this);
}

}  // namespace supple::swim
