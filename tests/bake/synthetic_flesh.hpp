// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/clip_export.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

/// Flesh made by formula, for tests of what comes after baking.
namespace supple::bake::testing {

/// A smooth bulge around each of a few vertices, with two modes: one outwards, one sideways.
inline std::vector<soft::Object> bulges(const character::Character& character,
                                        std::size_t count = 2) {
  geometry::Box box;
  for (const geometry::Vec3& p : character.positions) box.add(p);
  const double radius = 0.2 * box.size().norm();
  std::vector<soft::Object> objects;
  for (std::size_t o = 0; o < count; ++o) {
    soft::Object object;
    object.name = "bulge " + std::to_string(o + 1);
    const std::size_t vertex = (2 * o + 1) * character.positions.size() / (2 * count);
    const geometry::Vec3 centre = character.positions[vertex];
    object.modes.resize(2);
    object.modes[0].omega = 20;
    object.modes[1].omega = 30;
    for (std::size_t v = 0; v < character.positions.size(); ++v) {
      const double distance = (character.positions[v] - centre).norm() / radius;
      if (distance >= 1) continue;
      const double height = radius * std::pow(1 - distance * distance, 2);
      object.vertices.push_back(static_cast<std::uint32_t>(v));
      object.modes[0].displacements.push_back(height * geometry::Vec3(0.3, 0.8, 0.5));
      object.modes[1].displacements.push_back(height * distance * geometry::Vec3(0.9, -0.2, 0.1));
      if (character.normals.empty()) continue;
      object.modes[0].normals.push_back(distance * geometry::Vec3(0.2, 0.1, -0.3));
      object.modes[1].normals.push_back(distance * geometry::Vec3(-0.1, 0.4, 0.1));
    }
    objects.push_back(std::move(object));
  }
  return objects;
}

/// Swings of both signs that close after `duration`, one column per mode.
inline Tracks swings(const std::string& name, double duration, double rate, std::size_t modes) {
  Tracks tracks;
  tracks.name = name;
  tracks.duration = duration;
  tracks.loops = true;
  const auto steps = static_cast<Eigen::Index>(std::lround(duration * rate));
  tracks.values.resize(steps + 1, static_cast<Eigen::Index>(modes));
  for (Eigen::Index f = 0; f <= steps; ++f) {
    for (std::size_t m = 0; m < modes; ++m) {
      const double phase = steps == 0 ? 0.2
                                      : 2 * std::numbers::pi * static_cast<double>(f % steps) /
                                            static_cast<double>(steps);
      tracks.values(f, static_cast<Eigen::Index>(m)) =
          0.2 * std::sin(static_cast<double>(m + 1) * phase + 0.5 * static_cast<double>(m));
    }
  }
  return tracks;
}

/// One set of swings per clip of the file.
inline std::vector<BakedClip> swinging_clips(const io::GltfAsset& asset, double rate,
                                             std::size_t modes) {
  std::vector<BakedClip> clips;
  for (std::size_t a = 0; a < asset.animations.size(); ++a) {
    BakedClip clip;
    clip.animation = a;
    clip.tracks = swings(asset.animations[a].name, asset.animations[a].duration, rate, modes);
    clips.push_back(std::move(clip));
  }
  return clips;
}

}  // namespace supple::bake::testing
