// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace supple::bake::testing {

/// A closed tube of 1 m along +Y, 0.12 m thick in radius; its upper half follows "tip". The mask
/// _SOFT is 1 on all of it.
inline io::SkinnedPart tube_part() {
  constexpr int kRings = 21;
  constexpr int kSides = 12;
  io::SkinnedPart part;
  part.material = "skin";
  part.mesh = "body";
  const auto add = [&](const geometry::Vec3& p, const geometry::Vec3& normal) {
    part.positions.push_back(p);
    part.normals.push_back(normal);
    io::SkinnedVertex vertex;
    const double tip = std::fmin(1, std::fmax(0, (p.y() - 0.3) / 0.2));
    vertex.bones = {0, 1, 0, 0};
    vertex.weights = {1 - tip, tip, 0, 0};
    part.skin.push_back(vertex);
  };
  for (int ring = 0; ring < kRings; ++ring) {
    for (int s = 0; s < kSides; ++s) {
      const double angle = 2 * std::numbers::pi * s / kSides;
      const geometry::Vec3 out(std::cos(angle), 0, std::sin(angle));
      add(0.12 * out + geometry::Vec3(0, ring / (kRings - 1.0), 0), out);
    }
  }
  const int bottom = kRings * kSides;
  add({0, 0, 0}, {0, -1, 0});
  add({0, 1, 0}, {0, 1, 0});
  for (int s = 0; s < kSides; ++s) {
    const int next = (s + 1) % kSides;
    for (int a = 0; a + kSides < bottom; a += kSides) {
      const int b = a + kSides;
      part.triangles.push_back({a + s, b + s, b + next});
      part.triangles.push_back({a + s, b + next, a + next});
    }
    part.triangles.push_back({bottom, s, next});
    part.triangles.push_back({bottom + 1, bottom - kSides + next, bottom - kSides + s});
  }
  part.attributes.push_back({"_SOFT", 1, std::vector<float>(part.positions.size(), 1.0F)});
  return part;
}

/// A strip that stands off the tube's top, 0.3 m along +X; it is "_SOFT" too.
inline io::SkinnedPart flag_part() {
  constexpr int kColumns = 12;
  constexpr int kRows = 4;
  io::SkinnedPart part;
  part.material = "cloth";
  part.mesh = "flag";
  part.double_sided = true;
  for (int j = 0; j <= kRows; ++j) {
    for (int i = 0; i <= kColumns; ++i) {
      part.positions.emplace_back(0.12 + 0.3 * i / kColumns, 0.81, 0.1 * j / kRows);
      part.normals.emplace_back(0, 1, 0);
      part.skin.push_back({{1, 0, 0, 0}, {1, 0, 0, 0}});
    }
  }
  for (int j = 0; j < kRows; ++j) {
    for (int i = 0; i < kColumns; ++i) {
      const int a = j * (kColumns + 1) + i;
      const int d = a + kColumns + 1;
      part.triangles.push_back({a, d, a + 1});
      part.triangles.push_back({a + 1, d, d + 1});
    }
  }
  part.attributes.push_back({"_SOFT", 1, std::vector<float>(part.positions.size(), 1.0F)});
  return part;
}

/// The flag comes before the tube in the file, so that numbers of vertices are not the same by
/// luck. Clip "nod": the base turns forth and back in a second.
inline io::SkinnedModel mixed_model() {
  io::SkinnedModel model;
  model.name = "mixed";
  model.bones = {{"base", {}, {0, 0, 0}, Eigen::Quaterniond::Identity()},
                 {"tip", 0, {0, 0.4, 0}, Eigen::Quaterniond::Identity()},
                 {"end", 1, {0, 0.6, 0}, Eigen::Quaterniond::Identity()}};
  model.parts = {flag_part(), tube_part()};
  io::SkinnedClip clip;
  clip.name = "nod";
  clip.tracks.push_back({0, {}, {}});
  for (int k = 0; k <= 20; ++k) {
    const double t = k / 20.0;
    clip.times.push_back(t);
    clip.tracks[0].rotations.emplace_back(
        Eigen::AngleAxisd(0.6 * std::sin(2 * std::numbers::pi * t), geometry::Vec3::UnitZ()));
  }
  model.clips.push_back(clip);
  return model;
}

inline const char* const kMixedSettings = R"(
[[object]]
name = "top"
bone = "tip"
elements = 400
modes = 3

[[shell]]
name = "flag"
mesh = "flag"
modes = 5
fix = ["x<0.14"]
material = {youngs_modulus = 2e7, poisson_ratio = 0.3, density = 900, thickness = 0.002}
)";

}  // namespace supple::bake::testing
