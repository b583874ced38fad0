// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/scene_certificate.hpp"
#include "supple/bake/scene_settings.hpp"
#include "supple/bake/simulate.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/scene/simulator.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::bake {

/// A scene that another simulator moves.
struct ForeignScene {
  std::string title;
  /// Rate, entries, sampling, shapes; no bodies. `foreign` need not be set.
  SceneSettings settings;
  geometry::TriMesh rest;  ///< triangles between the simulator's vertices, at rest
  geometry::Vec3 colour = geometry::Vec3(0.7, 0.7, 0.7);  ///< linear RGB
  /// Makes one at rest; called from several threads at once. It steps by 1 / rate.
  std::function<Result<std::unique_ptr<scene::Simulator>>()> make;
  /// A text that changes with the simulator and everything that it is made of: samples of another
  /// one are refused.
  std::string identity;
};

/// What to sample, and where the results go.
struct SceneRequest {
  std::string scene;                     ///< a scene.toml
  std::optional<SimulationModel> model;  ///< or a scene in memory
  std::optional<ForeignScene> foreign;   ///< or another simulator
  std::string output;                    ///< OUT.glb; OUT.supple goes beside it
  std::string work;                      ///< folder of the samples; "": OUT.glb.work
  bool float32 = false;                  ///< shapes as floats instead of 16 bits
  // These override the scene.
  std::optional<std::size_t> states;
  std::optional<double> tolerance;
  std::optional<int> rank;
  /// A log of live play: more is sampled from its worst blends. The work folder must have the
  /// samples of the bake that was played.
  std::string log;
};

struct SceneInput {
  std::string title;
  std::string directory;  ///< of relative names of meshes
  SceneSettings settings;
  ModelSurfaces surfaces = {};
};

/// One clip that loops.
struct SceneLoopReport {
  std::string clip;
  double seconds = 0;
  std::string entry;                       ///< of the response with which it begins
  double seam_before = 0, seam_after = 0;  ///< distance in phase space, of the portrait's size
};

/// What a log of live play changed. Distances are of the portrait's size.
struct SceneRefinement {
  std::size_t blends = 0;                      ///< that were refined
  std::size_t chains = 0;                      ///< that were sampled for them
  double mean_before = 0, largest_before = 0;  ///< of these blends
  double mean_after = 0, largest_after = 0;
  double coverage_before = 0, coverage_after = 0;  ///< mean over all states and entries
};

/// One of several parts of a scene, as the members of SceneReport.
struct ScenePartReport {
  std::string name;
  std::size_t vertices = 0;
  std::size_t rank = 0;
  double relative_error = 0;
  std::size_t states = 0, responses = 0;
  double blend_mean = 0, blend_largest = 0;
  SceneCertificate certificate;
};

struct SceneReport {
  SceneInput input;
  std::size_t chains = 0;
  std::size_t resumed_chains = 0;  ///< that the folder had already
  std::size_t failed_responses = 0;
  std::size_t sampled_states = 0;
  std::size_t states = 0;     ///< that can be played
  std::size_t responses = 0;  ///< that can be played
  std::size_t vertices = 0;   ///< that move
  std::size_t rank = 0;
  double relative_error = 0;          ///< of the shapes, in the Frobenius norm
  std::vector<double> error_by_rank;  ///< from 0 shapes on
  /// Mean and largest distance from a state to the origin of the response that an entry leads to,
  /// relative to the size of the portrait: how far play strays from the samples.
  double blend_mean = 0, blend_largest = 0;
  std::vector<SceneLoopReport> loops;
  /// If there are several. `states`, `responses` and `rank` are sums over them then, the others
  /// those of the first.
  std::vector<ScenePartReport> parts;
  std::optional<SceneRefinement> refinement;
  double quantisation_error = 0;  ///< m, of 16-bit shapes
  std::size_t bytes = 0;          ///< of the .supple
  std::size_t raw_bytes = 0;      ///< of all sampled frames as floats
  SceneCertificate certificate;
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, double>> seconds;
};

[[nodiscard]] Result<SceneInput> read_scene_input(const SceneRequest& request);

/// Samples, reduces and stages OUT.glb and OUT.supple [JF03]. Killed or interrupted, it leaves its
/// samples in the work folder, and the next call goes on from there to the same bytes.
[[nodiscard]] Result<SceneReport> bake_scene(const SceneRequest& request, OutputSet& output);

/// Removes the samples, once the files are committed; other files in the work folder stay.
void remove_samples(const SceneRequest& request);

}  // namespace supple::bake
