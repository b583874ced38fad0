// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/prepared_shells.hpp"
#include "supple/core/result.hpp"
#include "supple/shell/shell_object.hpp"

#include <string>
#include <vector>

namespace supple::bake {

/// Logs the warnings from preparing the shells.
void gather_warnings(const PreparedShells& scene, std::vector<std::string>& warnings);

/// The modes of one shell; its warnings are those of the object.
[[nodiscard]] Result<shell::ShellObject> shell_vibrations(const PreparedShell& shell);
void gather_warnings(const shell::ShellObject& object, std::vector<std::string>& warnings);

/// The modes of all shells, in their order.
[[nodiscard]] Result<std::vector<shell::ShellObject>> shell_vibrations(
    const PreparedShells& scene, std::vector<std::string>& warnings);

}  // namespace supple::bake
