// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "written_file.hpp"

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/mixed_scene.hpp"
#include "supple/bake/motion.hpp"
#include "supple/bake/settings.hpp"
#include "supple/bake/shell_export.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::app {

/// What the command line says about a bake.
struct BakeRequest {
  std::string character;             ///< a .glb or .gltf file
  std::string sample;                ///< or a built-in character
  std::string config;                ///< a bake.toml
  std::string only;                  ///< the name of one object
  std::string output;                ///< OUT.glb; "": write nothing
  std::vector<std::string> motions;  ///< further clips: see bake::MotionRequest
  std::string bone_map;              ///< for recordings among them
  std::string write_config;
  std::string work;  ///< directory of finished objects; "": none
  // These win over the file.
  std::optional<int> modes;
  std::optional<double> capture;
  std::optional<std::size_t> elements;
  std::optional<double> unit;
  std::optional<double> rate;
  std::optional<double> gain;
  bool signed_weights = false;
  bool float32 = false;
};

/// The character and the settings that hold for it.
struct BakeInput {
  std::string title;
  io::GltfAsset asset;
  bake::GltfCharacter source;
  bake::BakeSettings settings;            ///< effective: at least one object or shell
  bool automatic = false;                 ///< the objects were proposed, not given
  std::optional<bake::MixedScene> scene;  ///< with shells beside the flesh
  std::vector<std::string> motions;       ///< further clips
  std::vector<std::string> warnings;

  /// What can be flesh.
  [[nodiscard]] const character::Character& skin() const {
    return scene ? scene->flesh : source.character;
  }
  /// What motions move: the nodes where there are shells, else the bones.
  [[nodiscard]] const bake::GltfCharacter& moved() const {
    return settings.shells.empty() ? source : scene->shells.source;
  }
};

/// What the flesh does in a clip of OUT.glb.
struct ClipSummary {
  std::string name;
  double seconds = 0;
  bool loops = false;
  int cycles = 0;  ///< that a loop took to become periodic
};

/// A finished bake, as the report wants it.
struct BakeRun {
  BakeInput input;
  std::vector<bake::Motion> motions;        ///< that are no clips of the character
  std::vector<flesh::FleshObject> objects;  ///< their vertices are those of BakeInput::skin()
  std::vector<shell::ShellObject> shells;
  io::SuppleBytes supple;
  std::vector<ClipSummary> clips;
  std::vector<bake::RecordedShell> recorded;
  std::vector<std::string> warnings;
  double weight_error = 0;  ///< of thinned keys, of a weight's largest value
  std::size_t weight_samples = 0;
  std::size_t weight_keys = 0;
  std::vector<WrittenFile> files;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Complaints about the options alone, before anything is read.
[[nodiscard]] Result<void> check_request(const BakeRequest& request);

/// Reads character and settings; chooses the objects where the settings name none. Warnings go to
/// the log.
[[nodiscard]] Result<BakeInput> load_bake(const BakeRequest& request);

/// Bakes every object and writes all files or none.
[[nodiscard]] Result<BakeRun> run_bake(BakeInput input, const BakeRequest& request);

}  // namespace supple::app
