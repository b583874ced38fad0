// SPDX-License-Identifier: Apache-2.0
#include "samples/bather.hpp"

#include "samples/curves.hpp"
#include "samples/dyrt_man.hpp"
#include "samples/dyrt_man_body.hpp"
#include "samples/dyrt_man_rig.hpp"
#include "samples/implicit_surface.hpp"
#include "samples/shell_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace supple::samples {
namespace {

using geometry::Vec3;

const Rgba kRubber{0.72, 0.045, 0.030, 1};
const Rgba kWhite{0.86, 0.84, 0.78, 1};
const Rgba kBladeColour{0.020, 0.30, 0.42, 1};
const Rgba kRib{0.010, 0.075, 0.120, 1};

// ---- Cap ----------------------------------------------------------------------------------------

constexpr int kCapRings = 44;
constexpr int kCapSides = 90;
constexpr double kFrill = 0.30;  ///< of the profile, from the free edge to the head
const Vec3 kSkullCentre{0, 1.652, 0.004};

/// Only the skull, slightly above the skin, without the ears.
Vec3 above_skin(const Vec3& direction) {
  const Vec3 radii(0.087, 0.104, 0.108);
  return kSkullCentre + direction / direction.cwiseQuotient(radii).norm();
}

/// Rings about an axis that leans back, low at the nape and clear of the brows.
Vec3 cap_direction(double polar, double angle) {
  constexpr double kLean = 0.42;  // radians
  const Vec3 axis(0, std::cos(kLean), -std::sin(kLean));
  const Vec3 ahead(0, std::sin(kLean), std::cos(kLean));
  return std::cos(polar) * axis +
         std::sin(polar) * (std::sin(angle) * Vec3::UnitX() + std::cos(angle) * ahead);
}

Vec3 cap_place(double u, double angle) {
  constexpr double kBladeEdge = 1.42;  // radians from the crown
  if (u >= kFrill) {
    const double polar = std::max(0.012, kBladeEdge * (1 - u) / (1 - kFrill));
    return above_skin(cap_direction(polar, angle));
  }
  // The frill stands off the head and is gathered: its waves are highest at the free edge.
  constexpr double kReach = 0.058;
  const double out = 1 - u / kFrill;
  const Vec3 edge = above_skin(cap_direction(kBladeEdge, angle));
  const Vec3 away = cap_direction(kBladeEdge - 0.30 + 0.34 * std::cos(9 * angle) * out, angle);
  return edge + kReach * out * away;
}

io::SkinnedPart cap() {
  io::SkinnedPart part =
      bound_part("cap", make_sleeve(kCapRings, kCapSides, cap_place), dyrt_man_rig::Head);
  io::GltfAttribute held{"_HELD", 1, {}};
  for (int i = 0; i <= kCapRings; ++i) {
    const double u = static_cast<double>(i) / kCapRings;
    // A white hem, a white seam where the frill begins, and a stripe over the crown.
    const double white = std::max({smooth_step(0.045, 0.025, u),
                                   smooth_step(0.035, 0.015, std::abs(u - kFrill - 0.02)),
                                   smooth_step(0.060, 0.045, std::abs(u - 0.66))});
    for (int k = 0; k < kCapSides; ++k) {
      part.colours.push_back(mix(kRubber, kWhite, white));
      held.values.push_back(u >= kFrill ? 1.0F : 0.0F);
    }
  }
  part.attributes.push_back(std::move(held));
  part.roughness = 0.35;
  part.double_sided = true;
  return part;
}

// ---- Fins ---------------------------------------------------------------------------------------

constexpr double kHeelEnd = 0.035;    ///< z where the blade begins under the foot
constexpr double kFinTip = 0.560;     ///< z where it ends
constexpr double kFinMiddle = 0.166;  ///< x of the left fin at the toes
constexpr double kSole = 0.004;       ///< y of the blade

double fin_half_width(double u) {
  const double taper = std::sqrt(std::max(0.0, 1 - std::pow(std::max(0.0, u - 0.86) / 0.14, 2)));
  return (0.032 + 0.018 * smooth_step(0, 0.2, u) + 0.068 * smooth_step(0.12, 0.85, u)) *
         (0.70 + 0.30 * taper);
}

/// Along the foot, turned outward with it, and slightly down like a diver's.
Vec3 fin_place(double side, double u, double v) {
  const double z = kHeelEnd + u * (kFinTip - kHeelEnd);
  const double middle = kFinMiddle + 0.09 * (z - 0.12);
  const double across = (2 * v - 1) * fin_half_width(u);
  // Two soft rails: a gutter that guides the water and gives the blade its spring.
  const double rail = 0.010 * smooth_step(0.2, 0.5, u) * std::pow(2 * v - 1, 4);
  const double notch =
      0.035 * smooth_step(0.75, 1.0, u) * (0.5 + 0.5 * std::cos(std::numbers::pi * (2 * v - 1)));
  const double droop = 0.045 * smooth_step(0.30, 1.0, u);
  return {side * (middle + across), kSole - droop + rail, z - notch};
}

io::SkinnedPart fin(const char* name, double side, std::uint32_t bone) {
  constexpr int kAlong = 40;
  constexpr int kAcross = 16;
  // Mirrored sheets would face down, so v runs the other way.
  const auto place = [&](double u, double v) { return fin_place(side, u, side > 0 ? v : 1 - v); };
  io::SkinnedPart part = bound_part(name, make_sheet({kAlong, kAcross, place}), bone);
  for (const Vec3& p : part.positions) {
    const double u = (p.z() - kHeelEnd) / (kFinTip - kHeelEnd);
    const double across = std::abs(side * p.x() - kFinMiddle - 0.09 * (p.z() - 0.12)) /
                          std::max(fin_half_width(std::clamp(u, 0.0, 1.0)), 0.02);
    const double rib = std::max({smooth_step(0.78, 0.88, across), smooth_step(0.14, 0.08, across),
                                 smooth_step(0.34, 0.24, u)});
    part.colours.push_back(mix(kBladeColour, kRib, rib));
  }
  part.roughness = 0.4;
  part.double_sided = true;
  return part;
}

/// The rubber shoe that carries the blade: open at the heel and over the toes.
io::SkinnedPart pocket(double side, std::uint32_t bone) {
  const auto shape = [side](const Vec3& p) {
    const Vec3 left(side * p.x(), p.y(), p.z());
    double d = dyrt_man_body::body(left) - 0.007;
    d = carve(d, 0.004 - left.z() + 0.25 * (left.y() - 0.06), 0.008);
    return carve(d, left.z() - 0.128, 0.008);
  };
  geometry::Box box;
  box.add({side > 0 ? 0.07 : -0.25, -0.02, -0.04});
  box.add({side > 0 ? 0.25 : -0.07, 0.15, 0.16});
  io::SkinnedPart part = bound_part(
      "pockets", triangulate(shape, box, 0.008, [](const Vec3&) { return 0.009; }), bone);
  part.material = "pockets";
  part.base_colour = kRib;
  part.roughness = 0.45;
  return part;
}

}  // namespace

Result<io::SkinnedModel> bather(std::size_t vertices) {
  SUPPLE_TRY(io::SkinnedModel model, dyrt_man(vertices));
  model.name = "bather";
  model.clips.clear();
  model.parts.push_back(cap());
  for (const auto& [name, side, bone] : {std::tuple{"left-fin", 1.0, dyrt_man_rig::LeftFoot},
                                         {"right-fin", -1.0, dyrt_man_rig::RightFoot}}) {
    const auto foot = static_cast<std::uint32_t>(bone);
    model.parts.push_back(fin(name, side, foot));
    model.parts.push_back(pocket(side, foot));
  }
  return model;
}

std::string bather_bake_toml() {
  std::string text = dyrt_man_bake_toml();
  text += R"(
# The frill of the cap is free, the rest holds on to the head.
[[shell]]
name = "cap"
mesh = "cap"
bone = "Head"
modes = 10
fix = ["set:HELD"]
material = {youngs_modulus = 1.2e7, poisson_ratio = 0.4, density = 1000, thickness = 3e-3}
medium = {density = 1000, chord = 0.06}  # the frill's width: the rest does not move
gravity = "modelled"
damping = {ratio = 0.1}
)";
  for (const auto& [name, bone] : {std::pair{"left-fin", "LeftFoot"}, {"right-fin", "RightFoot"}}) {
    text += fmt::format(R"(
[[shell]]
name = "{0}"
mesh = "{0}"
bone = "{1}"
modes = 6
fix = ["z<0.15"]  # under the foot
# As stiff as its rails make a rubber blade: the kick bends it by 60 degrees, as far as modes go.
material = {{youngs_modulus = 2e9, poisson_ratio = 0.4, density = 1100, thickness = 1e-2}}
medium = "water"
gravity = "modelled"
damping = {{ratio = 0.1}}
)",
                        name, bone);
  }
  return text;
}

}  // namespace supple::samples
