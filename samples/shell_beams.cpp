// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_beams.hpp"

#include "samples/shell_parts.hpp"

#include "supple/geometry/shapes.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace supple::samples {
namespace {

using geometry::TriMesh;
using geometry::Vec3;

constexpr double kStripHeight = 0.62;  ///< of the strips above the floor
constexpr std::array<int, 3> kStiffness{1, 10, 100};
const std::array<Rgba, 3> kColours{
    {{0.030, 0.290, 0.330, 1}, {0.640, 0.330, 0.050, 1}, {0.480, 0.060, 0.075, 1}}};

TriMesh moved(TriMesh mesh, const Vec3& by) {
  for (Vec3& p : mesh.positions) p += by;
  return mesh;
}

io::SkinnedPart beam_part(const std::string& name, const BeamShape& shape, const Vec3& at,
                          const Rgba& colour) {
  constexpr double kCrease = 0.3;  // radians
  io::SkinnedPart part = bound_part(name, moved(split_creases(make_beam(shape), kCrease), at), 0);
  part.base_colour = colour;
  part.roughness = 0.55;
  part.double_sided = true;
  return part;
}

io::SkinnedPart box_part(const std::string& name, const Vec3& low, const Vec3& high,
                         const Rgba& colour) {
  geometry::Box box;
  box.add(low);
  box.add(high);
  io::SkinnedPart part = bound_part(name, split_creases(geometry::box_surface(box), 0.5), 0);
  part.base_colour = colour;
  part.roughness = 0.7;
  return part;
}

/// A rail that grips the strips, on two posts.
void add_stand(io::SkinnedModel& model, double from, double to) {
  const Rgba wood{0.36, 0.30, 0.24, 1};
  const double grip = 0.5 / 24;
  const auto add = [&](const Vec3& low, const Vec3& high) {
    model.parts.push_back(box_part("stand", low, high, wood));
  };
  add({-0.030, kStripHeight - 0.024, from}, {grip, kStripHeight - 0.002, to});
  add({-0.030, kStripHeight + 0.019, from}, {grip, kStripHeight + 0.036, to});
  add({-0.044, kStripHeight - 0.024, from}, {-0.030, kStripHeight + 0.036, to});
  constexpr double kPost = 0.030;
  for (const double z : {from + 0.02, to - 0.02 - kPost}) {
    add({-0.040, 0, z}, {-0.012, kStripHeight - 0.024, z + kPost});
    add({-0.11, 0, z - 0.004}, {0.09, 0.016, z + kPost + 0.004});
  }
}

/// The stand is knocked upwards, swung sideways and comes to rest, to excite the strips.
io::SkinnedClip knock_clip() {
  return make_shell_clip("knock", 6, {0}, [](double t, io::SkinnedClip& clip) {
    const auto bump = [&](double from, double to) {
      const double s = (t - from) / (to - from);
      return s > 0 && s < 1 ? std::pow(std::sin(std::numbers::pi * s), 2) : 0.0;
    };
    const double up = 0.020 * bump(0.5, 0.8) + 0.012 * bump(0.9, 1.1);
    const double turn = 0.10 * std::sin(2 * std::numbers::pi * (t - 3)) * bump(3, 5);
    clip.tracks[0].translations.emplace_back(0, up, 0);
    clip.tracks[0].rotations.emplace_back(Eigen::AngleAxisd(turn, Vec3::UnitX()));
  });
}

std::string shell_table(const std::string& name, double stiffness) {
  const BeamMaterial material;
  return fmt::format(R"(
[[shell]]
name = "{0}"
mesh = "{0}"
bone = "Stand"
modes = 8
fix = ["x<0.0215"]  # the first row of cells
material = {{area_stiffness = {1}, length_stiffness = {2}, bending_stiffness = {3}, area_density = {4}}}
bending_model = "hinge"  # the energy of [CWK07]
damping = {{ratio = 0.08}}
)",
                     name, material.area_stiffness, material.length_stiffness,
                     material.bending_stiffness * stiffness, material.area_density);
}

io::SkinnedModel stand(const char* name) {
  io::SkinnedModel model;
  model.name = name;
  model.bones = {{"Stand", {}, Vec3::Zero(), Eigen::Quaterniond::Identity()}};
  model.clips.push_back(knock_clip());
  return model;
}

}  // namespace

TriMesh make_beam(const BeamShape& shape) {
  return make_sheet({shape.along, shape.across, [&](double u, double v) {
                       const double off = (0.5 - v) * shape.width;
                       return Vec3(u * shape.length, std::abs(off) * std::sin(shape.fold),
                                   off * std::cos(shape.fold));
                     }});
}

io::SkinnedModel shell_beams() {
  io::SkinnedModel model = stand("beams");
  constexpr double kPair = 0.30;    // from pair to pair
  constexpr double kWithin = 0.13;  // from flat to V
  for (std::size_t k = 0; k < kStiffness.size(); ++k) {
    const double z = kPair * (1 - static_cast<double>(k));
    const Rgba deep = mix(kColours[k], {0, 0, 0, 1}, 0.25);
    BeamShape shape;
    model.parts.push_back(beam_part(fmt::format("flat-{}", kStiffness[k]), shape,
                                    {0, kStripHeight, z + 0.5 * kWithin}, kColours[k]));
    shape.fold = kBeamFold;
    model.parts.push_back(beam_part(fmt::format("v-{}", kStiffness[k]), shape,
                                    {0, kStripHeight, z - 0.5 * kWithin}, deep));
  }
  add_stand(model, -0.45, 0.45);
  return model;
}

std::string shell_beams_toml() {
  std::string text = "# Flat and V-beams of three bending stiffnesses [CWK07 4.2].\n";
  for (const int stiffness : kStiffness) {
    text += shell_table(fmt::format("flat-{}", stiffness), stiffness);
    text += shell_table(fmt::format("v-{}", stiffness), stiffness);
  }
  return text;
}

io::SkinnedModel shell_v_beam() {
  io::SkinnedModel model = stand("v-beam");
  BeamShape shape;
  shape.fold = kBeamFold;
  model.parts.push_back(beam_part("v-beam", shape, {0, kStripHeight, 0}, kColours[1]));
  add_stand(model, -0.10, 0.10);
  return model;
}

std::string shell_v_beam_toml() {
  return "# A V-beam for comparison with the nonlinear shell [CWK07 4.3].\n" +
         shell_table("v-beam", kVBeamStiffness);
}

}  // namespace supple::samples
