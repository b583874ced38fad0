// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/shell_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/flesh/settings.hpp"
#include "supple/settings/declare.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace supple::bake {

/// How baked clips are written.
struct ExportSettings {
  double rate = 60;          ///< samples per second
  double tolerance = 0.001;  ///< thinning: largest error of a weight, relative to its largest value
  bool signed_weights = false;     ///< one target per mode instead of a pair
  bool float32 = false;            ///< store the .supple's shapes as floats
  double gain = 1;                 ///< factor on the motion baked into clips
  double shell_tolerance = 0.001;  ///< of recorded shells: see ShellExportSettings
  int shell_targets = 32;
  [[nodiscard]] Result<void> validate() const;
};

/// The same for a file that contains only shells.
[[nodiscard]] ExportSettings export_settings(const ShellExportSettings& shells);

/// A complete bake.toml.
struct BakeSettings {
  double metres_per_unit = 0;           ///< 0: see bake::CharacterSettings
  std::optional<std::string> skeleton;  ///< the same
  ExportSettings output;
  std::vector<flesh::ObjectSettings> objects;  ///< empty: automatic
  std::vector<ShellSettings> shells;           ///< thin parts on the same bones
  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges, defaults and descriptions of a bake.toml.
[[nodiscard]] const settings::Fields<BakeSettings>& bake_fields();

/// Every error has a line and a column; `name` appears in messages.
[[nodiscard]] Result<BakeSettings> parse_bake_settings(std::string_view toml,
                                                       std::string_view name);

/// Which keys to print: all, or only required keys and those that differ from the defaults.
enum class PrintedKeys { All, Changed };

/// The same as text with comments; parsing it gives the same settings.
[[nodiscard]] std::string print_bake_settings(const BakeSettings& settings,
                                              PrintedKeys keys = PrintedKeys::All);

}  // namespace supple::bake
