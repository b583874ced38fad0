// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/baked_file.hpp"
#include "supple/bake/scene_settings.hpp"
#include "supple/bake/settings.hpp"
#include "supple/bake/shell_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/settings/field.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace supple::bake {

/// The commands that bake. Each reads settings of its own: a bake.toml, a shell.toml or a
/// scene.toml.
enum class BakeCommand { Bake, Shell, Scene };

/// "bake", "shell" or "scene".
[[nodiscard]] std::string_view command_name(BakeCommand command);
[[nodiscard]] std::optional<BakeCommand> find_command(std::string_view name);
[[nodiscard]] const settings::FieldList& settings_fields(BakeCommand command);

/// What a .supple keeps of the bake that made it: the command and all of its settings in effect.
/// They are inside the file, so that they can neither be lost nor be those of another bake.
struct KeptSettings {
  BakeCommand command = BakeCommand::Bake;
  settings::Value values;  ///< not checked yet; settings::read does that
};
/// For soft::Asset::settings.
[[nodiscard]] std::string keep_settings(const BakeSettings& settings);
[[nodiscard]] std::string keep_settings(const ShellFileSettings& settings);
/// "" for scenes that no simulator of ours moves: their settings alone do not bring them back.
[[nodiscard]] std::string keep_settings(const SceneSettings& settings);
/// Files of earlier versions keep none: that is an error with a remedy.
[[nodiscard]] Result<KeptSettings> kept_settings(const BakedFile& file);

/// Reads a bake.toml or shell.toml, or what a .supple keeps. Every error names the file.
[[nodiscard]] Result<BakeSettings> load_bake_settings(const std::string& file);
[[nodiscard]] Result<ShellFileSettings> load_shell_settings(const std::string& file);

/// An error of usage if the settings would be overwritten by an output. A .supple may replace
/// itself, because the new one keeps the settings again.
[[nodiscard]] Result<void> keep_settings_apart(const std::string& config,
                                               const std::vector<std::string>& outputs);

}  // namespace supple::bake
