// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "colour_map.hpp"

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/playback.hpp"

#include <vector>

namespace supple::app {

/// The skin at one moment, in world units.
struct PosedSkin {
  std::vector<geometry::Vec3> positions;
  std::vector<geometry::Vec3> normals;  ///< unit
};

/// A character in the frames of a motion, with its flesh and without.
class PosedCharacter {
 public:
  /// All four must outlive it and belong together.
  PosedCharacter(const bake::BakedFile& file, const bake::GltfCharacter& source,
                 const bake::Motion& motion, const bake::Tracks& tracks);

  [[nodiscard]] PosedSkin with_flesh(std::size_t frame) const;
  [[nodiscard]] PosedSkin rigid(std::size_t frame) const;
  /// As the file has it, without any motion.
  [[nodiscard]] PosedSkin at_rest() const;
  /// The vertices that an object of the flesh can move.
  [[nodiscard]] std::vector<std::size_t> vertices_of(std::size_t object) const;
  /// The frame in which the flesh is farthest from where the bones alone would have it.
  [[nodiscard]] std::size_t liveliest_frame() const;

 private:
  struct Shape {
    std::vector<float> displacements, normals;  ///< x y z per vertex
    double largest = 0;                         ///< metres at coefficient 1
  };
  [[nodiscard]] PosedSkin skinned(PosedSkin skin, const std::vector<Eigen::Matrix4d>& bones) const;
  [[nodiscard]] PosedSkin bind_skin() const;

  const bake::BakedFile* m_file;
  const character::Character* m_character;
  const bake::Motion* m_motion;
  const bake::Tracks* m_tracks;
  std::vector<Shape> m_shapes;
};

/// Vertex colours times those of the materials, in linear light. Textures are left out: what is
/// white without one is shown as clay.
[[nodiscard]] std::vector<Colour> surface_colours(const io::GltfAsset& asset,
                                                  const bake::GltfCharacter& source);

}  // namespace supple::app
