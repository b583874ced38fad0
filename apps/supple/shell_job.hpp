// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake_job.hpp"

#include "supple/bake/shell_export.hpp"
#include "supple/bake/shell_scene.hpp"
#include "supple/bake/shell_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/supple_file.hpp"
#include "supple/shell/shell_object.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::app {

/// What the command line says about shells.
struct ShellRequest {
  std::string mesh;    ///< .obj, .ply, .stl, .glb or .gltf
  std::string sample;  ///< or a built-in one
  std::string config;  ///< a shell.toml
  std::string output;  ///< OUT.glb; "": write nothing
  std::string write_config;
  std::vector<std::string> motions;  ///< to record; empty: see bake::record_motions
  bake::RecordSettings record;
  // These win over the file.
  std::optional<int> modes;
  std::optional<double> unit;
  std::optional<double> rate;
  std::optional<double> tolerance;
  std::optional<int> targets;
  bool signed_weights = false;
  bool float32 = false;
};

/// A mesh as a glTF file, and the settings that hold for it.
struct ShellInput {
  std::string title;
  io::GltfAsset asset;
  bake::ShellFileSettings settings;  ///< effective: at least one shell
  bool automatic = false;            ///< shells were proposed, not given
  std::size_t first_number = 0;      ///< of vertices, as the file's format counts
};

/// A finished run, as the report wants it.
struct ShellRun {
  ShellInput input;
  bake::ShellScene scene;
  std::vector<shell::ShellObject> objects;
  io::SuppleBytes supple;
  std::vector<ClipSummary> clips;
  std::vector<bake::RecordedShell> recorded;
  std::size_t weight_samples = 0;
  std::size_t weight_keys = 0;
  std::vector<std::string> warnings;
  std::vector<WrittenFile> files;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Complaints about the options alone, before anything is read.
[[nodiscard]] Result<void> check_request(const ShellRequest& request);

/// Reads mesh and settings; every mesh becomes a shell where the settings name none.
[[nodiscard]] Result<ShellInput> load_shells(const ShellRequest& request);

/// Bakes every shell and writes all files or none. Warnings go to the log too.
[[nodiscard]] Result<ShellRun> run_shells(ShellInput input, const ShellRequest& request);

}  // namespace supple::app
