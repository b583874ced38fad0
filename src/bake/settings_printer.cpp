// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/settings.hpp"

#include "bake/shell_tables.hpp"
#include "bake/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::bake {
namespace {

using detail::line;
using detail::quoted_list;
using detail::toml_quoted;
using flesh::ObjectSettings;

std::string material_text(const fem::Material& material) {
  for (const fem::Material& preset : flesh::tissue_presets()) {
    if (preset.name == material.name && preset.youngs_modulus == material.youngs_modulus &&
        preset.poisson_ratio == material.poisson_ratio && preset.density == material.density) {
      return toml_quoted(preset.name);
    }
  }
  return fmt::format("{{name = {}, E = {}, nu = {}, rho = {}}}", toml_quoted(material.name),
                     material.youngs_modulus, material.poisson_ratio, material.density);
}

std::string layers_text(const std::vector<flesh::Layer>& layers) {
  if (layers.size() == 1 && layers.front().depth == 0) {
    return line("material", material_text(layers.front().material),
                "a preset or {E = Pa, nu = .., rho = kg/m^3}; or layers = [..]");
  }
  std::string text = "layers = [  # from the surface inwards, each until `depth` metres\n";
  for (const flesh::Layer& layer : layers) {
    text += fmt::format("  {{material = {}", material_text(layer.material));
    if (layer.depth > 0) text += fmt::format(", depth = {}", layer.depth);
    text += "},\n";
  }
  return text + "]\n";
}

std::string damping_text(const flesh::Damping& damping) {
  std::string value;
  if (const auto* ratio = std::get_if<flesh::DampingRatio>(&damping)) {
    value = fmt::format("{{ratio = {}}}", ratio->xi);
  } else if (const auto* rayleigh = std::get_if<flesh::RayleighDamping>(&damping)) {
    value = fmt::format("{{alpha = {}, beta = {}}}", rayleigh->alpha, rayleigh->beta);
  } else if (const auto* settles = std::get_if<flesh::SettlesIn>(&damping)) {
    value = fmt::format("{{settle = {}}}", settles->seconds);
  }
  return line("damping", value, "{settle = s}, {ratio = xi} or {alpha = 1/s, beta = s}");
}

std::string core_text(const flesh::BoneCore& core) {
  std::string value = "false";
  if (core.enabled) {
    value = core.radius > 0 ? fmt::format("{{radius = {}}}", core.radius)
                            : fmt::format("{{fraction = {}}}", core.fraction);
  }
  return line("core", value, "bone inside: {radius = m}, {fraction = of bone to skin} or false");
}

std::string region_text(const ObjectSettings& object) {
  std::string text;
  const flesh::RegionSettings& region = object.region;
  if (region.bones.size() == 1) {
    text +=
        line("bone", toml_quoted(region.bones.front()), "skin that follows it; or bones = [..]");
  } else if (!region.bones.empty()) {
    text += line("bones", quoted_list(region.bones), "skin that follows any of them");
  }
  if (!region.material.empty()) {
    text += line("surface_material", toml_quoted(region.material), "only skin drawn with it");
  }
  if (!region.mask.empty()) {
    text += line("mask", toml_quoted(region.mask), "attribute _NAME or COLOR_0.r: 0 out .. 1 in");
  }
  if (!object.driver.empty()) {
    text += line("driver", toml_quoted(object.driver), "bone whose motion shakes it");
  }
  return text;
}

using Lines = std::vector<std::string>;

/// Without the lines that a default has too.
std::string joined(const Lines& lines, const Lines& defaults, PrintedKeys keys) {
  std::string text;
  for (const std::string& entry : lines) {
    const bool same = std::find(defaults.begin(), defaults.end(), entry) != defaults.end();
    if (keys == PrintedKeys::All || !same) text += entry;
  }
  return text;
}

Lines object_lines(const ObjectSettings& object) {
  return {
      line("name", toml_quoted(object.name), "of this piece of flesh"),
      region_text(object),
      layers_text(object.layers),
      damping_text(object.damping),
      core_text(object.core),
      line("border", object.border, "skin with less weight than this does not move"),
      line("ramp", object.ramp, "weight from which the flesh is as soft as its material"),
      line("elements", fmt::format("{}", object.elements), "about how many tetrahedra"),
      line("modes", fmt::format("{}", object.modes),
           "so many are kept: those that answer the bone most"),
      line("capture", object.capture, "> 0: as many as capture this share instead"),
      line("max_modes", fmt::format("{}", object.max_modes), "at most so many of `capture`"),
      line("coriolis", object.coriolis, "keep the Coriolis term (costs modes^2 per frame)"),
      line("sag", object.sag,
           "stiffen until 1 g moves it by this part of its thickness; 0: do not"),
      line("limit", object.limit, "metres of the soft clamp; 0: a third of the thickness"),
  };
}

Lines output_lines(const ExportSettings& output) {
  return {
      line("rate", output.rate, "samples per second of baked clips"),
      line("tolerance", output.tolerance, "error of thinned keys, of a weight's largest value"),
      line("signed", output.signed_weights, "one target per mode instead of a pair"),
      line("float32", output.float32, "shapes of the .supple as floats, not 16-bit numbers"),
      line("gain", output.gain, "of what is baked into clips; 1: as physics says"),
      line("shell_tolerance", output.shell_tolerance,
           "error of a recorded shell's vertex, of the shell's size"),
      line("shell_targets", fmt::format("{}", output.shell_targets),
           "at most so many shapes per recorded shell"),
  };
}

}  // namespace

std::string print_bake_settings(const BakeSettings& settings, PrintedKeys keys) {
  std::string text;
  if (settings.metres_per_unit > 0) {
    text = line("unit", settings.metres_per_unit, "metres per unit of the file");
  } else if (keys == PrintedKeys::All) {
    text = line("unit", std::string_view("\"auto\""), "metres per unit of the file, such as 0.01");
  }
  const std::string output =
      joined(output_lines(settings.output), output_lines(ExportSettings()), keys);
  if (!output.empty()) text += "\n[output]\n" + output;
  const Lines defaults = object_lines(ObjectSettings());
  for (const ObjectSettings& object : settings.objects) {
    text += "\n[[object]]\n" + joined(object_lines(object), defaults, keys);
  }
  for (const ShellSettings& shell : settings.shells) text += detail::shell_text(shell);
  return text;
}

}  // namespace supple::bake
