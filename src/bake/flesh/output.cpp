// SPDX-License-Identifier: Apache-2.0
#include "bake/flesh/output.hpp"

#include "bake/warnings.hpp"

#include "supple/bake/clip_export.hpp"
#include "supple/bake/kept_settings.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::bake {
namespace {

Result<Motion> load_motion(const BakeRequest& request, const BakeInput& input,
                           const std::string& what) {
  const MotionRequest wanted{what, request.bone_map, input.settings.output.rate, request.looping};
  SUPPLE_TRY(Motion motion,
             load_motion(wanted, input.moved().character, &input.asset, &input.moved()));
  if (motion.animation) {
    return Error(ErrorCode::Usage, "it is a clip of the character, and those are always baked");
  }
  return motion;
}

/// A motion that an earlier bake added is a clip of the file now, and clips are always baked.
bool is_from_earlier_bake(const io::GltfAsset& asset, const std::string& motion) {
  return !asset.bake_id.empty() &&
         std::any_of(asset.animations.begin(), asset.animations.end(),
                     [&](const io::GltfAnimation& clip) { return clip.name == motion; });
}

Result<std::vector<BakedClip>> play_clips(const BakeRequest& request, const BakedFile& file,
                                          BakeRun& run) {
  const BakeInput& input = run.input;
  SUPPLE_TRY(auto clips,
             bake_clips(input.asset, input.moved(), file, input.settings.output, request.looping));
  PlaySettings settings;
  settings.gain = input.settings.output.gain;
  for (const Motion& motion : run.motions) {
    BakedClip clip;
    SUPPLE_TRY(clip.tracks, play(file, motion, settings));
    clip.motion = motion;
    clips.push_back(std::move(clip));
  }
  for (const BakedClip& clip : clips) {
    for (const std::string& warning : clip.tracks.warnings) {
      warn(run.warnings, fmt::format("clip '{}': {}", clip.tracks.name, warning));
    }
  }
  return clips;
}

/// The objects of clips: flesh as baked, shells as the player will warp them.
std::vector<soft::Object> exported_objects(const BakedFile& file, const BakeRun& run) {
  std::vector<soft::Object> objects = run.soft.objects;
  if (run.shells.empty()) return objects;
  std::vector<soft::Object> played = file.objects();
  for (std::size_t o = 0; o < objects.size(); ++o) {
    if (objects[o].kind() == soft::Kind::Shell) objects[o] = std::move(played[o]);
  }
  return objects;
}

Result<Bytes> make_glb(const BakeRequest& request, BakeRun& run) {
  SUPPLE_TRY(const BakedFile file, BakedFile::open(run.supple.bytes, supple_path(request.output)));
  SUPPLE_TRY(const auto clips, play_clips(request, file, run));
  for (const BakedClip& clip : clips) {
    const Tracks& tracks = clip.tracks;
    run.clips.push_back(
        {tracks.name, tracks.duration, tracks.loops, tracks.cycles, tracks.at_limit()});
  }
  const BakeInput& input = run.input;
  SUPPLE_TRY(ClipExport result,
             export_clips(input.asset, run.shells.empty() ? input.source : input.moved(),
                          exported_objects(file, run), clips, input.settings.output));
  for (const std::string& warning : result.warnings) warn(run.warnings, warning);
  run.recorded = std::move(result.shells);
  run.weight_error = result.largest_error;
  run.weight_samples = result.samples;
  run.weight_keys = result.keys;
  // Other characters in the file keep the .supple files of their own bakes.
  const std::string& before = input.asset.bake_id;
  const bool others = input.source.skeletons > 1 && !before.empty();
  return io::write_baked_gltf(result.asset, others ? before + " " + file.id() : file.id());
}

/// 16-bit numbers have one scale for all of a mode: a mesh in smaller units would be left with few
/// of them.
bool units_differ(const std::vector<soft::Part>& parts) {
  constexpr double kAlike = 2;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const soft::Part& part : parts) {
    const double scale = std::cbrt(part.to_bind.determinant());
    least = std::min(least, scale);
    most = std::max(most, scale);
  }
  return most > kAlike * least;
}

Result<void> encode(BakeRun& run) {
  const BakeInput& input = run.input;
  run.soft = input.scene
                 ? mixed_asset(input.source, *input.scene, run.objects, run.shells, generator())
                 : flesh_asset(input.source, run.objects, generator());
  run.soft.settings = keep_settings(input.all_settings);
  const bool float32 = input.settings.output.float32 || units_differ(run.soft.parts);
  SUPPLE_TRY(run.supple, io::write_supple(run.soft, {float32}));
  return {};
}

}  // namespace

Result<std::vector<Motion>> load_motions(const BakeRequest& request, const BakeInput& input) {
  for (std::size_t a = 0; a < input.asset.animations.size(); ++a) {  // sampled when flesh is baked
    SUPPLE_TRY_VOID(
        character::count_steps(clip_title(input.asset, a), input.asset.animations[a].duration,
                               input.settings.output.rate, input.moved().character.bones.size()));
  }
  std::vector<Motion> motions;
  for (const std::string& what : input.motions) {
    SUPPLE_TRY(
        Motion motion,
        load_motion(request, input, what).during(fmt::format("reading the motion '{}'", what)));
    if (is_from_earlier_bake(input.asset, motion.name)) {
      log::info("'{}' has the clip '{}' from an earlier bake", input.title, motion.name);
      continue;
    }
    motions.push_back(std::move(motion));
  }
  return motions;
}

Result<void> stage_output(const BakeRequest& request, BakeRun& run, OutputSet& output) {
  Stopwatch watch;
  SUPPLE_TRY_VOID(encode(run));
  if (!request.output.empty()) {
    SUPPLE_TRY(const Bytes glb,
               make_glb(request, run).during(fmt::format("making '{}'", request.output)));
    run.seconds.emplace_back("clips", watch.lap());
    SUPPLE_TRY_VOID(output.stage(request.output, glb));
    SUPPLE_TRY_VOID(output.stage(supple_path(request.output), run.supple.bytes));
  }
  if (!request.write_config.empty()) {
    SUPPLE_TRY_VOID(output.stage(request.write_config, print_bake_settings(run.input.settings)));
  }
  SUPPLE_TRY_VOID(check_interrupt());
  run.seconds.emplace_back("write", watch.lap());
  return {};
}

}  // namespace supple::bake
