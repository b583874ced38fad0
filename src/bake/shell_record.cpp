// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/shell_export.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>
#include <cmath>

namespace supple::bake {
namespace {

/// The nodes at rest, all the time.
Motion still_motion(const GltfCharacter& source, const std::string& name, double seconds,
                    double rate) {
  Motion motion;
  motion.name = name;
  motion.duration = seconds;
  std::vector<Eigen::Matrix4d> rest;
  rest.reserve(source.character.bones.size());
  for (const flesh::Bone& bone : source.character.bones) {
    motion.bones.push_back(bone.name);
    rest.push_back(bone.rest_world);
  }
  const auto frames = static_cast<std::size_t>(std::max(1.0, std::round(seconds * rate))) + 1;
  motion.frames.assign(frames, rest);
  return motion;
}

bool all_modelled(const FleshFile& file) {
  supple_asset_info info{};
  (void)supple_asset_describe(file.asset(), &info);
  for (std::uint32_t o = 0; o < info.object_count; ++o) {
    supple_shell_info shell{};
    if (supple_asset_shell(file.asset(), o, &shell) == SUPPLE_OK &&
        shell.modelled_under_gravity == 0) {
      return false;
    }
  }
  return true;
}

std::vector<std::string> default_motions(const io::GltfAsset& asset, const FleshFile& file) {
  std::vector<std::string> motions;
  motions.reserve(asset.animations.size() + 1);
  for (std::size_t a = 0; a < asset.animations.size(); ++a) {
    motions.push_back(fmt::format("clip {}", a + 1));
  }
  if (motions.empty()) motions.emplace_back(all_modelled(file) ? "wind" : "gravity");
  return motions;
}

/// A fresh breeze.
Wind breeze() {
  return {{3, 0, 1}, 0.6, 1.5, 1.2};
}

}  // namespace

Result<BakedClip> record_motion(const std::string& what, const io::GltfAsset* asset,
                                const GltfCharacter& source, const FleshFile& file,
                                const RecordSettings& settings) {
  BakedClip clip;
  PlaySettings play_settings = settings.play;
  if (what == "gravity" || what == "wind") {
    if (!(settings.seconds > 0 && settings.seconds <= 600)) {
      return bad_input(
          fmt::format("{} seconds of recording; expected up to 600", settings.seconds));
    }
    clip.motion = still_motion(source, what, settings.seconds, settings.rate);
    play_settings.drop = what == "gravity";
    if (what == "wind" && !play_settings.wind) play_settings.wind = breeze();
  } else {
    constexpr std::string_view kClip = "clip ";
    MotionRequest request;
    request.what = what.starts_with(kClip) ? "clip:" + what.substr(kClip.size()) : what;
    request.rate = settings.rate;
    request.bone_map = settings.bone_map;
    SUPPLE_TRY(clip.motion, load_motion(request, source.character, asset, &source));
    clip.animation = clip.motion.animation;
  }
  SUPPLE_TRY(clip.tracks, play(file, clip.motion, play_settings));
  return clip;
}

Result<std::vector<BakedClip>> record_motions(std::vector<std::string> motions,
                                              const io::GltfAsset& asset,
                                              const GltfCharacter& source, const FleshFile& file,
                                              const RecordSettings& settings) {
  if (motions.empty()) motions = default_motions(asset, file);
  Progress progress("recording", static_cast<double>(motions.size()));
  std::vector<BakedClip> clips;
  for (const std::string& what : motions) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(BakedClip clip, record_motion(what, &asset, source, file, settings)
                                   .during(fmt::format("recording '{}'", what)));
    const bool twice =
        clip.animation && std::any_of(clips.begin(), clips.end(), [&](const BakedClip& other) {
          return other.animation == clip.animation;
        });
    if (!twice) clips.push_back(std::move(clip));
    progress.advance();
  }
  return clips;
}

}  // namespace supple::bake
