// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_dancer.hpp"

#include "samples/curves.hpp"
#include "samples/implicit_surface.hpp"
#include "samples/shell_dancer_clip.hpp"
#include "samples/shell_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace supple::samples {
namespace {

using namespace dancer;
using geometry::Vec3;

/// Radius and height along a surface of revolution, from key to key.
struct Turned {
  double u;
  double radius;
  double height;
};

Turned on_profile(const std::vector<Turned>& keys, double u) {
  std::size_t k = 0;
  while (k + 2 < keys.size() && u > keys[k + 1].u) ++k;
  const Turned& a = keys[k];
  const Turned& b = keys[k + 1];
  // Catmull-Rom slopes by neighbours, so that the cloth has no kinks at the keys.
  const Turned& before = keys[k == 0 ? 0 : k - 1];
  const Turned& after = keys[std::min(k + 2, keys.size() - 1)];
  const double span = b.u - a.u;
  const double t = std::clamp((u - a.u) / span, 0.0, 1.0);
  const auto cubic = [&](double va, double vb, double slope_a, double slope_b) {
    return va * (1 + 2 * t) * (1 - t) * (1 - t) + vb * t * t * (3 - 2 * t) +
           span * t * (1 - t) * ((1 - t) * slope_a - t * slope_b);
  };
  const auto slope = [](double low, double high, double from, double to) {
    return (high - low) / (to - from);
  };
  return {u,
          cubic(a.radius, b.radius, slope(before.radius, b.radius, before.u, b.u),
                slope(a.radius, after.radius, a.u, after.u)),
          cubic(a.height, b.height, slope(before.height, b.height, before.u, b.u),
                slope(a.height, after.height, a.u, after.u))};
}

/// Colours a part by its position on the profile.
template <class Colour>
void paint(io::SkinnedPart& part, int along, int sides, const Colour& colour) {
  part.colours.reserve(part.positions.size());
  for (int i = 0; i <= along; ++i) {
    for (int k = 0; k < sides; ++k) {
      const double shift = i % 2 == 0 ? 0 : 0.5;
      part.colours.push_back(
          colour(static_cast<double>(i) / along, 2 * std::numbers::pi * (k + shift) / sides));
    }
  }
  part.roughness = 0.75;
  part.double_sided = true;
}

/// 1 between two positions on the profile, with soft edges.
double band(double u, double from, double to) {
  return smooth_step(from, from + 0.012, u) * smooth_step(to, to - 0.012, u);
}

io::SkinnedPart hat() {
  constexpr int kAlong = 40;
  constexpr int kSides = 44;
  static const std::vector<Turned> profile{
      {0.00, 0.255, 1.605}, {0.14, 0.185, 1.622}, {0.26, 0.126, 1.616}, {0.32, 0.114, 1.640},
      {0.42, 0.104, 1.690}, {0.65, 0.070, 1.810}, {0.85, 0.036, 1.930}, {1.00, 0.022, 2.030}};
  io::SkinnedPart part = bound_part(
      "hat",
      make_sleeve(kAlong, kSides,
                  [](double u, double angle) {
                    const Turned at = on_profile(profile, u);
                    // The tip leans back, the brim waves.
                    const double lean = 0.16 * std::pow(std::max(0.0, u - 0.4), 2);
                    const double brim = 0.018 * smooth_step(0.25, 0, u);
                    return Vec3(at.radius * std::sin(angle), at.height + brim * std::cos(2 * angle),
                                at.radius * std::cos(angle) - lean);
                  }),
      Head);
  const Rgba felt{0.205, 0.030, 0.045, 1};
  const Rgba ribbon{0.70, 0.48, 0.10, 1};
  paint(part, kAlong, kSides,
        [&](double u, double) { return mix(felt, ribbon, band(u, 0.295, 0.40)); });
  return part;
}

/// A coat with a wide skirt; from the hem up.
io::SkinnedPart coat() {
  constexpr int kAlong = 44;
  constexpr int kSides = 48;
  static const std::vector<Turned> profile{
      {0.00, 0.315, 0.560}, {0.20, 0.255, 0.700}, {0.42, 0.185, 0.860}, {0.58, 0.150, 0.985},
      {0.74, 0.160, 1.110}, {0.88, 0.155, 1.235}, {0.95, 0.110, 1.310}, {1.00, 0.066, 1.350}};
  io::SkinnedPart part = bound_part(
      "coat",
      make_sleeve(kAlong, kSides,
                  [](double u, double angle) {
                    const Turned at = on_profile(profile, u);
                    // Eight soft folds that vanish at the waist, and shoulders.
                    const double folds = 1 + 0.055 * smooth_step(0.5, 0, u) * std::cos(8 * angle);
                    const double wide = 1 + 0.28 * band(u, 0.66, 0.99);
                    return Vec3(at.radius * folds * wide * std::sin(angle), at.height,
                                at.radius * folds * std::cos(angle));
                  }),
      Hips);
  const Rgba cloth{0.030, 0.115, 0.235, 1};
  const Rgba trim{0.70, 0.48, 0.10, 1};
  paint(part, kAlong, kSides, [&](double u, double angle) {
    Rgba c = mix(cloth, {0.050, 0.190, 0.330, 1}, 0.5 + 0.5 * std::cos(8 * angle));
    c = mix(c, trim, std::max(smooth_step(0.045, 0.02, u), band(u, 0.555, 0.615)));
    return mix(c, {0.80, 0.76, 0.66, 1}, smooth_step(0.955, 0.975, u));  // collar
  });
  return part;
}

/// A trouser leg from the ankle up; it curves forward slightly, so that it bends in that direction.
io::SkinnedPart trouser_leg(const char* name, double side) {
  constexpr int kAlong = 36;
  constexpr int kSides = 26;
  static const std::vector<Turned> profile{
      {0.00, 0.088, 0.085}, {0.12, 0.080, 0.170}, {0.50, 0.066, 0.460}, {1.00, 0.080, 0.840}};
  io::SkinnedPart part =
      bound_part(name,
                 make_sleeve(kAlong, kSides,
                             [&](double u, double angle) {
                               const Turned at = on_profile(profile, u);
                               const double bow = 0.055 * std::sin(std::numbers::pi * u);
                               return Vec3(side * (0.125 - 0.035 * u) + at.radius * std::sin(angle),
                                           at.height, bow + at.radius * std::cos(angle));
                             }),
                 Hips);
  const Rgba stripe{0.70, 0.62, 0.46, 1};
  const Rgba dark{0.140, 0.050, 0.030, 1};
  paint(part, kAlong, kSides, [&](double u, double) {
    return mix(dark, stripe, smooth_step(-0.15, 0.15, std::sin(2 * std::numbers::pi * 8.5 * u)));
  });
  return part;
}

double dancer_face(const Vec3& p) {
  double d = ellipsoid(p, {0, 1.512, 0.008}, {0.118, 0.136, 0.120});
  d = melt(d, ellipsoid(p, {0, 1.500, 0.132}, {0.021, 0.021, 0.032}), 0.02);  // nose
  return melt(d, cone(p, {0, 1.300, -0.005}, {0, 1.420, 0}, 0.050, 0.046), 0.03);
}

io::SkinnedPart dancer_head() {
  geometry::Box box;
  box.add({-0.13, 1.23, -0.13});
  box.add({0.13, 1.66, 0.18});
  io::SkinnedPart part = bound_part(
      "figure", triangulate(dancer_face, box, 0.012, [](const Vec3&) { return 0.011; }), Head);
  part.material = "head";
  part.roughness = 0.5;
  for (const Vec3& p : part.positions) {
    Rgba c{0.62, 0.36, 0.22, 1};
    const double eye = std::hypot(std::abs(p.x()) - 0.043, 0.75 * (p.y() - 1.540));
    if (p.z() > 0) c = mix({0.01, 0.01, 0.012, 1}, c, smooth_step(0.010, 0.016, eye));
    const double mouth = std::abs(p.y() - 1.440 - 3.2 * p.x() * p.x());
    if (p.z() > 0 && std::abs(p.x()) < 0.045) {
      c = mix({0.32, 0.07, 0.05, 1}, c, smooth_step(0.004, 0.010, mouth));
    }
    part.colours.push_back(c);
  }
  return part;
}

io::SkinnedPart shoe(double side, Bone bone) {
  const auto shape = [&](const Vec3& p) {
    double d = ellipsoid(p, {side * 0.125, 0.045, 0.055}, {0.058, 0.048, 0.130});
    d = melt(d, cone(p, {side * 0.125, 0.06, -0.02}, {side * 0.125, 0.125, -0.005}, 0.048, 0.042),
             0.04);
    return carve(d, -p.y(), 0.02);
  };
  geometry::Box box;
  box.add({side * 0.125 - 0.08, -0.01, -0.11});
  box.add({side * 0.125 + 0.08, 0.19, 0.21});
  io::SkinnedPart part =
      bound_part("figure", triangulate(shape, box, 0.012, [](const Vec3&) { return 0.011; }), bone);
  part.material = "shoes";
  part.base_colour = {0.030, 0.022, 0.020, 1};
  part.roughness = 0.28;
  return part;
}

}  // namespace

io::SkinnedModel shell_dancer() {
  io::SkinnedModel model;
  model.name = "dancer";
  model.bones = skeleton();
  model.parts = {hat(),
                 coat(),
                 trouser_leg("left-leg", 1),
                 trouser_leg("right-leg", -1),
                 dancer_head(),
                 shoe(1, LeftFoot),
                 shoe(-1, RightFoot)};
  model.clips.push_back(dance());
  return model;
}

std::string shell_dancer_toml() {
  std::string text = R"(# A dancer of four shells [CWK07 fig. 8].
[[shell]]
name = "hat"
mesh = "hat"
bone = "Head"
modes = 8
fix = ["box:-0.13,1.625,-0.14,0.13,1.685,0.14"]  # the ribbon
material = {youngs_modulus = 2e6, poisson_ratio = 0.3, density = 250, thickness = 2.5e-3}
gravity = "modelled"
damping = {ratio = 0.07}

[[shell]]
name = "coat"
mesh = "coat"
bone = "Hips"
modes = 16
fix = ["box:-1,0.94,-1,1,1.04,1"]  # the belt
material = {youngs_modulus = 0.6e6, poisson_ratio = 0.3, density = 200, thickness = 3e-3}
gravity = "modelled"
damping = {ratio = 0.10}

[[shell.handle]]
bone = "Chest"
at = "nearest:0.16,1.235,0"
hold = "both"
stiffness = 100

[[shell.handle]]
bone = "Chest"
at = "nearest:-0.16,1.235,0"
hold = "both"
stiffness = 100
)";
  for (const auto& [name, foot, x] :
       {std::tuple{"left-leg", "LeftFoot", 0.125}, std::tuple{"right-leg", "RightFoot", -0.125}}) {
    text += fmt::format(R"(
[[shell]]
name = "{0}"
mesh = "{0}"
bone = "Hips"
modes = 10
fix = ["y>0.79"]
material = {{youngs_modulus = 0.2e6, poisson_ratio = 0.3, density = 100, thickness = 8e-3}}
gravity = "modelled"
damping = {{ratio = 0.12}}

[[shell.handle]]
bone = "{1}"
at = "nearest:{2},0.085,0.088"
hold = "both"
stiffness = 50

[[shell.handle]]
bone = "{1}"
at = "nearest:{2},0.085,-0.088"
hold = "position"
stiffness = 50
)",
                        name, foot, x);
  }
  return text;
}

}  // namespace supple::samples
