// SPDX-License-Identifier: Apache-2.0
#include "bake/shell/vibrations.hpp"

#include "bake/warnings.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/progress.hpp"

#include <fmt/format.h>

namespace supple::bake {

void gather_warnings(const PreparedShells& scene, std::vector<std::string>& warnings) {
  for (const std::string& warning : scene.warnings) warn(warnings, warning);
  for (const PreparedShell& shell : scene.shells) {
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

Result<shell::ShellObject> shell_vibrations(const PreparedShell& shell) {
  SUPPLE_TRY_VOID(check_interrupt());
  const std::string& name = shell.settings.object.name;
  log::debug("baking '{}'", name);
  SUPPLE_TRY(const fem::DiscreteShell discrete,
             fem::DiscreteShell::create(shell.model).during(fmt::format("shell '{}'", name)));
  return shell::bake_shell(discrete, shell.settings.object);
}

Result<std::vector<shell::ShellObject>> shell_vibrations(const PreparedShells& scene,
                                                         std::vector<std::string>& warnings) {
  double triangles = 0;
  for (const PreparedShell& shell : scene.shells) {
    triangles += static_cast<double>(shell.model.mesh.triangles.size());
  }
  Progress progress("baking shells", triangles);
  std::vector<shell::ShellObject> objects;
  objects.reserve(scene.shells.size());
  for (const PreparedShell& shell : scene.shells) {
    SUPPLE_TRY(shell::ShellObject object, shell_vibrations(shell));
    gather_warnings(object, warnings);
    objects.push_back(std::move(object));
    progress.advance(static_cast<double>(shell.model.mesh.triangles.size()));
  }
  return objects;
}

}  // namespace supple::bake
