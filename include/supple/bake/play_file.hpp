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

/// Which file to play with which motion, and what to write.
struct PlayRequest {
  std::string file;       ///< a .supple
  std::string character;  ///< the glTF file that was baked; clips, recordings and `glb` need it
  std::string motion;     ///< as for record_motion
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

/// The character of the glTF file or, without one, the bones named in the .supple file.
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

/// Checks the request before reading anything.
[[nodiscard]] Result<void> check(const PlayRequest& request);

/// The whole job: check, read, play. Files are staged and appear when `output` is committed.
[[nodiscard]] Result<PlayRun> play_file(const PlayRequest& request, OutputSet& output);

}  // namespace supple::bake
