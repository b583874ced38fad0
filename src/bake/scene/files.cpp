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

#include <algorithm>
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

/// Entries that may act on a part at rest, by name, each once.
std::vector<std::string> first_entries(const std::vector<FilePart>& parts) {
  std::vector<std::string> names;
  for (const FilePart& part : parts) {
    for (const soft::PaletteEntry& entry : part.object.scene->palette) {
      if (!entry.from_rest || std::find(names.begin(), names.end(), entry.name) != names.end()) {
        continue;
      }
      names.push_back(entry.name);
    }
  }
  return names;
}

/// What the player does with one entry, from rest to rest, on all parts on which it may act.
Result<Tracks> play_entry(const BakedFile& file, const std::vector<FilePart>& parts,
                          const std::string& name) {
  std::vector<SceneTrigger> triggers;
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const auto& palette = parts[p].object.scene->palette;
    for (std::uint32_t e = 0; e < palette.size(); ++e) {
      if (palette[e].name != name || !palette[e].from_rest) continue;
      triggers.push_back({0, e, palette[e].strongest, p});
    }
  }
  SUPPLE_TRY(ScenePlay play, play_scene(file, triggers));
  play.tracks.name = name;
  return std::move(play.tracks);
}

/// A loop of one part, whose coefficients begin at `first` of `modes`; the others rest.
Tracks loop_tracks(const scene::Loop& loop, std::size_t number, double frame_seconds,
                   Eigen::Index first, Eigen::Index modes) {
  Tracks tracks;
  tracks.name = loop_name(number);
  tracks.duration = static_cast<double>(loop.frames) * frame_seconds;
  tracks.loops = true;
  tracks.values = Eigen::MatrixXd::Zero(loop.q.cols(), modes);
  tracks.values.middleCols(first, loop.q.rows()) = loop.q.transpose();
  return tracks;
}

/// All loops of all parts.
std::vector<Tracks> all_loops(const std::vector<FilePart>& parts) {
  Eigen::Index modes = 0;
  for (const FilePart& part : parts) modes += static_cast<Eigen::Index>(part.object.modes.size());
  std::vector<Tracks> all;
  Eigen::Index first = 0;
  for (const FilePart& part : parts) {
    for (const scene::Loop& loop : part.loops) {
      all.push_back(loop_tracks(loop, all.size(), part.object.scene->frame_seconds, first, modes));
    }
    first += static_cast<Eigen::Index>(part.object.modes.size());
  }
  return all;
}

}  // namespace

Result<SceneFiles> write_scene_files(const std::string& title, const DrawnScene& drawn,
                                     const std::vector<FilePart>& parts, const std::string& kept,
                                     bool float32) {
  SUPPLE_TRY(const io::GltfAsset still, io::make_gltf(model_of(title, drawn)));
  SUPPLE_TRY(const GltfCharacter source, node_character(still, parts_of(drawn), 1));
  SceneFiles files;
  soft::Asset asset = moving_surface(source, generator());
  asset.settings = kept;
  for (const FilePart& part : parts) asset.objects.push_back(part.object);
  SUPPLE_TRY(files.supple, io::write_supple(asset, {float32}));
  SUPPLE_TRY(const BakedFile file, BakedFile::open(files.supple.bytes, "the new .supple"));

  io::GltfEditor editor(still);
  std::vector<BakedClip> clips;
  for (const std::string& name : first_entries(parts)) {
    BakedClip clip;
    SUPPLE_TRY(clip.tracks, play_entry(file, parts, name));
    clip.animation = editor.add_animation(clip.tracks.name);
    clips.push_back(std::move(clip));
  }
  for (Tracks& loop : all_loops(parts)) {
    BakedClip clip;
    clip.tracks = std::move(loop);
    clip.animation = editor.add_animation(clip.tracks.name);
    clips.push_back(std::move(clip));
  }
  SUPPLE_TRY(const io::GltfAsset named, std::move(editor).finish());
  std::vector<soft::Object> objects = asset.objects;
  for (soft::Object& object : objects) object.scene.reset();  // targets are linear, as flesh is
  SUPPLE_TRY(ClipExport result, write_targets(named, source, objects, clips, {}));
  files.warnings = std::move(result.warnings);
  SUPPLE_TRY(files.glb, io::write_baked_gltf(result.asset, file.id()));
  return files;
}

std::string loop_name(std::size_t loop) {
  return fmt::format("loop {}", loop + 1);
}

}  // namespace supple::bake::detail
