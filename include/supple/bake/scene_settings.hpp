// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/simulation_settings.hpp"
#include "supple/settings/declare.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A scene.toml of `supple scene`: the bodies of a simulation ([[solid]], [[cloth]], ..), what can
/// be done to them, how much of it is sampled and how it is reduced. Or, instead of bodies, what
/// another program recorded ([recording]).
namespace supple::bake {

/// [entry.impulse]: a change of velocity, at once.
struct SceneImpulse {
  geometry::Vec3 velocity = geometry::Vec3::Zero();  ///< m/s
  geometry::Vec3 spin = geometry::Vec3::Zero();      ///< degrees/s about `centre`
  geometry::Vec3 centre = geometry::Vec3::Zero();
};

/// [entry.forcing]: what acts until the next entry, as the scene's own frame moves: its support is
/// accelerated or turns.
struct SceneForcing {
  geometry::Vec3 acceleration = geometry::Vec3::Zero();  ///< m/s^2, is felt in addition to gravity
  geometry::Vec3 turning = geometry::Vec3::Zero();       ///< degrees/s: of the frame about `centre`
  geometry::Vec3 centre = geometry::Vec3::Zero();
  geometry::Vec3 wind = geometry::Vec3::Zero();  ///< m/s, is added to [wind]
};

/// One [[entry]] of the palette.
struct SceneEntrySettings {
  std::string name;
  std::string key;
  std::vector<double> strengths = {1};
  std::vector<std::string> followed_by;
  bool from_rest = true;
  std::vector<std::string> parts;  ///< on which it acts; empty: all
  std::optional<SceneImpulse> impulse;
  std::optional<SceneForcing> forcing;
};

/// What has a portrait of its own: the scene, each body, or each connected piece of cloth and each
/// solid.
enum class SceneSplit : std::uint8_t { One, Bodies, Pieces };

/// One [[part]]: bodies with one portrait.
struct ScenePartSettings {
  std::string name;
  std::vector<std::string> bodies;
};

/// [sampling]
struct SceneSampling {
  std::size_t states = 2000;  ///< at least so many
  double shortest = 0.25;     ///< s, T_min
  double longest = 1.5;       ///< s, T_max
  double settle = 2;          ///< s until the scene rests at the start
  double rest = 8;            ///< s: a response goes on to rest at most so long
  double stillness = 1e-4;    ///< of its size per frame: a scene that moves less is at rest
  int chain = 6;              ///< responses one after the other
  bool adaptive = true;
  std::uint64_t seed = 1;
};

/// [shapes]
struct SceneShapes {
  double tolerance = 0.01;
  int rank = 0;
  int max_rank = 48;
};

/// One [[recording.run]]: frames one after the other, and what acted in them.
struct SceneRunSettings {
  /// "poke_*.obj" or .ply, with a number in place of the *; or a .pc2, .mdd or .h5 file.
  std::string frames;
  std::string actions;  ///< a CSV file of lines frame,entry,strength
  std::string body;     ///< of an .h5 file of several
};

/// [recording]: what another program recorded, instead of bodies.
struct SceneRecording {
  std::string mesh;                 ///< the triangles, where the frames have none
  std::optional<std::size_t> rest;  ///< number of a frame of the first run; none: its first
  double scale = 1;                 ///< metres per unit of the files
  geometry::Vec3 colour = geometry::Vec3(0.7, 0.7, 0.7);  ///< linear RGB
  std::vector<SceneRunSettings> runs;
};

/// [loops]: motion that returns to where it began, as clips.
struct SceneLoops {
  int count = 4;
  double shortest = 0.5;  ///< s
  double longest = 6;     ///< s
};

struct SceneSettings {
  SimulationSettings simulation;
  std::optional<SceneRecording> recording;
  /// Another simulator moves the scene (ForeignScene): it has neither bodies nor recordings here,
  /// and the simulator knows what its entries do. Set by programs.
  bool foreign = false;
  SceneSplit parts = SceneSplit::One;
  std::vector<ScenePartSettings> groups;  ///< instead of `parts`
  std::vector<SceneEntrySettings> entries;
  SceneSampling sampling;
  SceneShapes shapes;
  SceneLoops loops;
  double half_life = 0.1;  ///< s, of what is left of a transition
  [[nodiscard]] Result<void> validate() const;
};

[[nodiscard]] const settings::Fields<SceneSettings>& scene_fields();
[[nodiscard]] Result<SceneSettings> parse_scene_settings(std::string_view toml,
                                                         std::string_view name);
[[nodiscard]] std::string print_scene_settings(const SceneSettings& settings);

}  // namespace supple::bake
