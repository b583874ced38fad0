// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/baked_file.hpp"
#include "supple/bake/clip_export.hpp"
#include "supple/bake/play_file.hpp"
#include "supple/bake/playback.hpp"
#include "supple/bake/scene.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"
#include "supple/scene/plan.hpp"
#include "supple/soft/object.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::bake {

/// An entry of a part's palette that acts at some time.
struct SceneTrigger {
  double time = 0;  ///< s
  std::uint32_t entry = 0;
  double strength = 1;
  std::uint32_t object = 0;  ///< the part: an object of the file that is a scene
};

/// A part of a scene, with a portrait and a palette of its own. Most scenes have one.
struct ScenePart {
  std::uint32_t object = 0;
  std::string name;
  std::vector<soft::PaletteEntry> palette;
};
/// All parts; a file without any scene is an error.
[[nodiscard]] Result<std::vector<ScenePart>> scene_parts(const BakedFile& file);

/// "poke-left@0.0,kick@1.5*0.5,left leaf:kick@2": names or keys, times in seconds, strengths if not
/// 1. An entry acts on all parts whose palettes have it, or on the one before the colon. In the
/// order of time.
[[nodiscard]] Result<std::vector<SceneTrigger>> parse_palette(std::string_view text,
                                                              const std::vector<ScenePart>& parts);

/// A goal and when it is to be reached: "rest@1.5", or "pose:RESPONSE:FRAME@2.0", the state of a
/// response.
struct SceneGoal {
  double time = 0;                   ///< s
  std::optional<scene::Place> pose;  ///< none: rest
};
[[nodiscard]] Result<SceneGoal> parse_goal(std::string_view text,
                                           const scene::StoredPortrait& stored);

/// What happened at a trigger.
struct ScenePlayedTrigger {
  SceneTrigger trigger;
  /// The state at which it acted: response and frame; none: at rest as the scene begins.
  std::optional<scene::Place> at;
  std::uint32_t response = 0;  ///< that answers
  double blend = 0;  ///< how far from the samples the scene is then, of the portrait's size
};

struct ScenePlay {
  Tracks tracks;            ///< columns of all modes of the file
  std::vector<double> off;  ///< per frame: largest distance of a part from the samples, relative
  /// Per frame, of the first part; SUPPLE_NO_ENTRY: at rest as it begins.
  std::vector<std::uint32_t> response;
  std::vector<ScenePlayedTrigger> triggers;
  bool rests = false;  ///< at the end
};

struct ScenePlaySettings {
  std::optional<double> seconds;  ///< none: until the scene rests, at most 20 s
  double rate = 0;                ///< frames per second; 0: the scene's own
  double gain = 1;
};

/// What the player does. A trigger acts exactly at its time, also between frames. One that the
/// rules forbid then is an error that lists those allowed.
[[nodiscard]] Result<ScenePlay> play_scene(const BakedFile& file,
                                           const std::vector<SceneTrigger>& triggers,
                                           const ScenePlaySettings& settings = {});

/// Play beside the simulator.
struct SceneDifference {
  std::vector<double> rms;  ///< m, over the vertices, for each frame
  double rms_all = 0;       ///< m, over vertices and frames
  double relative = 0;      ///< of the simulator's RMS displacement
  double largest = 0;       ///< m, of a vertex
  std::size_t largest_frame = 0;
};

/// Which scene to play, how, and what to write.
struct ScenePlayRequest {
  std::string file;       ///< a .supple
  std::string character;  ///< the .glb beside it; only `glb` needs it
  std::string palette;    ///< as for parse_palette
  std::string goal;       ///< instead: as for parse_goal
  ScenePlaySettings play;
  /// Simulates this scene for the same sequence and compares; triggers act at whole frames then.
  std::optional<SceneInput> simulation;
  bool signed_weights = false;
  std::string csv;  ///< coefficients over time; "": none
  std::string glb;  ///< the scene with this motion as a clip; "": none
  std::string log;  ///< the blends, worst first, for a refined bake; "": none
};

struct ScenePlayRun {
  std::string name;  ///< of the first part
  std::vector<ScenePart> parts;
  std::vector<ModeName> modes;
  ScenePlay play;
  std::optional<scene::Plan> plan;
  double frame_seconds = 0;                   ///< of the scene
  std::optional<SceneDifference> difference;  ///< from the simulation
  std::optional<ClipExport> exported;
};

/// The whole job. Files are staged and appear when `output` is committed.
[[nodiscard]] Result<ScenePlayRun> play_scene_file(const ScenePlayRequest& request,
                                                   OutputSet& output);

}  // namespace supple::bake
