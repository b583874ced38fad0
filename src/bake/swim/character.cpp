// SPDX-License-Identifier: Apache-2.0
#include "bake/export/bone_channels.hpp"

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/swim_export.hpp"
#include "supple/bake/swim_motion.hpp"
#include "supple/io/gltf_editor.hpp"
#include "supple/io/gltf_water.hpp"

#include <utility>

namespace supple::bake {

Result<CharacterSwim> swim_character(const swim::Recording& recording, const swim::Body& body,
                                     const io::GltfAsset& character, const BoneMap& map,
                                     std::optional<double> surface,
                                     const CharacterSettings& wanted) {
  SUPPLE_TRY(const GltfCharacter source, character_from_gltf(character, wanted));
  SwimMotionSettings settings;
  settings.map = map;
  const double steps = static_cast<double>(recording.frames.size()) - 1;
  if (steps > 0) settings.rate = steps / recording.duration();
  SUPPLE_TRY(Motion motion, motion_from_swim(recording, body, source.character, settings));
  io::GltfEditor editor(character);
  const std::size_t clip = editor.add_animation(recording.stroke);
  SUPPLE_TRY_VOID(detail::add_bone_channels(editor, clip, character, source, motion));
  if (surface) {
    SUPPLE_TRY(const Eigen::Vector3d place,
               place_in_swim({0, *surface, 0}, body, source.character, settings));
    io::add_water_surface(editor, place);
  }
  SUPPLE_TRY(io::GltfAsset asset, std::move(editor).finish());
  CharacterSwim swim{std::move(asset), source.warnings};
  swim.notes.insert(swim.notes.end(), motion.notes.begin(), motion.notes.end());
  return swim;
}

}  // namespace supple::bake
