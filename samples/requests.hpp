// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/bake_character.hpp"
#include "supple/bake/bake_shells.hpp"
#include "supple/bake/solid_model.hpp"
#include "supple/core/result.hpp"

#include <string>

namespace supple::samples {

/// Samples as the jobs of `bake` take them. An unknown name is an error of usage that offers those
/// that exist.
[[nodiscard]] Result<bake::CharacterModel> character_model(const std::string& name);
[[nodiscard]] Result<bake::ShellModel> shell_model(const std::string& name);
[[nodiscard]] Result<bake::SolidMaker> solid_maker(const std::string& name);

}  // namespace supple::samples
