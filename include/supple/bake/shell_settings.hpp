// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/shell_model.hpp"
#include "supple/settings/declare.hpp"
#include "supple/shell/settings.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace supple::bake {

/// A sheet of solid material.
struct SheetMaterial {
  fem::Material solid;
  double thickness = 0;  ///< metres
  double bending = 1;    ///< factor on its bending stiffness: below 1 for cloth, whose fibres slide
};
/// What a shell is made of: a sheet, or stiffnesses as in [CWK07 eq. 4].
using ShellMatter = std::variant<SheetMaterial, fem::ShellMaterial>;

struct ShellPreset {
  std::string name;
  std::string description;
  ShellMatter matter;
};
/// Typical sheets; docs/shells.md lists the sources.
[[nodiscard]] const std::vector<ShellPreset>& shell_presets();
/// An error lists the names.
[[nodiscard]] Result<ShellMatter> find_shell_preset(std::string_view name);
/// `edge_scale` as in fem::shell_material.
[[nodiscard]] fem::ShellMaterial shell_material(const ShellMatter& matter, double edge_scale);
/// Values out of range are errors that name the value.
[[nodiscard]] Result<void> validate(const ShellMatter& matter);

/// Density in kg/m^3 of "none", "air" or "water"; an error lists the names.
[[nodiscard]] Result<double> find_medium(std::string_view name);

/// A part of a shell that is stiffer, softer, thicker or thinner.
struct ShellRegion {
  std::string surface_material;    ///< triangles drawn with this material of the glTF file
  std::vector<std::string> where;  ///< triangles whose corners are all selected
  double stiffness = 1;            ///< factor on all three stiffnesses
  double thickness = 1;            ///< factor t: membrane and mass by t, bending by t^3
};

/// A vertex that a bone holds.
struct ShellHandle {
  std::string bone;
  std::string at;  ///< a selection (its middle vertex), "nearest:x,y,z" or "vertex:N"
  std::string hold = "position";
  double stiffness = 0;  ///< N/m; 0: hard
};

/// One [[shell]] of a shell.toml. Selections are in metres of the file's world space.
struct ShellSettings {
  std::string mesh;                     ///< name of a mesh, node or material; "": everything drawn
  std::string bone;                     ///< node that carries it; "": see docs/shells.md
  std::string material_name = "paper";  ///< "" or the preset that `material` came from
  ShellMatter material;
  std::vector<std::string> fix;
  std::vector<std::string> clamp;  ///< fixed together with their neighbours: a direction is held
  fem::Bending bending = fem::Bending::Plate;
  std::vector<ShellRegion> regions;
  std::vector<ShellHandle> handles;
  shell::ObjectSettings object;  ///< name, modes, damping, ...

  ShellSettings();
  [[nodiscard]] Result<void> validate() const;
};

/// How recorded motion is written.
struct ShellExportSettings {
  double rate = 60;             ///< frames per second
  double tolerance = 1e-3;      ///< largest error of a vertex, relative to the shell's size
  int targets = 32;             ///< maximum number of shapes per shell
  bool signed_weights = false;  ///< one target per shape instead of a pair
  bool float32 = false;         ///< store the .supple's shapes as floats
  [[nodiscard]] Result<void> validate() const;
};

/// A complete shell.toml.
struct ShellFileSettings {
  double metres_per_unit = 1;
  ShellExportSettings output;
  std::vector<ShellSettings> shells;  ///< empty: every mesh is a shell
  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges, defaults and descriptions of a [[shell]] and of a shell.toml.
[[nodiscard]] const settings::Fields<ShellSettings>& shell_fields();
[[nodiscard]] const settings::Fields<ShellFileSettings>& shell_file_fields();

/// Every error has a line and a column; `name` appears in messages.
[[nodiscard]] Result<ShellFileSettings> parse_shell_settings(std::string_view toml,
                                                             std::string_view name);
/// The same as text with comments; parsing it gives the same settings.
[[nodiscard]] std::string print_shell_settings(const ShellFileSettings& settings);

/// "position", "orientation", "both", or some of x y z and, after "turn", some of x y z again
/// ("xy", "turn z", "xyz turn y"): bits of format::kHandle*.
[[nodiscard]] Result<std::uint32_t> parse_hold(std::string_view text);

}  // namespace supple::bake
