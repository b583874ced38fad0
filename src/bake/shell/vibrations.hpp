// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/prepared_shells.hpp"
#include "supple/core/result.hpp"
#include "supple/shell/shell_object.hpp"

#include <string>
#include <vector>

namespace supple::bake {

/// What was noticed while the scene was put together.
void gather_warnings(const PreparedShells& scene, std::vector<std::string>& warnings);

/// The vibrations of one shell; its warnings are the object's.
[[nodiscard]] Result<shell::ShellObject> shell_vibrations(const PreparedShell& shell);
void gather_warnings(const shell::ShellObject& object, std::vector<std::string>& warnings);

/// The vibrations of all shells of a scene, in their order.
[[nodiscard]] Result<std::vector<shell::ShellObject>> shell_vibrations(
    const PreparedShells& scene, std::vector<std::string>& warnings);

}  // namespace supple::bake
