// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "samples/simulations.hpp"

#include "supple/bake/baked_file.hpp"
#include "supple/bake/scene.hpp"

#include <string>

namespace supple::samples {

/// Built-in scenes for `supple scene`, after those of [JF03].
[[nodiscard]] const std::vector<SimulationSample>& scene_samples();

/// The scene as text. An unknown name is a usage error that lists the known ones.
[[nodiscard]] Result<bake::SimulationModel> scene_model(std::string_view name, SampleSize size);

/// The scene that a .supple keeps, to simulate it again, with the meshes of our own scenes in
/// memory; those of others are files of `directory`.
[[nodiscard]] Result<bake::SceneInput> simulated_scene(const bake::BakedFile& file,
                                                       std::string directory);
/// Of a file; meshes are looked for beside it.
[[nodiscard]] Result<bake::SceneInput> simulated_scene_of(const std::string& file);

}  // namespace supple::samples
