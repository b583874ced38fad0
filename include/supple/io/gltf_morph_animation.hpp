// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <array>
#include <string>
#include <vector>

namespace supple::io {

/// A shape that swings: rest + sin(2 pi t / period) * displacement.
struct MorphSwing {
  std::string name;                          ///< of the clip, "mode 1 (0.6185 Hz)"
  std::vector<geometry::Vec3> displacement;  ///< at full swing, one per vertex
  double period = 1;                         ///< seconds of playing time
};

struct MorphAnimation {
  geometry::TriMesh surface;
  std::vector<geometry::Vec3> normals;  ///< empty: computed, split along creases
  std::vector<MorphSwing> swings;
  std::vector<std::array<float, 4>> colours;  ///< linear RGBA per vertex; empty: none
  std::array<double, 4> base_colour{0.8, 0.45, 0.2, 1};
  double roughness = 0.5;
  /// Edges bent by more than this (radians) are drawn sharp.
  double crease = 0.7;
  int keys_per_cycle = 32;
  /// One target per swing with weights of both signs, instead of a pair with weights >= 0.
  bool signed_weights = false;
  [[nodiscard]] Result<void> validate() const;
};

/// A .glb with one clip per swing. Each swing is a pair of morph targets, full swing forth and
/// back, with weights max(q, 0) and max(-q, 0), q = sin: Blender and Assimp clip weights outside
/// 0..1, but pairs play the same everywhere.
[[nodiscard]] Result<Bytes> write_morph_animation(const MorphAnimation& animation);

}  // namespace supple::io
