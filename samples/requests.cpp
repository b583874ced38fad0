// SPDX-License-Identifier: Apache-2.0
#include "samples/requests.hpp"

#include "samples/characters.hpp"
#include "samples/shell_samples.hpp"
#include "samples/solids.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <vector>

namespace supple::samples {
namespace {

template <class Sample>
Error unknown_sample(const std::string& name, const std::vector<Sample>& samples) {
  std::vector<std::string> names;
  names.reserve(samples.size());
  for (const Sample& sample : samples) names.push_back(sample.name);
  return {ErrorCode::Usage, fmt::format("unknown sample '{}'{}; available: {}", name,
                                        did_you_mean(name, names), fmt::join(names, ", "))};
}

}  // namespace

Result<bake::CharacterModel> character_model(const std::string& name) {
  if (find_character_sample(name) == nullptr) return unknown_sample(name, character_samples());
  SUPPLE_TRY(const CharacterModel sample, make_character_sample(name));
  bake::CharacterModel model{name, {}, sample.bake_toml, sample.motions};
  SUPPLE_TRY(model.asset, io::make_gltf(sample.model));
  return model;
}

Result<bake::ShellModel> shell_model(const std::string& name) {
  SUPPLE_TRY_VOID(check_shell_sample(name));
  SUPPLE_TRY(const ShellSampleModel sample, make_shell_sample(name));
  bake::ShellModel model{name, {}, sample.shell_toml};
  SUPPLE_TRY(model.asset, io::make_gltf(sample.model));
  return model;
}

Result<bake::SolidMaker> solid_maker(const std::string& name) {
  const SolidSample* sample = find_solid_sample(name);
  if (sample == nullptr) return unknown_sample(name, solid_samples());
  const auto make = [name](std::size_t elements) -> Result<bake::SolidMaker::Mesh> {
    SUPPLE_TRY(SampleMesh made, make_solid_sample(name, elements));
    return bake::SolidMaker::Mesh{std::move(made.mesh), std::move(made.surface)};
  };
  return bake::SolidMaker{name, sample->material, sample->supports, make};
}

}  // namespace supple::samples
