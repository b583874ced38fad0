// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/clip_summary.hpp"
#include "supple/bake/prepared_shells.hpp"
#include "supple/bake/record.hpp"
#include "supple/bake/shell_settings.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/supple_file.hpp"
#include "supple/shell/shell_object.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::bake {

/// Thin surfaces already in memory, such as a built-in sample.
struct ShellModel {
  std::string title;  ///< its name in messages
  io::GltfAsset asset;
  std::string shell_toml;  ///< the settings that come with it
};

/// What to bake, and where the results go.
struct ShellRequest {
  std::string mesh;                 ///< .obj, .ply, .stl, .glb or .gltf
  std::optional<ShellModel> model;  ///< or surfaces in memory
  std::string config;               ///< a shell.toml
  std::string output;               ///< OUT.glb; "": write nothing
  std::string write_config;
  std::vector<std::string> motions;  ///< to record; empty: see record_motions
  RecordSettings record;
  // These override the file.
  std::optional<int> modes;
  std::optional<double> unit;
  std::optional<double> rate;
  std::optional<double> tolerance;
  std::optional<int> targets;
  bool signed_weights = false;
  bool float32 = false;
};

/// A mesh as a glTF file, and its effective settings.
struct ShellInput {
  std::string title;
  io::GltfAsset asset;
  ShellFileSettings settings;    ///< effective: at least one shell
  bool automatic = false;        ///< shells were proposed, not given
  std::size_t first_number = 0;  ///< number of the first vertex in the file's format
};

/// A finished run, for the report.
struct ShellRun {
  ShellInput input;
  PreparedShells scene;
  std::vector<shell::ShellObject> objects;
  io::SuppleBytes supple;
  std::vector<ClipSummary> clips;
  std::vector<RecordedShell> recorded;
  std::size_t weight_samples = 0;
  std::size_t weight_keys = 0;
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Checks the request before reading anything.
[[nodiscard]] Result<void> check(const ShellRequest& request);

/// Reads mesh and settings; every mesh becomes a shell if the settings name none.
[[nodiscard]] Result<ShellInput> read_shells(const ShellRequest& request);

/// Bakes every shell and stages the files; they appear when `output` is committed. Warnings also go
/// to the log.
[[nodiscard]] Result<ShellRun> bake_shells(ShellInput input, const ShellRequest& request,
                                           OutputSet& output);
/// The whole job: check, read, bake.
[[nodiscard]] Result<ShellRun> bake_shells(const ShellRequest& request, OutputSet& output);

}  // namespace supple::bake
