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

/// A character already in memory, such as a built-in sample.
struct CharacterModel {
  std::string title;  ///< its name in messages
  io::GltfAsset asset;
  std::string bake_toml;             ///< the settings that come with it
  std::vector<std::string> motions;  ///< clips for OUT.glb unless others are requested
};

/// What to bake, and where the results go.
struct BakeRequest {
  std::string character;                                  ///< a .glb or .gltf file
  std::optional<CharacterModel> model;                    ///< or a character in memory
  std::string config;                                     ///< a bake.toml
  std::string only;                                       ///< the name of one object
  std::string output;                                     ///< OUT.glb; "": write nothing
  std::vector<std::string> motions;                       ///< further clips: see MotionRequest
  std::string bone_map;                                   ///< for recordings among them
  character::Looping looping = character::Looping::Auto;  ///< of all clips
  std::string write_config;
  std::string work;  ///< directory of finished objects; "": none
  // These override the file.
  std::optional<int> modes;
  std::optional<double> capture;
  std::optional<std::size_t> elements;
  std::optional<double> unit;
  std::optional<std::string> skeleton;
  std::optional<double> rate;
  std::optional<double> gain;
  bool signed_weights = false;
  bool float32 = false;
};

/// The character and its effective settings.
struct BakeInput {
  std::string title;
  io::GltfAsset asset;
  GltfCharacter source;
  BakeSettings settings;                ///< effective: at least one object or shell
  BakeSettings all_settings;            ///< the same before BakeRequest::only chose one of them
  bool automatic = false;               ///< the objects were proposed, not given
  std::optional<MixedCharacter> scene;  ///< if there are shells beside the flesh
  std::vector<std::string> motions;     ///< further clips
  std::vector<std::string> warnings;

  /// The skin that can become flesh.
  [[nodiscard]] const character::Character& skin() const {
    return scene ? scene->flesh : source.character;
  }
  /// What motions move: the nodes if there are shells, else the bones.
  [[nodiscard]] const GltfCharacter& moved() const {
    return settings.shells.empty() ? source : scene->shells.source;
  }
};

/// A finished bake, for the report.
struct BakeRun {
  BakeInput input;
  std::vector<Motion> motions;              ///< other than clips of the character
  std::vector<flesh::FleshObject> objects;  ///< their vertices are those of BakeInput::skin()
  std::vector<shell::ShellObject> shells;
  soft::Asset soft;  ///< all of them, as stored in the file
  io::SuppleBytes supple;
  std::vector<ClipSummary> clips;
  std::vector<RecordedShell> recorded;
  std::vector<std::string> warnings;
  double weight_error = 0;  ///< of thinned keys, relative to a weight's largest value
  std::size_t weight_samples = 0;
  std::size_t weight_keys = 0;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Checks the request before reading anything.
[[nodiscard]] Result<void> check(const BakeRequest& request);

/// Reads character and settings; chooses the objects if the settings name none. Warnings go to the
/// log.
[[nodiscard]] Result<BakeInput> read_bake(const BakeRequest& request);

/// Bakes every object and stages the files; they appear when `output` is committed.
[[nodiscard]] Result<BakeRun> bake_character(BakeInput input, const BakeRequest& request,
                                             OutputSet& output);
/// The whole job: check, read, bake.
[[nodiscard]] Result<BakeRun> bake_character(const BakeRequest& request, OutputSet& output);

}  // namespace supple::bake
