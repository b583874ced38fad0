// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/record.hpp"
#include "supple/bake/node_character.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>

namespace supple::bake {
namespace {

/// Motions of any length: only the shells move.
bool is_still(const std::string& what) {
  return what == "gravity" || what == "wind";
}

bool all_modelled(const BakedFile& file) {
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

std::vector<std::string> default_motions(const io::GltfAsset& asset, const BakedFile& file) {
  std::vector<std::string> motions;
  motions.reserve(asset.animations.size() + 1);
  for (std::size_t a = 0; a < asset.animations.size(); ++a) {
    motions.push_back(fmt::format("clip:{}", a + 1));
  }
  if (motions.empty()) motions.emplace_back(all_modelled(file) ? "wind" : "gravity");
  return motions;
}

/// A fresh breeze.
Wind breeze() {
  return {{3, 0, 1}, 0.6, 1.5, 1.2};
}

Error no_length(const std::string& what) {
  return {ErrorCode::Usage,
          fmt::format("a duration in seconds applies to 'gravity' and 'wind'; {} of fixed length",
                      what)};
}

Result<void> check_forces(const BakedFile& file, const std::string& what,
                          const RecordSettings& settings) {
  const bool acts = what == "wind" || settings.play.wind || settings.play.medium;
  if (acts && !has_shells(file.asset())) {
    return Error(
        ErrorCode::Usage,
        fmt::format(
            "wind acts on shells, but '{}' has none; choose another motion or omit wind and medium",
            file.name()));
  }
  return {};
}

/// Whether the two are the same clip of the file, or the same text.
bool same_motion(const BakedClip& a, const BakedClip& b) {
  return a.animation ? a.animation == b.animation : a.motion.name == b.motion.name;
}

}  // namespace

Result<BakedClip> record_motion(const std::string& what, const io::GltfAsset* asset,
                                const GltfCharacter& source, const BakedFile& file,
                                const RecordSettings& settings) {
  BakedClip clip;
  PlaySettings play_settings = settings.play;
  SUPPLE_TRY_VOID(check_forces(file, what, settings));
  if (is_still(what)) {
    const double seconds = settings.seconds.value_or(kStillSeconds);
    if (!(seconds > 0 && seconds <= 600)) {
      return bad_input(
          fmt::format("the recording is {} seconds long; it must be up to 600", seconds));
    }
    SUPPLE_TRY(clip.motion,
               character::still_motion(source.character, what, seconds, settings.rate));
    play_settings.drop = what == "gravity";
    if (what == "wind" && !play_settings.wind) play_settings.wind = breeze();
  } else {
    if (settings.seconds) return no_length(fmt::format("motion '{}' is", what));
    const MotionRequest request{what, settings.bone_map, settings.rate, settings.looping};
    SUPPLE_TRY(clip.motion, load_motion(request, source.character, asset, &source));
    clip.animation = clip.motion.animation;
  }
  if (clip.motion.loops && play_settings.push) {
    // A loop runs until it is periodic, and by then the effect of a push is gone.
    clip.motion.loops = false;
    clip.motion.notes.emplace_back("played once instead of as a loop, to show the push");
  }
  SUPPLE_TRY(clip.tracks, play(file, clip.motion, play_settings));
  return clip;
}

Result<std::vector<BakedClip>> record_motions(std::vector<std::string> motions,
                                              const io::GltfAsset& asset,
                                              const GltfCharacter& source, const BakedFile& file,
                                              const RecordSettings& settings) {
  if (motions.empty()) motions = default_motions(asset, file);
  if (settings.seconds && std::none_of(motions.begin(), motions.end(), is_still)) {
    return no_length("the recorded motion is");
  }
  ClipMemory memory;
  Progress progress("recording", static_cast<double>(motions.size()));
  std::vector<BakedClip> clips;
  clips.reserve(motions.size());
  for (const std::string& what : motions) {
    SUPPLE_TRY_VOID(check_interrupt());
    RecordSettings mine = settings;
    if (!is_still(what)) mine.seconds.reset();
    SUPPLE_TRY(BakedClip clip, record_motion(what, &asset, source, file, mine)
                                   .during(fmt::format("recording '{}'", what)));
    if (std::any_of(clips.begin(), clips.end(),
                    [&](const BakedClip& other) { return same_motion(clip, other); })) {
      return Error(ErrorCode::Usage, fmt::format("motion '{}' is given twice; give it once", what));
    }
    SUPPLE_TRY_VOID(memory.add(clip));
    clips.push_back(std::move(clip));
    progress.advance();
  }
  return clips;
}

}  // namespace supple::bake
