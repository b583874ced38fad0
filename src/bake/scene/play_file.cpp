// SPDX-License-Identifier: Apache-2.0
#include "bake/play/tables.hpp"

#include "supple/bake/mesh_fit.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/bake/play_scene.hpp"
#include "supple/bake/scene_log.hpp"
#include "supple/bake/scene_truth.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/io/gltf_editor.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace supple::bake {
namespace {

Result<void> check_scene_request(const ScenePlayRequest& request) {
  SUPPLE_TRY_VOID(
      keep_apart({request.file, request.character}, {request.glb, request.csv, request.log}));
  if (request.palette.empty() == request.goal.empty()) {
    return Error(ErrorCode::Usage, request.goal.empty() ? "give a palette or a goal"
                                                        : "give a palette or a goal, not both");
  }
  return request.glb.empty() ? Result<void>() : check_glb_name(request.glb);
}

/// Triggers as whole frames of the scene, which is what a plan counts.
std::vector<SceneTrigger> planned_triggers(const scene::Plan& plan, double frame_seconds,
                                           std::uint32_t object) {
  std::vector<SceneTrigger> triggers;
  for (const scene::PlannedTrigger& planned : plan.triggers) {
    triggers.push_back({static_cast<double>(planned.frame) * frame_seconds,
                        static_cast<std::uint32_t>(planned.entry), planned.strength, object});
  }
  return triggers;
}

Result<scene::Plan> make_plan(const SceneGoal& goal, const scene::StoredPortrait& stored) {
  scene::Goal wanted;
  wanted.frames = static_cast<std::size_t>(std::lround(goal.time / stored.portrait.h));
  if (goal.pose)
    wanted.pose = stored.portrait.q.col(static_cast<Eigen::Index>(stored.state(*goal.pose)));
  return scene::plan(stored, wanted);
}

/// Worst first. What begins at rest as the scene began is where samples begin, too.
SceneLog log_of(const ScenePlayRun& run, const scene::StoredPortrait& stored) {
  SceneLog log;
  log.scene = run.name;
  for (const ScenePlayedTrigger& played : run.play.triggers) {
    if (!played.at) continue;
    const std::size_t last = stored.portrait.responses[played.at->response].frames;
    log.blends.push_back({run.parts.front().palette[played.trigger.entry].name,
                          played.trigger.strength, played.blend, played.at->response,
                          static_cast<double>(std::min(played.at->frame, last)), played.response});
  }
  std::stable_sort(log.blends.begin(), log.blends.end(),
                   [](const SceneBlend& a, const SceneBlend& b) { return a.off > b.off; });
  return log;
}

Result<void> export_scene(const ScenePlayRequest& request, BakedFile& file, ScenePlayRun& run) {
  std::string character = request.character;
  if (character.empty()) {
    character = std::filesystem::path(request.file).replace_extension(".glb").string();
    SUPPLE_TRY_VOID(keep_apart({character}, {request.glb}));
  }
  SUPPLE_TRY(io::GltfAsset read, io::read_gltf(std::filesystem::path(character)));
  SUPPLE_TRY(const io::GltfAsset plain, without_flesh(std::move(read)));
  SUPPLE_TRY(const FittedMesh fitted,
             fit_to_mesh(file, plain).during(fmt::format("playing on '{}'", character)));
  if (!fitted.note.empty()) log::warn("{}", fitted.note);
  io::GltfEditor editor(plain);
  BakedClip clip;
  clip.animation = editor.add_animation(run.play.tracks.name);
  clip.tracks = run.play.tracks;
  SUPPLE_TRY(const io::GltfAsset named, std::move(editor).finish());
  ExportSettings settings;
  settings.signed_weights = request.signed_weights;
  SUPPLE_TRY(run.exported,
             export_clips(named, fitted.source, file.objects(), {std::move(clip)}, settings));
  for (const std::string& warning : run.exported->warnings) log::warn("{}", warning);
  return {};
}

}  // namespace

Result<ScenePlayRun> play_scene_file(const ScenePlayRequest& request, OutputSet& output) {
  SUPPLE_TRY_VOID(check_scene_request(request));
  SUPPLE_TRY(const Bytes bytes, read_file(request.file));
  SUPPLE_TRY(BakedFile file, BakedFile::open(bytes, request.file));
  SUPPLE_TRY(std::vector<ScenePart> parts, scene_parts(file));
  if (parts.size() > 1 && !(request.goal.empty() && request.log.empty())) {
    return Error(ErrorCode::Usage,
                 "plans and logs are for scenes of one part; give a palette, and no log");
  }
  const std::uint32_t object = parts.front().object;
  const soft::SceneTraits traits = *file.scene(object);
  const scene::StoredPortrait stored = scene::unpack(traits);
  ScenePlayRun run;
  run.name = parts.front().name;
  run.parts = std::move(parts);
  run.modes = detail::name_modes(file);
  run.frame_seconds = traits.frame_seconds;
  ScenePlaySettings settings = request.play;
  std::vector<SceneTrigger> triggers;
  if (request.goal.empty()) {
    SUPPLE_TRY(triggers, parse_palette(request.palette, run.parts));
  } else {
    SUPPLE_TRY(const SceneGoal goal, parse_goal(request.goal, stored));
    SUPPLE_TRY(run.plan, make_plan(goal, stored));
    triggers = planned_triggers(*run.plan, traits.frame_seconds, object);
    if (!settings.seconds) settings.seconds = std::max(goal.time, traits.frame_seconds);
  }
  if (request.simulation) {
    SUPPLE_TRY(ComparedPlay compared,
               play_beside_simulation(file, *request.simulation, triggers, settings));
    run.play = std::move(compared.play);
    run.difference = std::move(compared.difference);
  } else {
    SUPPLE_TRY(run.play, play_scene(file, triggers, settings));
  }
  if (!request.glb.empty()) {
    SUPPLE_TRY_VOID(export_scene(request, file, run));
    SUPPLE_TRY(const Bytes glb, io::write_baked_gltf(run.exported->asset, file.id()));
    SUPPLE_TRY_VOID(output.stage(request.glb, glb));
  }
  if (!request.csv.empty()) {
    SUPPLE_TRY_VOID(output.stage(request.csv, detail::csv_text(run.modes, run.play.tracks)));
  }
  if (!request.log.empty()) {
    SUPPLE_TRY_VOID(output.stage(request.log, print_scene_log(log_of(run, stored))));
  }
  SUPPLE_TRY_VOID(check_interrupt());
  return run;
}

}  // namespace supple::bake
