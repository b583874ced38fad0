// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/motion.hpp"
#include "supple/core/result.hpp"
#include "supple/io/bvh.hpp"
#include "supple/io/gltf_character.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/recording.hpp"

#include <optional>
#include <string>
#include <vector>

namespace supple::bake {

/// How a recorded swim is drawn in a file.
struct SwimExportSettings {
  bool arrows = false;             ///< the water's force on every segment, as geometry
  double newtons_per_metre = 200;  ///< of an arrow's length
  double tolerance = 5e-4;         ///< m; also for the components of unit quaternions
  std::optional<double> surface;   ///< y of the water's, m; marked by a node (io/gltf_water.hpp)

  [[nodiscard]] Result<void> validate() const;
};

/// The body at rest as a character: one bone per segment in their order, boxes rounded for a better
/// look, segments of other shapes as they are. No clips.
[[nodiscard]] io::SkinnedModel swimmer_model(const swim::Body& body);

/// The swimmer with its motion. Keys are thinned where linear interpolation is within the
/// tolerance. With arrows, a bone "force_SEGMENT" below each segment's bone rotates and scales its
/// arrow.
[[nodiscard]] Result<io::GltfAsset> swim_gltf(const swim::Recording& recording,
                                              const swim::Body& body,
                                              const SwimExportSettings& settings = {});

/// A rigged character with the swim added as a clip, by motion_from_swim, and the water's surface.
struct CharacterSwim {
  io::GltfAsset asset;
  std::vector<std::string> notes;  ///< what was matched, skipped or repaired, for display
};
[[nodiscard]] Result<CharacterSwim> swim_character(const swim::Recording& recording,
                                                   const swim::Body& body,
                                                   const io::GltfAsset& character,
                                                   const BoneMap& map = {},
                                                   std::optional<double> surface = {},
                                                   const CharacterSettings& wanted = {});

/// A joint per segment, angles about Z, X, Y in this order, lengths in metres.
[[nodiscard]] Result<io::Bvh> swim_bvh(const swim::Recording& recording, const swim::Body& body);

/// A line per frame: time, centre of mass, its velocity, speed, pitch of the pelvis, the balance of
/// forces (d/dt momentum = drag + buoyancy + weight + added_mass, per axis), angles and torques of
/// the joints, drag on the segments. Forces and torques are means since the previous line.
[[nodiscard]] std::string swim_csv(const swim::Recording& recording, const swim::Body& body);

}  // namespace supple::bake
