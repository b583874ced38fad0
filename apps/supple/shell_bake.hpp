// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/shell_scene.hpp"
#include "supple/core/result.hpp"
#include "supple/shell/shell_object.hpp"

#include <string>
#include <vector>

namespace supple::app {

/// Logs a warning and keeps it for the report.
void warn(std::vector<std::string>& warnings, std::string warning);

/// What was noticed while the scene was put together.
void gather_warnings(const bake::ShellScene& scene, std::vector<std::string>& warnings);

/// The vibrations of one shell; its warnings are the object's.
[[nodiscard]] Result<shell::ShellObject> bake_shell(const bake::SceneShell& shell);
void gather_warnings(const shell::ShellObject& object, std::vector<std::string>& warnings);

/// The vibrations of all shells of a scene, in their order.
[[nodiscard]] Result<std::vector<shell::ShellObject>> bake_shells(
    const bake::ShellScene& scene, std::vector<std::string>& warnings);

}  // namespace supple::app
