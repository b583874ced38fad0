// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/shell_settings.hpp"
#include "supple/settings/fields.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace supple::bake::detail {

/// The ways a [[shell]] specifies its material: a preset, a sheet or stiffnesses.
[[nodiscard]] std::vector<settings::Form> shell_material_forms();

/// Keys, ranges and descriptions of a sheet of solid material.
[[nodiscard]] const settings::Fields<SheetMaterial>& sheet_fields();

/// The complaint about a shell, counted from 0, with the same name as another object or shell.
[[nodiscard]] settings::Complaint name_taken(const std::string& name, std::size_t shell);

}  // namespace supple::bake::detail
