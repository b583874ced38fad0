// SPDX-License-Identifier: Apache-2.0
#include "samples/characters.hpp"

#include "samples/dyrt_man.hpp"
#include "samples/tissue.hpp"

#include <fmt/format.h>

namespace supple::samples {

const std::vector<CharacterSample>& character_samples() {
  static const std::vector<CharacterSample> samples{
      {"dyrt-man", "a stout man who walks, jumps and dances; thighs and belly are soft",
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

Result<CharacterModel> make_character_sample(std::string_view name, std::size_t vertices) {
  const CharacterSample* sample = find_character_sample(name);
  if (sample == nullptr) {
    std::string names;
    for (const CharacterSample& known : character_samples()) {
      names += (names.empty() ? "" : ", ") + known.name;
    }
    return Error(ErrorCode::Usage,
                 fmt::format("there is no sample character '{}'; there are {}", name, names));
  }
  const std::size_t count = vertices == 0 ? sample->vertices : vertices;
  CharacterModel result;
  if (sample->name == "dyrt-man") {
    SUPPLE_TRY(result.model, dyrt_man(count));
    result.bake_toml = dyrt_man_bake_toml();
  } else {
    SUPPLE_TRY(result.model, tissue(count));
    result.bake_toml = tissue_bake_toml();
  }
  return result;
}

}  // namespace supple::samples
