// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/clip_summary.hpp"
#include "supple/bake/gltf_character.hpp"
#include "supple/bake/mixed_character.hpp"
#include "supple/bake/motion.hpp"
#include "supple/bake/record.hpp"
#include "supple/bake/settings.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::bake {

/// A character that is in memory already, such as a built-in sample.
struct CharacterModel {
  std::string title;  ///< what messages call it
  io::GltfAsset asset;
  std::string bake_toml;             ///< the settings that come with it
  std::vector<std::string> motions;  ///< clips for OUT.glb unless others are asked for
};

/// What to bake, and where the results go.
struct BakeRequest {
  std::string character;                ///< a .glb or .gltf file
  std::optional<CharacterModel> model;  ///< or one in memory
  std::string config;                   ///< a bake.toml
  std::string only;                     ///< the name of one object
  std::string output;                   ///< OUT.glb; "": write nothing
  std::vector<std::string> motions;     ///< further clips: see MotionRequest
  std::string bone_map;                 ///< for recordings among them
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
  GltfCharacter source;
  BakeSettings settings;                ///< effective: at least one object or shell
  bool automatic = false;               ///< the objects were proposed, not given
  std::optional<MixedCharacter> scene;  ///< with shells beside the flesh
  std::vector<std::string> motions;     ///< further clips
  std::vector<std::string> warnings;

  /// What can be flesh.
  [[nodiscard]] const character::Character& skin() const {
    return scene ? scene->flesh : source.character;
  }
  /// What motions move: the nodes where there are shells, else the bones.
  [[nodiscard]] const GltfCharacter& moved() const {
    return settings.shells.empty() ? source : scene->shells.source;
  }
};

/// A finished bake, as the report wants it.
struct BakeRun {
  BakeInput input;
  std::vector<Motion> motions;              ///< that are no clips of the character
  std::vector<flesh::FleshObject> objects;  ///< their vertices are those of BakeInput::skin()
  std::vector<shell::ShellObject> shells;
  soft::Asset soft;  ///< all of them, as the file has them
  io::SuppleBytes supple;
  std::vector<ClipSummary> clips;
  std::vector<RecordedShell> recorded;
  std::vector<std::string> warnings;
  double weight_error = 0;  ///< of thinned keys, of a weight's largest value
  std::size_t weight_samples = 0;
  std::size_t weight_keys = 0;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Complaints about the request alone, before anything is read.
[[nodiscard]] Result<void> check(const BakeRequest& request);

/// Reads character and settings; chooses the objects where the settings name none. Warnings go to
/// the log.
[[nodiscard]] Result<BakeInput> read_bake(const BakeRequest& request);

/// Bakes every object and stages the files; they appear when `output` is committed.
[[nodiscard]] Result<BakeRun> bake_character(BakeInput input, const BakeRequest& request,
                                             OutputSet& output);
/// The whole job: check, read, bake.
[[nodiscard]] Result<BakeRun> bake_character(const BakeRequest& request, OutputSet& output);

}  // namespace supple::bake
