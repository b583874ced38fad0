// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/files.hpp"

#include "bake/export/targets.hpp"

#include "supple/bake/baked_file.hpp"
#include "supple/bake/node_character.hpp"
#include "supple/bake/play_scene.hpp"
#include "supple/core/version.hpp"
#include "supple/io/gltf_character.hpp"
#include "supple/io/gltf_editor.hpp"

#include <fmt/format.h>

#include <utility>

namespace supple::bake::detail {
namespace {

io::SkinnedModel model_of(const std::string& title, const DrawnScene& drawn) {
  io::SkinnedModel model;
  model.name = title;
  for (const DrawnPiece& piece : drawn.pieces()) {
    io::SkinnedPart part;
    part.mesh = piece.name;
    part.material = piece.name;
    part.base_colour = {piece.colour.x(), piece.colour.y(), piece.colour.z(), 1};
    if (!piece.colours.empty()) part.base_colour = {1, 1, 1, 1};  // they multiply
    part.colours = piece.colours;
    part.double_sided = piece.thin;
    part.positions = piece.mesh.positions;
    part.normals = piece.normals;
    part.triangles = piece.mesh.triangles;
    model.parts.push_back(std::move(part));
  }
  return model;
}

/// Of the bodies that deform.
std::vector<soft::Part> parts_of(const DrawnScene& drawn) {
  std::vector<soft::Part> parts;
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < drawn.pieces().size(); ++i) {
    if (!drawn.pieces()[i].deforms) continue;
    const auto count = static_cast<std::uint32_t>(drawn.pieces()[i].mesh.positions.size());
    parts.push_back({static_cast<std::uint32_t>(i), 0, first, count});
    first += count;
  }
  return parts;
}

/// What the player does with one entry, from rest to rest.
Result<Tracks> play_entry(const BakedFile& file, const soft::SceneTraits& scene,
                          std::uint32_t entry) {
  SUPPLE_TRY(ScenePlay play, play_scene(file, 0, {{0, entry, scene.palette[entry].strongest}}));
  play.tracks.name = scene.palette[entry].name;
  return std::move(play.tracks);
}

Tracks loop_tracks(const scene::Loop& loop, std::size_t number, double frame_seconds) {
  Tracks tracks;
  tracks.name = loop_name(number);
  tracks.duration = static_cast<double>(loop.frames) * frame_seconds;
  tracks.loops = true;
  tracks.values = loop.q.transpose();
  return tracks;
}

}  // namespace

Result<SceneFiles> write_scene_files(const std::string& title, const DrawnScene& drawn,
                                     soft::Object object, const std::vector<scene::Loop>& loops,
                                     const std::string& kept, bool float32) {
  SUPPLE_TRY(const io::GltfAsset still, io::make_gltf(model_of(title, drawn)));
  SUPPLE_TRY(const GltfCharacter source, node_character(still, parts_of(drawn), 1));
  SceneFiles files;
  soft::Asset asset = moving_surface(source, generator());
  asset.settings = kept;
  const soft::SceneTraits scene = *object.scene;
  asset.objects.push_back(object);
  SUPPLE_TRY(files.supple, io::write_supple(asset, {float32}));
  SUPPLE_TRY(const BakedFile file, BakedFile::open(files.supple.bytes, "the new .supple"));

  io::GltfEditor editor(still);
  std::vector<BakedClip> clips;
  for (std::uint32_t e = 0; e < scene.palette.size(); ++e) {
    if (!scene.palette[e].from_rest) continue;
    BakedClip clip;
    SUPPLE_TRY(clip.tracks, play_entry(file, scene, e));
    clip.animation = editor.add_animation(clip.tracks.name);
    clips.push_back(std::move(clip));
  }
  for (std::size_t i = 0; i < loops.size(); ++i) {
    BakedClip clip;
    clip.tracks = loop_tracks(loops[i], i, scene.frame_seconds);
    clip.animation = editor.add_animation(clip.tracks.name);
    clips.push_back(std::move(clip));
  }
  SUPPLE_TRY(const io::GltfAsset named, std::move(editor).finish());
  object.scene.reset();  // morph targets are linear, as flesh is
  SUPPLE_TRY(ClipExport result, write_targets(named, source, {object}, clips, {}));
  files.warnings = std::move(result.warnings);
  SUPPLE_TRY(files.glb, io::write_baked_gltf(result.asset, file.id()));
  return files;
}

std::string loop_name(std::size_t loop) {
  return fmt::format("loop {}", loop + 1);
}

}  // namespace supple::bake::detail
