// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/shell_settings.hpp"

#include "bake/shell_tables.hpp"
#include "bake/toml_table.hpp"

#include <fmt/format.h>

#include <set>

namespace supple::bake {
namespace {

void read_sheet(TomlTable& table, ShellMatter& matter) {
  SheetMaterial sheet{{"custom", 0, 0, 0}, 0, 1};
  table.text("name", sheet.solid.name);
  for (const char* needed : {"youngs_modulus", "poisson_ratio", "density", "thickness"}) {
    table.require(needed);
  }
  table.number("youngs_modulus", sheet.solid.youngs_modulus);
  table.number("poisson_ratio", sheet.solid.poisson_ratio);
  table.number("density", sheet.solid.density);
  table.number("thickness", sheet.thickness);
  table.number("bending", sheet.bending);
  matter = std::move(sheet);
}

void read_stiffnesses(TomlTable& table, ShellMatter& matter) {
  fem::ShellMaterial direct;
  direct.name = "custom";
  table.text("name", direct.name);
  table.require("area_density");
  table.number("area_stiffness", direct.area_stiffness);
  table.number("length_stiffness", direct.length_stiffness);
  table.number("bending_stiffness", direct.bending_stiffness);
  table.number("area_density", direct.area_density);
  matter = std::move(direct);
}

/// A preset, {youngs_modulus, ..} or {area_stiffness, ..}.
void read_material(TomlTable& owner, ShellSettings& shell) {
  if (auto name = owner.take_if_string("material")) {
    auto found = find_shell_preset(*name);
    if (!found.ok()) return owner.fail_at("material", std::move(found).error());
    shell.material = *std::move(found);
    shell.material_name = *std::move(name);
    return;
  }
  if (!owner.has("material")) return;
  shell.material_name.clear();
  owner.table("material",
              "a preset such as \"paper\", {youngs_modulus = .., poisson_ratio = .., density = .., "
              "thickness = ..} or {area_stiffness = .., length_stiffness = .., bending_stiffness = "
              ".., area_density = ..}",
              [&](TomlTable& table) {
                const bool direct = table.has("area_stiffness") || table.has("length_stiffness") ||
                                    table.has("bending_stiffness") || table.has("area_density");
                if (direct && (table.has("youngs_modulus") || table.has("thickness"))) {
                  return owner.fail_at(
                      "material", bad_input("youngs_modulus with thickness and area_stiffness, "
                                            "length_stiffness, bending_stiffness exclude each "
                                            "other; keep one kind"));
                }
                if (direct) {
                  read_stiffnesses(table, shell.material);
                } else {
                  read_sheet(table, shell.material);
                }
              });
  if (!owner.good()) return;
  if (auto valid = validate(shell.material); !valid.ok()) {
    owner.fail_at("material", std::move(valid).error());
  }
}

void read_damping(TomlTable& owner, shell::Damping& damping) {
  owner.table("damping", "{ratio = ..} or {mass = .., stiffness = ..}", [&](TomlTable& table) {
    const bool rayleigh = table.has("mass") || table.has("stiffness");
    if (rayleigh && table.has("ratio")) {
      return owner.fail_at("damping",
                           bad_input("ratio and mass with stiffness exclude each other; keep one"));
    }
    if (rayleigh) {
      shell::RayleighDamping read;
      table.number("mass", read.mass);
      table.number("stiffness", read.stiffness);
      damping = read;
    } else {
      shell::DampingRatio read;
      table.require("ratio");
      table.number("ratio", read.ratio);
      damping = read;
    }
    table.known({"ratio", "mass", "stiffness"});
  });
}

/// A name, or {density = .., chord = ..}.
void read_medium(TomlTable& owner, shell::Medium& medium) {
  if (auto name = owner.take_if_string("medium")) {
    auto found = find_medium(*name);
    if (!found.ok()) return owner.fail_at("medium", std::move(found).error());
    medium.density = *found;
    return;
  }
  owner.table("medium", "\"none\", \"air\", \"water\" or {density = .., chord = ..}",
              [&](TomlTable& table) {
                table.require("density");
                table.number("density", medium.density);
                if (double chord = 0; table.number("chord", chord)) medium.chord = chord;
              });
}

void read_gravity(TomlTable& table, bool& modelled) {
  std::string gravity = modelled ? "modelled" : "whole";
  if (!table.text("gravity", gravity)) return;
  modelled = gravity == "modelled";
  if (modelled || gravity == "whole") return;
  table.fail_at("gravity", bad_input(fmt::format("gravity is \"{}\"; it must be \"whole\" (the "
                                                 "rest shape is without weight) or \"modelled\" "
                                                 "(it sags already)",
                                                 gravity)));
}

void read_regions(TomlTable& owner, std::vector<ShellRegion>& regions) {
  owner.tables("region", [&](TomlTable& table) {
    ShellRegion region;
    table.text("surface_material", region.surface_material);
    table.texts("where", region.where);
    table.number("stiffness", region.stiffness);
    table.number("thickness", region.thickness);
    regions.push_back(std::move(region));
  });
}

void read_handles(TomlTable& owner, std::vector<ShellHandle>& handles) {
  owner.tables("handle", [&](TomlTable& table) {
    ShellHandle handle;
    table.require("bone");
    table.text("bone", handle.bone);
    table.text("at", handle.at);
    if (table.has("at") && table.has("vertex")) {
      table.fail_at("vertex", bad_input("at and vertex exclude each other; keep one"));
    }
    if (std::size_t number = 0; table.integer("vertex", number)) {
      handle.at = fmt::format("vertex:{}", number);
    }
    table.text("hold", handle.hold);
    table.number("stiffness", handle.stiffness);
    if (auto held = parse_hold(handle.hold); !held.ok()) {
      table.fail_at("hold", std::move(held).error());
    }
    handles.push_back(std::move(handle));
  });
}

ShellSettings read_shell(TomlTable& table) {
  ShellSettings shell;
  table.text("mesh", shell.mesh);
  table.text("bone", shell.bone);
  shell.object.name = shell.mesh.empty() ? "shell" : shell.mesh;
  table.text("name", shell.object.name);
  read_material(table, shell);
  table.texts("fix", shell.fix);
  table.texts("clamp", shell.clamp);
  shell.object.fewer_modes = !table.integer("modes", shell.object.modes);
  read_damping(table, shell.object.damping);
  table.number("tether", shell.object.tether);
  read_medium(table, shell.object.medium);
  read_gravity(table, shell.object.modelled_under_gravity);
  table.number("sag", shell.object.sag);
  table.integer("points", shell.object.points);
  table.boolean("rotation_strain", shell.object.rotation_strain);
  table.number("limit", shell.object.limit);
  read_regions(table, shell.regions);
  read_handles(table, shell.handles);
  return shell;
}

/// The key that is wrong all by itself; "" if only several together are.
std::string culprit(const TomlTable& table, const ShellSettings& shell, const Error& error) {
  for (const std::string& key : table.keys()) {
    ShellSettings alone = table.alone(key, read_shell);
    alone.object.name = shell.object.name;
    const auto valid = alone.validate();
    if (!valid.ok() && valid.error().describe() == error.describe()) return key;
  }
  return {};
}

void read_export(TomlTable& root, ShellExportSettings& output) {
  root.table("export", "a table: [export]", [&](TomlTable& table) {
    const auto checked = [&](std::string_view key) {
      if (auto valid = output.validate(); table.good() && !valid.ok()) {
        table.fail_at(key, std::move(valid).error());
      }
    };
    if (table.number("rate", output.rate)) checked("rate");
    if (table.number("tolerance", output.tolerance)) checked("tolerance");
    if (table.integer("targets", output.targets)) checked("targets");
    table.boolean("signed", output.signed_weights);
    table.boolean("float32", output.float32);
  });
}

}  // namespace

void detail::read_shells(TomlTable& root, std::vector<ShellSettings>& shells,
                         std::set<std::string>& names) {
  root.tables("shell", [&](TomlTable& table) {
    shells.push_back(read_shell(table));
    if (!table.good()) return;
    const ShellSettings& shell = shells.back();
    if (auto valid = shell.validate(); !valid.ok()) {
      table.fail_at(culprit(table, shell, valid.error()), valid.error());
    } else if (!names.insert(shell.object.name).second) {
      table.fail_at("name", bad_input(fmt::format("the name '{}' is taken already; each object and "
                                                  "shell needs its own",
                                                  shell.object.name)));
    }
  });
}

Result<ShellFileSettings> parse_shell_settings(std::string_view toml, std::string_view name) {
  ShellFileSettings settings;
  SUPPLE_TRY_VOID(read_toml(toml, name, [&](TomlTable& root) {
    if (root.number("unit", settings.metres_per_unit) && !(settings.metres_per_unit > 0)) {
      root.fail_at("unit", bad_input(fmt::format("unit is {}; it must be positive: metres per unit "
                                                 "of the file, 0.01 for centimetres",
                                                 settings.metres_per_unit)));
    }
    read_export(root, settings.output);
    std::set<std::string> names;
    detail::read_shells(root, settings.shells, names);
  }));
  SUPPLE_TRY_VOID(settings.validate());
  return settings;
}

}  // namespace supple::bake
