// SPDX-License-Identifier: Apache-2.0
#include "samples/characters.hpp"

#include "samples/bather.hpp"
#include "samples/dyrt_man.hpp"
#include "samples/tissue.hpp"

#include <fmt/format.h>

namespace supple::samples {
namespace {

Error unknown_sample(std::string_view name) {
  std::string names;
  for (const CharacterSample& known : character_samples()) {
    names += (names.empty() ? "" : ", ") + known.name;
  }
  return {ErrorCode::Usage,
          fmt::format("unknown sample character '{}'; known are {}", name, names)};
}

}  // namespace

const std::vector<CharacterSample>& character_samples() {
  static const std::vector<CharacterSample> samples{
      {"dyrt-man", "a stout man who walks, jumps and dances; thighs and belly are soft",
       kDyrtManVertices},
      {"bather", "the stout man swims: soft thighs and belly, a cap with a frill, and fins",
       kDyrtManVertices},
      {"tissue", "a patch of tissue on a tray, probed by a hook", kTissueVertices},
  };
  return samples;
}

const CharacterSample* find_character_sample(std::string_view name) {
  for (const CharacterSample& sample : character_samples()) {
    if (sample.name == name) return &sample;
  }
  return nullptr;
}

Result<std::string> character_sample_settings(std::string_view name) {
  if (name == "dyrt-man") return dyrt_man_bake_toml();
  if (name == "bather") return bather_bake_toml();
  if (name == "tissue") return tissue_bake_toml();
  return unknown_sample(name);
}

Result<CharacterModel> make_character_sample(std::string_view name, std::size_t vertices) {
  CharacterModel result;
  SUPPLE_TRY(result.bake_toml, character_sample_settings(name));
  const std::size_t own = find_character_sample(name)->vertices;
  const std::size_t count = vertices == 0 ? own : vertices;
  auto* make = name == "dyrt-man" ? &dyrt_man : name == "bather" ? &bather : &tissue;
  SUPPLE_TRY(result.model, make(count));
  if (name == "bather") result.motions = {"swim:breaststroke"};
  return result;
}

}  // namespace supple::samples
