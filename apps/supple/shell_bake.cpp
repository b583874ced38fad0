// SPDX-License-Identifier: Apache-2.0
#include "shell_bake.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/progress.hpp"

#include <fmt/format.h>

namespace supple::app {

void warn(std::vector<std::string>& warnings, std::string warning) {
  log::warn("{}", warning);
  warnings.push_back(std::move(warning));
}

void gather_warnings(const bake::ShellScene& scene, std::vector<std::string>& warnings) {
  for (const std::string& warning : scene.warnings) warn(warnings, warning);
  for (const bake::SceneShell& shell : scene.shells) {
    for (const std::string& warning : shell.warnings) {
      warn(warnings, fmt::format("shell '{}': {}", shell.settings.object.name, warning));
    }
  }
}

void gather_warnings(const shell::ShellObject& object, std::vector<std::string>& warnings) {
  for (const std::string& warning : object.warnings) {
    warn(warnings, fmt::format("shell '{}': {}", object.name, warning));
  }
}

Result<shell::ShellObject> bake_shell(const bake::SceneShell& shell) {
  SUPPLE_TRY_VOID(check_interrupt());
  const std::string& name = shell.settings.object.name;
  log::debug("baking '{}'", name);
  SUPPLE_TRY(const fem::DiscreteShell discrete,
             fem::DiscreteShell::create(shell.model).during(fmt::format("shell '{}'", name)));
  return shell::bake_shell(discrete, shell.settings.object);
}

Result<std::vector<shell::ShellObject>> bake_shells(const bake::ShellScene& scene,
                                                    std::vector<std::string>& warnings) {
  double triangles = 0;
  for (const bake::SceneShell& shell : scene.shells) {
    triangles += static_cast<double>(shell.model.mesh.triangles.size());
  }
  Progress progress("baking shells", triangles);
  std::vector<shell::ShellObject> objects;
  objects.reserve(scene.shells.size());
  for (const bake::SceneShell& shell : scene.shells) {
    SUPPLE_TRY(shell::ShellObject object, bake_shell(shell));
    gather_warnings(object, warnings);
    objects.push_back(std::move(object));
    progress.advance(static_cast<double>(shell.model.mesh.triangles.size()));
  }
  return objects;
}

}  // namespace supple::app
