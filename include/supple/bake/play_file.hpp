// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/baked_file.hpp"
#include "supple/bake/clip_export.hpp"
#include "supple/bake/gltf_character.hpp"
#include "supple/bake/record.hpp"
#include "supple/bake/settings.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace supple::bake {

/// Which file is played over which motion, and what is written.
struct PlayRequest {
  std::string file;       ///< a .supple
  std::string character;  ///< the glTF file that was baked; clips, recordings and `glb` need it
  std::string motion;     ///< as record_motion knows it
  RecordSettings record;
  ExportSettings output;
  std::string csv;  ///< coefficients over time; "": none
  std::string glb;  ///< the character with this motion and its soft parts; "": none
};

struct ModeName {
  std::string object;
  std::uint32_t number = 0;  ///< within the object, from 1
  double hertz = 0;

  [[nodiscard]] std::string text() const;
};

/// The character of the glTF file, or without one the bones that the .supple file names.
struct PlayedCharacter {
  std::optional<io::GltfAsset> asset;
  GltfCharacter source;
};

/// A finished run.
struct PlayRun {
  BakedFile file;
  PlayedCharacter stage;
  std::vector<ModeName> modes;
  BakedClip clip;
  std::optional<ClipExport> exported;
};

/// Complaints about the request alone, before anything is read.
[[nodiscard]] Result<void> check(const PlayRequest& request);

/// The whole job: check, read, play. Files are staged and appear when `output` is committed.
[[nodiscard]] Result<PlayRun> play_file(const PlayRequest& request, OutputSet& output);

}  // namespace supple::bake
