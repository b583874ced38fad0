// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/toml_table.hpp"

#include "supple/bake/shell_settings.hpp"

#include <set>
#include <string>
#include <vector>

/// [[shell]] tables: a shell.toml and a bake.toml have the same.
namespace supple::bake::detail {

/// `names` are those taken already; the shells' are added.
void read_shells(TomlTable& root, std::vector<ShellSettings>& shells, std::set<std::string>& names);
[[nodiscard]] std::string shell_text(const ShellSettings& shell);

}  // namespace supple::bake::detail
