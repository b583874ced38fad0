// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/shell_settings.hpp"

#include "bake/shell_tables.hpp"
#include "bake/toml_text.hpp"

#include <fmt/format.h>

namespace supple::bake {
namespace {

using detail::line;
using detail::quoted_list;
using detail::toml_quoted;

std::string material_text(const ShellSettings& shell) {
  if (!shell.material_name.empty()) {
    return line(
        "material", toml_quoted(shell.material_name),
        "a preset, {youngs_modulus = Pa, poisson_ratio, density = kg/m^3, thickness = m} or "
        "stiffnesses");
  }
  if (const auto* sheet = std::get_if<SheetMaterial>(&shell.material)) {
    return fmt::format(
        "material = {{name = {}, youngs_modulus = {}, poisson_ratio = {}, density = {}, thickness "
        "= {}, bending = {}}}\n",
        toml_quoted(sheet->solid.name), sheet->solid.youngs_modulus, sheet->solid.poisson_ratio,
        sheet->solid.density, sheet->thickness, sheet->bending);
  }
  const auto& direct = std::get<fem::ShellMaterial>(shell.material);
  return fmt::format(
      "material = {{name = {}, area_stiffness = {}, length_stiffness = {}, bending_stiffness = {}, "
      "area_density = {}}}\n",
      toml_quoted(direct.name), direct.area_stiffness, direct.length_stiffness,
      direct.bending_stiffness, direct.area_density);
}

std::string damping_text(const shell::Damping& damping) {
  std::string value;
  if (const auto* ratio = std::get_if<shell::DampingRatio>(&damping)) {
    value = fmt::format("{{ratio = {}}}", ratio->ratio);
  } else {
    const auto& rayleigh = std::get<shell::RayleighDamping>(damping);
    value = fmt::format("{{mass = {}, stiffness = {}}}", rayleigh.mass, rayleigh.stiffness);
  }
  return line("damping", value, "{ratio = xi} or {mass = 1/s, stiffness = s} (Rayleigh)");
}

std::string medium_text(const shell::Medium& medium) {
  std::string value = toml_quoted("none");
  if (medium.density > 0) {
    value = medium.chord
                ? fmt::format("{{density = {}, chord = {}}}", medium.density, *medium.chord)
                : fmt::format("{{density = {}}}", medium.density);
  }
  return line("medium", value, "\"none\", \"air\", \"water\" or {density = kg/m^3, chord = m}");
}

std::string region_text(const ShellRegion& region) {
  std::string text = "\n[[shell.region]]\n";
  if (!region.surface_material.empty()) {
    text += line("surface_material", toml_quoted(region.surface_material), "of the glTF file");
  }
  if (!region.where.empty()) {
    text += line("where", quoted_list(region.where), "triangles with all corners in it");
  }
  text += line("stiffness", region.stiffness, "factor");
  return text + line("thickness", region.thickness, "factor: membrane by t, bending by t^3");
}

std::string handle_text(const ShellHandle& handle) {
  return "\n[[shell.handle]]\n" + line("bone", toml_quoted(handle.bone), "node that moves it") +
         line("at", toml_quoted(handle.at),
              "\"nearest:x,y,z\", \"vertex:N\" or a selection's middle") +
         line("hold", toml_quoted(handle.hold),
              "\"position\", \"orientation\", \"both\", \"xy\", \"turn z\", ..") +
         line("stiffness", handle.stiffness, "N/m; 0: hard");
}

}  // namespace

std::string detail::shell_text(const ShellSettings& shell) {
  const shell::ObjectSettings& object = shell.object;
  std::string text = "\n[[shell]]\n";
  text += line("name", toml_quoted(object.name), "of this shell");
  text += line("mesh", toml_quoted(shell.mesh), "a mesh, node or material of the file; \"\": all");
  text += line("bone", toml_quoted(shell.bone), "node that carries it; \"\": see docs/shells.md");
  text += material_text(shell);
  text += line("fix", quoted_list(shell.fix),
               "\"sphere:x,y,z,r\", \"x<0.1\", \"vertices:1,2\", \"colour:COLOR_0.r>0.5\", "
               "\"set:NAME\"; metres of the world");
  text += line("clamp", quoted_list(shell.clamp),
               "selections too: fixed with their neighbours, so that a border cannot swing");
  // A number that nobody asked for stays a proposal, which gives way to what a shell has.
  text += object.fewer_modes ? "# " : "";
  text += line("modes", fmt::format("{}", object.modes), "the lowest so many vibrations");
  text += damping_text(object.damping);
  text += line("tether", object.tether, "Hz: > 0 lets a free shell swing about its node");
  text += medium_text(object.medium);
  text += line("gravity", toml_quoted(object.modelled_under_gravity ? "modelled" : "whole"),
               "\"modelled\": the rest shape sags already");
  text += line("sag", object.sag,
               "stiffen until 1 g turns it by this part of what its modes follow; 0: do not");
  text += line("points", fmt::format("{}", object.points), "where forces are sampled; 0: chosen");
  text += line("rotation_strain", object.rotation_strain, "keep the solve that saves areas");
  text += line("limit", object.limit, "metres of the soft clamp; 0: none");
  for (const ShellRegion& region : shell.regions) text += region_text(region);
  for (const ShellHandle& handle : shell.handles) text += handle_text(handle);
  return text;
}

std::string print_shell_settings(const ShellFileSettings& settings) {
  const ShellExportSettings& output = settings.output;
  std::string text = line("unit", settings.metres_per_unit, "metres per unit of the file");
  text += "\n[export]\n" + line("rate", output.rate, "frames per second of recorded motion") +
          line("tolerance", output.tolerance, "largest error of a vertex, of the shell's size") +
          line("targets", fmt::format("{}", output.targets), "at most so many shapes per shell") +
          line("signed", output.signed_weights, "one target per shape instead of a pair") +
          line("float32", output.float32, "shapes of the .supple as floats, not 16-bit numbers");
  for (const ShellSettings& shell : settings.shells) text += detail::shell_text(shell);
  return text;
}

}  // namespace supple::bake
