// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/asset_file.hpp"
#include "supple/bake/kept_settings.hpp"
#include "supple/core/files.hpp"
#include "supple/core/output.hpp"
#include "supple/settings/fields.hpp"
#include "supple/settings/json.hpp"
#include "supple/settings/toml.hpp"

#include <fmt/format.h>

#include <array>

namespace supple::bake {
namespace {

constexpr std::array kCommands{BakeCommand::Bake, BakeCommand::Shell, BakeCommand::Scene};

/// A member named after the command, which holds the values.
std::string keep_values(BakeCommand command, settings::Value values) {
  settings::Value::Table table;
  table.push_back({std::string(command_name(command)), std::move(values)});
  return settings::print_json({.data = std::move(table)});
}

Result<void> load_values(BakeCommand command, const std::string& file, void* settings) {
  const settings::FieldList& fields = settings_fields(command);
  if (lower_extension(file) != ".supple") {
    SUPPLE_TRY(const Bytes bytes, read_file(file, kMostTextBytes));
    SUPPLE_TRY(const settings::Value document, settings::parse_toml(as_text(bytes), file));
    return settings::read(fields, document, file, settings);
  }
  SUPPLE_TRY(const AssetFile asset, open_asset(file));
  SUPPLE_TRY(const KeptSettings kept, kept_settings(asset.file));
  if (kept.command != command) {
    return bad_input(fmt::format("it was baked by 'supple {}', and so can be only its settings",
                                 command_name(kept.command)))
        .at(file);
  }
  return settings::read(fields, kept.values, "", settings)
      .during(fmt::format("reading the settings in '{}'", file));
}

}  // namespace

std::string_view command_name(BakeCommand command) {
  switch (command) {
    case BakeCommand::Shell:
      return "shell";
    case BakeCommand::Scene:
      return "scene";
    case BakeCommand::Bake:
      break;
  }
  return "bake";
}

std::optional<BakeCommand> find_command(std::string_view name) {
  for (const BakeCommand command : kCommands) {
    if (name == command_name(command)) return command;
  }
  return {};
}

const settings::FieldList& settings_fields(BakeCommand command) {
  if (command == BakeCommand::Shell) return shell_file_fields();
  if (command == BakeCommand::Scene) return scene_fields();
  return bake_fields();
}

std::string keep_settings(const BakeSettings& settings) {
  return keep_values(BakeCommand::Bake, bake_fields().write(settings));
}

std::string keep_settings(const ShellFileSettings& settings) {
  return keep_values(BakeCommand::Shell, shell_file_fields().write(settings));
}

std::string keep_settings(const SceneSettings& settings) {
  if (settings.recording || settings.foreign) return {};
  return keep_values(BakeCommand::Scene, scene_fields().write(settings));
}

Result<KeptSettings> kept_settings(const BakedFile& file) {
  if (file.settings().empty()) {
    return bad_input("it does not contain the settings it was baked with; bake it again")
        .at(file.name());
  }
  SUPPLE_TRY(
      const settings::Value document,
      settings::parse_json(file.settings()).during(fmt::format("reading '{}'", file.name())));
  for (const BakeCommand command : kCommands) {
    if (const settings::Entry* entry = document.find(command_name(command))) {
      return KeptSettings{command, entry->value};
    }
  }
  return bad_input("its settings are of an unknown kind; use a newer version of Supple")
      .at(file.name());
}

Result<BakeSettings> load_bake_settings(const std::string& file) {
  BakeSettings settings;
  SUPPLE_TRY_VOID(load_values(BakeCommand::Bake, file, &settings));
  return settings;
}

Result<ShellFileSettings> load_shell_settings(const std::string& file) {
  ShellFileSettings settings;
  SUPPLE_TRY_VOID(load_values(BakeCommand::Shell, file, &settings));
  return settings;
}

Result<void> keep_settings_apart(const std::string& config,
                                 const std::vector<std::string>& outputs) {
  if (lower_extension(config) == ".supple") return {};
  return keep_apart({config}, outputs);
}

}  // namespace supple::bake
