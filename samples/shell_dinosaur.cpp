// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_dinosaur.hpp"

#include "samples/curves.hpp"
#include "samples/dinosaur.hpp"
#include "samples/implicit_surface.hpp"
#include "samples/shell_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::samples {
namespace {

using geometry::Vec3;

io::SkinnedPart skin() {
  // Measured: this edge length gives the paper's number of triangles within a hundredth.
  constexpr double kBodyEdge = 0.01193;
  io::SkinnedPart part = bound_part("dinosaur", dinosaur_surface(kBodyEdge), 1);
  part.colours.reserve(part.positions.size());
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    part.normals[v] = implicit_normal(dinosaur, part.positions[v]);
    part.colours.push_back(dinosaur_colour(part.positions[v]));
  }
  part.roughness = 0.5;
  return part;
}

io::SkinnedPart plinth() {
  const auto disc = [](const Vec3& p) {
    const double rim =
        std::max(std::hypot(p.x() / 1.35, p.z()) - 0.27, std::abs(p.y() + 0.021) - 0.020);
    return 0.7 * rim;
  };
  geometry::Box box;
  box.add({-0.42, -0.06, -0.32});
  box.add({0.42, 0.01, 0.32});
  io::SkinnedPart part = bound_part("plinth",
                                    triangulate([&](const Vec3& p) { return disc(p) - 0.004; }, box,
                                                0.012, [](const Vec3&) { return 0.013; }),
                                    1);
  part.base_colour = {0.16, 0.15, 0.14, 1};
  part.roughness = 0.6;
  return part;
}

/// The base moves with varying velocity, as in [CWK07 4.1].
io::SkinnedClip shake() {
  return make_shell_clip("shake", 8, {1}, [](double t, io::SkinnedClip& clip) {
    const auto wave = [&](double cycles) {
      return std::sin(2 * std::numbers::pi * cycles * t / 8);
    };
    const double rest = smooth_step(0, 0.8, t) * smooth_step(8, 7, t);
    clip.tracks[0].translations.emplace_back(rest * (0.055 * wave(7) + 0.022 * wave(13)),
                                             rest * 0.012 * wave(17),
                                             rest * (0.055 * wave(5) + 0.022 * wave(11)));
    clip.tracks[0].rotations.emplace_back(Eigen::AngleAxisd(rest * 0.22 * wave(4), Vec3::UnitY()));
  });
}

}  // namespace

io::SkinnedModel shell_dinosaur() {
  io::SkinnedModel model;
  model.name = "dinosaur";
  model.bones = {{"Floor", {}, Vec3::Zero(), Eigen::Quaterniond::Identity()},
                 {"Plinth", 0, Vec3::Zero(), Eigen::Quaterniond::Identity()}};
  model.parts.push_back(skin());
  model.parts.push_back(plinth());
  model.clips.push_back(shake());
  return model;
}

std::string shell_dinosaur_toml() {
  return R"(# A hollow rubber dinosaur on a base that moves; four modes as in [CWK07 4.1].
[[shell]]
name = "dinosaur"
mesh = "dinosaur"
bone = "Plinth"
modes = 4
fix = ["y<0.016"]  # the soles
material = {youngs_modulus = 3e6, poisson_ratio = 0.45, density = 1100, thickness = 3e-3}
gravity = "modelled"
damping = {ratio = 0.06}
)";
}

}  // namespace supple::samples
