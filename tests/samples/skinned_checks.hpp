// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"
#include "supple/io/gltf_character.hpp"
#include "supple/io/gltf_pose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace supple::samples::testing {

inline geometry::TriMesh surface(const io::SkinnedPart& part) {
  return {part.positions, part.triangles};
}

/// The smallest angle of any triangle, degrees.
inline double smallest_angle(const geometry::TriMesh& mesh) {
  double least = 180;
  for (const geometry::Triangle& t : mesh.triangles) {
    for (std::size_t c = 0; c < 3; ++c) {
      const geometry::Vec3 a = mesh.positions[t[(c + 1) % 3]] - mesh.positions[t[c]];
      const geometry::Vec3 b = mesh.positions[t[(c + 2) % 3]] - mesh.positions[t[c]];
      least =
          std::min(least, std::acos(a.normalized().dot(b.normalized())) * 180 / std::numbers::pi);
    }
  }
  return least;
}

inline std::size_t find_bone(const io::SkinnedModel& model, std::string_view name) {
  for (std::size_t b = 0; b < model.bones.size(); ++b) {
    if (model.bones[b].name == name) return b;
  }
  ADD_FAILURE() << "no bone " << name;
  return 0;
}

inline double weight_of(const io::SkinnedVertex& vertex, std::size_t bone) {
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (vertex.bones[k] == bone) sum += vertex.weights[k];
  }
  return sum;
}

/// The first and the last key of every track agree.
inline void expect_closed_loop(const io::SkinnedClip& clip) {
  constexpr double kRounding = 1e-9;
  for (const io::SkinnedTrack& track : clip.tracks) {
    if (!track.rotations.empty()) {
      EXPECT_LT(track.rotations.front().angularDistance(track.rotations.back()), 1e-7)
          << clip.name << ", bone " << track.bone;
    }
    if (!track.translations.empty()) {
      EXPECT_LT((track.translations.front() - track.translations.back()).norm(), kRounding)
          << clip.name << ", bone " << track.bone;
    }
  }
}

}  // namespace supple::samples::testing
