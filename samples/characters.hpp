// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/gltf_character.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace supple::samples {

/// A built-in rigged character.
struct CharacterSample {
  std::string name;
  std::string description;
  std::size_t vertices = 0;  ///< of the soft surface, by default
};
[[nodiscard]] const std::vector<CharacterSample>& character_samples();
/// Null if the name is unknown.
[[nodiscard]] const CharacterSample* find_character_sample(std::string_view name);

struct CharacterModel {
  io::SkinnedModel model;
  std::string bake_toml;             ///< settings that suit it
  std::vector<std::string> motions;  ///< clips added when it is baked
};

/// Only the settings, without building the sample.
[[nodiscard]] Result<std::string> character_sample_settings(std::string_view name);

/// Builds the sample with about `vertices`; 0: its own number.
[[nodiscard]] Result<CharacterModel> make_character_sample(std::string_view name,
                                                           std::size_t vertices = 0);

}  // namespace supple::samples
