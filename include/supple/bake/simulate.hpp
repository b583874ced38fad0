// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/simulation_settings.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/simulator/world.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::bake {

/// A surface in memory, for bodies of scenes in memory.
struct ModelSurface {
  geometry::TriMesh mesh;
  std::vector<std::array<double, 4>> colours;  ///< linear RGBA per vertex; empty: the body's one
};
/// By the names that bodies give as `mesh`.
using ModelSurfaces = std::map<std::string, ModelSurface>;

/// A scene already in memory, such as a built-in sample.
struct SimulationModel {
  std::string title;            ///< its name in messages
  std::string toml;             ///< the scene
  ModelSurfaces surfaces = {};  ///< come before files of these names
};

/// What to simulate, and where the results go.
struct SimulateRequest {
  std::string scene;                     ///< a scene.toml
  std::optional<SimulationModel> model;  ///< or a scene in memory
  /// Any of OUT.glb, OUT.h5 and OUT.pc2, and sequences: OUT.ply and OUT.vtu become OUT_0000.ply, ..
  std::vector<std::string> outputs;
  /// Folder of the checkpoint; "": the first output with ".work" after it. It is removed at the
  /// end.
  std::string work;
  bool resume = false;  ///< continues from the checkpoint, if there is one
  // These override the scene.
  std::optional<double> seconds;
  std::optional<double> rate;
  std::optional<double> tolerance;
  std::optional<int> targets;
  bool signed_weights = false;
};

/// A scene's effective settings, and where its meshes are.
struct SimulateInput {
  std::string title;
  std::string directory;  ///< of relative names of meshes
  SimulationSettings settings;
  ModelSurfaces surfaces = {};
};

/// How well the morph targets of one body show its motion, over all frames.
struct ReducedBody {
  std::string name;
  std::size_t vertices = 0;  ///< of the surface that is drawn
  std::size_t shapes = 0;
  double size = 0;            ///< m, the diagonal at the start
  double relative_error = 0;  ///< Frobenius norm of what the shapes leave, of that of the motion
  double largest_error = 0;   ///< m, of a vertex, with keys and rounding
  double rms_error = 0;       ///< m
};

/// A finished run, for the report.
struct SimulateReport {
  SimulateInput input;
  std::vector<simulator::Body> bodies;
  std::size_t steps = 0;
  std::size_t resumed_at = 0;  ///< steps that the checkpoint had
  std::size_t newton_iterations = 0;
  std::size_t substeps = 0;
  std::size_t contacts_max = 0;
  double smallest_distance = 0;   ///< m; infinite without contacts
  std::size_t intersections = 0;  ///< over all frames, by the exact test
  double contact_width = 0;       ///< m
  simulator::Energies energies;   ///< at the end
  std::string digest;             ///< of the last state
  std::vector<ReducedBody> reduced;
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Checks the request before reading anything.
[[nodiscard]] Result<void> check(const SimulateRequest& request);

/// Reads the scene and applies what overrides it.
[[nodiscard]] Result<SimulateInput> read_scene(const SimulateRequest& request);

/// The scene as the simulator takes it, for programs that step it themselves.
[[nodiscard]] Result<simulator::Description> describe_simulation(const SimulateInput& input);

/// Simulates and stages the files; they appear when `output` is committed. Warnings also go to the
/// log. Interrupted, or stopped by a step that fails, it leaves a checkpoint in the work folder.
[[nodiscard]] Result<SimulateReport> simulate(SimulateInput input, const SimulateRequest& request,
                                              OutputSet& output);
/// The whole job: check, read, simulate.
[[nodiscard]] Result<SimulateReport> simulate(const SimulateRequest& request, OutputSet& output);

/// Removes the checkpoint, once the files of a run are committed.
void remove_checkpoint(const SimulateRequest& request);

}  // namespace supple::bake
