// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/settings/field.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace supple::app {

/// Finds a setting by its path in the file, such as "object.modes"; it must exist.
[[nodiscard]] const settings::Field& find_setting(const settings::FieldList& list,
                                                  std::string_view path);
[[nodiscard]] std::string setting_text(const settings::FieldList& list, std::string_view path);
/// The setting's range as a check for an option.
[[nodiscard]] CLI::Validator range_check(const settings::Field& field);

/// An option that overrides a setting, with the setting's description and range.
template <class T>
CLI::Option* add_setting_option(CLI::App& command, const std::string& name, std::optional<T>& value,
                                const settings::FieldList& list, std::string_view path) {
  return command.add_option(name, value, setting_text(list, path))
      ->check(range_check(find_setting(list, path)));
}

}  // namespace supple::app
