// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/settings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace supple::bake {

Result<void> ExportSettings::validate() const {
  const auto wrong = [](const char* key, double value, const char* range) {
    return bad_input(fmt::format("{} is {}; it must be {}", key, value, range));
  };
  if (!(rate >= 12 && rate <= 1000)) {
    return wrong("rate", rate, "from 12 to 1000 samples per second");
  }
  if (!(tolerance >= 0 && tolerance < 1)) {
    return wrong("tolerance", tolerance, "at least 0 and below 1 (of a weight's largest value)");
  }
  if (!(gain >= 0) || !std::isfinite(gain)) {
    return wrong("gain", gain, "0 or positive; 1 is what physics says");
  }
  if (!(shell_tolerance > 0 && shell_tolerance < 1)) {
    return wrong("shell_tolerance", shell_tolerance, "above 0 and below 1 (of the shell's size)");
  }
  if (shell_targets < 1 || shell_targets > 256) {
    return wrong("shell_targets", shell_targets, "from 1 to 256");
  }
  return {};
}

ExportSettings export_settings(const ShellExportSettings& shells) {
  ExportSettings settings;
  settings.rate = shells.rate;
  settings.shell_tolerance = shells.tolerance;
  settings.shell_targets = shells.targets;
  settings.signed_weights = shells.signed_weights;
  settings.float32 = shells.float32;
  return settings;
}

Result<void> BakeSettings::validate() const {
  if (!(metres_per_unit >= 0) || !std::isfinite(metres_per_unit)) {
    return bad_input(
        fmt::format("unit is {}; it must be the positive number of metres that one unit of the "
                    "file has, or \"auto\"",
                    metres_per_unit));
  }
  SUPPLE_TRY_VOID(output.validate());
  std::set<std::string> names;
  for (const flesh::ObjectSettings& object : objects) {
    SUPPLE_TRY_VOID(object.validate());
    if (!names.insert(object.name).second) {
      return bad_input(
          fmt::format("two objects have the name '{}'; each needs its own", object.name));
    }
  }
  for (const ShellSettings& shell : shells) {
    SUPPLE_TRY_VOID(shell.validate());
    if (!names.insert(shell.object.name).second) {
      return bad_input(fmt::format("two objects or shells have the name '{}'; each needs its own",
                                   shell.object.name));
    }
  }
  return {};
}

}  // namespace supple::bake
