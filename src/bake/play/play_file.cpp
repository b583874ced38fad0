// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/play_file.hpp"

#include "bake/play/tables.hpp"

#include "supple/bake/clip_export.hpp"
#include "supple/bake/mesh_fit.hpp"
#include "supple/bake/node_character.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <filesystem>

namespace supple::bake {
namespace {

namespace fs = std::filesystem;

/// The file becomes that for the character's mesh.
Result<PlayedCharacter> set_stage(const PlayRequest& request, BakedFile& file) {
  PlayedCharacter stage;
  if (request.character.empty()) {
    stage.source.character = file.bones();
    return stage;
  }
  SUPPLE_TRY(io::GltfAsset asset, io::read_gltf(fs::path(request.character)));
  SUPPLE_TRY(stage.asset, without_flesh(std::move(asset)));
  SUPPLE_TRY(
      FittedMesh fitted,
      fit_to_mesh(file, *stage.asset).during(fmt::format("playing on '{}'", request.character)));
  if (!fitted.note.empty()) log::warn("{}", fitted.note);
  stage.source = std::move(fitted.source);
  return stage;
}

Result<void> export_clip(const PlayRequest& request, PlayRun& run) {
  SUPPLE_TRY(run.exported, export_clips(*run.stage.asset, run.stage.source, run.file.objects(),
                                        {run.clip}, request.output));
  for (const std::string& warning : run.exported->warnings) log::warn("{}", warning);
  return {};
}

}  // namespace

Result<void> check(const PlayRequest& request) {
  SUPPLE_TRY_VOID(
      keep_apart({request.file, request.character, request.motion, request.record.bone_map},
                 {request.glb, request.csv}));
  if (request.glb.empty()) return {};
  if (request.character.empty()) {
    return Error(
        ErrorCode::Usage,
        "the output contains the character with its soft parts: give the character's file");
  }
  return check_glb_name(request.glb);
}

Result<PlayRun> play_file(const PlayRequest& request, OutputSet& output) {
  SUPPLE_TRY_VOID(check(request));
  SUPPLE_TRY(const Bytes bytes, read_file(request.file));
  SUPPLE_TRY(BakedFile file, BakedFile::open(bytes, request.file));
  if (has_scene(file.asset())) {
    return Error(ErrorCode::Usage,
                 fmt::format("'{}' is a scene: it answers to its palette and to no motion; give a "
                             "palette or a goal",
                             request.file));
  }
  SUPPLE_TRY(PlayedCharacter stage, set_stage(request, file));
  PlayRun run{std::move(file), std::move(stage), {}, {}, {}};
  run.modes = detail::name_modes(run.file);
  RecordSettings record = request.record;
  record.rate = request.output.rate;
  record.play.gain = request.output.gain;
  const io::GltfAsset* asset = run.stage.asset ? &*run.stage.asset : nullptr;
  SUPPLE_TRY(run.clip, record_motion(request.motion, asset, run.stage.source, run.file, record));
  const Motion& motion = run.clip.motion;
  for (const std::string& note : motion.notes) log::info("{}: {}", motion.name, note);
  for (const std::string& warning : run.clip.tracks.warnings) log::warn("{}", warning);
  if (!request.glb.empty()) {
    SUPPLE_TRY_VOID(export_clip(request, run));
    SUPPLE_TRY(const Bytes glb, io::write_baked_gltf(run.exported->asset, run.file.id()));
    SUPPLE_TRY_VOID(output.stage(request.glb, glb));
  }
  if (!request.csv.empty())
    SUPPLE_TRY_VOID(output.stage(request.csv, detail::csv_text(run.modes, run.clip.tracks)));
  SUPPLE_TRY_VOID(check_interrupt());
  return run;
}

}  // namespace supple::bake
