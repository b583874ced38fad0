// SPDX-License-Identifier: Apache-2.0
#include "info/command.hpp"

#include "cli/json.hpp"
#include "cli/report.hpp"
#include "info/scene.hpp"

#include "supple/bake/asset_file.hpp"
#include "supple/core/console.hpp"
#include "supple/core/log.hpp"
#include "supple/core/output.hpp"
#include "supple/core/units.hpp"
#include "supple/core/version.hpp"
#include "supple/io/gltf.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace supple::app {
namespace {

using Align = TextTable::Align;

struct InfoOptions {
  CommonOptions common;
  std::string file;
};

/// The same facts for people and for machines.
struct Description {
  std::string text;
  Json json;
};

std::string whole_percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string name_or_number(const std::string& name, std::size_t number) {
  return name.empty() ? fmt::format("#{}", number) : name;
}

Json asset_mode_json(const supple_mode_info& mode) {
  return {{"frequency_hz", mode.frequency_hz},
          {"damping", mode.damping},
          {"share", mode.share},
          {"largest_displacement_m", mode.largest_displacement},
          {"transfer", mode.transfer},
          {"centrifugal", mode.centrifugal}};
}

/// "xy turn z", as written in a shell.toml.
std::string held_components(std::uint32_t components) {
  std::string text;
  for (std::uint32_t bit = 0; bit < 6; ++bit) {
    if (bit == 3 && (components & SUPPLE_HANDLE_ORIENTATION) != 0) {
      text += text.empty() ? "turn " : " turn ";
    }
    if ((components >> bit & 1U) != 0) text += static_cast<char>('x' + bit % 3);
  }
  return text;
}

Json asset_shell_json(const bake::AssetFile& file, const supple_shell_info& shell) {
  Json json{{"points", shell.point_count},
            {"point_error", shell.point_error},
            {"size_m", shell.size_metres},
            {"follow_turn", shell.follow_turn},
            {"modelled_under_gravity", shell.modelled_under_gravity != 0},
            {"medium_density", shell.medium_density},
            {"rotation_strain", shell.has_rotation_strain != 0},
            {"attachments", Json::array()}};
  for (std::uint32_t i = 0; i < shell.attachment_count; ++i) {
    supple_attachment_info attachment{};
    supple_asset_attachment(file.asset(), shell.first_attachment + i, &attachment);
    json["attachments"].push_back({{"vertex", attachment.vertex},
                                   {"bone", attachment.bone},
                                   {"node", attachment.node},
                                   {"hold", held_components(attachment.components)},
                                   {"stiffness", attachment.stiffness}});
  }
  return json;
}

std::string shells_text(const bake::AssetFile& file) {
  TextTable shells({{"shell", Align::Left},
                    {"size", Align::Right},
                    {"force points", Align::Right},
                    {"force error", Align::Right},
                    {"follows to", Align::Right},
                    {"gravity", Align::Left},
                    {"rotation-strain", Align::Left},
                    {"held by", Align::Left}});
  bool any = false;
  for (std::uint32_t o = 0; o < file.info.object_count; ++o) {
    supple_shell_info shell{};
    if (supple_asset_shell(file.asset(), o, &shell) != SUPPLE_OK) continue;
    any = true;
    supple_object_info object{};
    supple_asset_object(file.asset(), o, &object);
    std::string held;
    for (std::uint32_t i = 0; i < shell.attachment_count; ++i) {
      supple_attachment_info attachment{};
      supple_asset_attachment(file.asset(), shell.first_attachment + i, &attachment);
      held += fmt::format("{}{} ({})", held.empty() ? "" : ", ", attachment.bone,
                          held_components(attachment.components));
    }
    shells.row({object.name, format_si(shell.size_metres, "m"),
                fmt::format("{}", shell.point_count), whole_percent(shell.point_error),
                fmt::format("{:.0f} deg", kDegreesPerRadian * shell.follow_turn),
                shell.modelled_under_gravity != 0 ? "modelled" : "whole",
                shell.has_rotation_strain != 0 ? "yes" : "no", held.empty() ? "-" : held});
  }
  return any ? "\n" + shells.str() : std::string();
}

Json describe_object(const bake::AssetFile& file, std::uint32_t index, TextTable& objects,
                     TextTable& modes) {
  supple_object_info object{};
  supple_asset_object(file.asset(), index, &object);
  supple_shell_info shell{};
  const bool is_shell = supple_asset_shell(file.asset(), index, &shell) == SUPPLE_OK;
  const bool is_scene = object.kind == SUPPLE_SCENE;
  const char* kind = is_shell ? "shell" : is_scene ? "scene" : "flesh";
  objects.row({object.name, kind, object.bone, fmt::format("{}", object.mode_count),
               fmt::format("{:.4g} kg", object.mass_kg), format_si(object.limit_metres, "m"),
               object.has_coriolis != 0 ? "yes" : "no"});
  Json json{{"name", object.name},
            {"kind", kind},
            {"bone", object.bone},
            {"node", object.node},
            {"joint", object.joint},
            {"mass_kg", object.mass_kg},
            {"limit_m", object.limit_metres},
            {"coriolis", object.has_coriolis != 0},
            {"first_coefficient", object.first_mode},
            {"modes", Json::array()}};
  if (is_shell) json["shell"] = asset_shell_json(file, shell);
  if (is_scene) json["scene"] = scene_json(file, index);
  double together = 0;
  for (std::uint32_t m = 0; m < object.mode_count; ++m) {
    supple_mode_info mode{};
    supple_asset_mode(file.asset(), object.first_mode + m, &mode);
    together += mode.share;
    // Modes of scenes do not vibrate.
    modes.row({m == 0 ? object.name : "", fmt::format("{}", m + 1),
               is_scene ? "-" : format_frequency(mode.frequency_hz),
               is_scene ? "-" : fmt::format("{:.3f}", mode.damping), whole_percent(mode.share),
               whole_percent(together)});
    json["modes"].push_back(asset_mode_json(mode));
  }
  return json;
}

Json parts_json(const bake::AssetFile& file) {
  Json parts = Json::array();
  for (std::uint32_t p = 0; p < file.info.part_count; ++p) {
    supple_part_info part{};
    supple_asset_part(file.asset(), p, &part);
    parts.push_back({{"mesh", part.mesh},
                     {"primitive", part.primitive},
                     {"first_vertex", part.first_vertex},
                     {"vertices", part.vertex_count}});
  }
  return parts;
}

/// Empty: the file has none.
Json asset_light_json(const bake::AssetFile& file) {
  supple_light_info light{};
  if (supple_asset_light(file.asset(), &light) != SUPPLE_OK) return {};
  return {{"order", light.order},
          {"sides", light.sides},
          {"rank", light.rank},
          {"dimensions", light.dimensions},
          {"shapes", light.centre_count},
          {"relative_error", light.relative_error},
          {"held_out_error", light.held_out_error}};
}

std::string asset_light_line(const bake::AssetFile& file) {
  supple_light_info light{};
  if (supple_asset_light(file.asset(), &light) != SUPPLE_OK) return {};
  std::string text =
      fmt::format("light: {} bands, {} side{}, rank {} from {} shapes", light.order, light.sides,
                  light.sides == 1 ? "" : "s", light.rank, std::max(light.centre_count, 1U));
  text += fmt::format(", error {:.2g}", light.relative_error);
  if (light.held_out_error > 0) {
    text += fmt::format(" and {:.2g} at other shapes", light.held_out_error);
  }
  return text + "\n";
}

Result<Description> describe_supple(const std::string& path) {
  SUPPLE_TRY(const bake::AssetFile file, bake::open_asset(path));
  const supple_asset_info& info = file.info;
  Description result;
  result.json = {{"kind", "supple"},
                 {"format", fmt::format("{}.{}", info.version_major, info.version_minor)},
                 {"generator", info.generator},
                 {"bytes", file.bytes},
                 {"vertices", info.vertex_count},
                 {"triangles", info.index_count / 3},
                 {"metres_per_unit", info.metres_per_unit},
                 {"encoding_bits", info.encoding_bits},
                 {"mesh_hash", fmt::format("{:016x}", info.mesh_hash)},
                 {"coefficients", info.mode_count},
                 {"parts", parts_json(file)},
                 {"objects", Json::array()}};
  TextTable objects({{"object", Align::Left},
                     {"kind", Align::Left},
                     {"bone", Align::Left},
                     {"modes", Align::Right},
                     {"mass", Align::Right},
                     {"limit", Align::Right},
                     {"coriolis", Align::Right}});
  TextTable modes({{"object", Align::Left},
                   {"mode", Align::Right},
                   {"frequency", Align::Right},
                   {"damping", Align::Right},
                   {"share", Align::Right},
                   {"together", Align::Right}});
  for (std::uint32_t i = 0; i < info.object_count; ++i) {
    result.json["objects"].push_back(describe_object(file, i, objects, modes));
  }
  if (const Json light = asset_light_json(file); !light.is_null()) result.json["light"] = light;
  result.text = fmt::format(
      "{}: {}B, format {}.{} by {}\nmesh: {} vertices, {} triangles in {} parts, hash {:016x}, {} "
      "m per unit\n{} modes of {} objects, {} bits per number\n{}\n{}{}\n{}",
      path, format_si(static_cast<double>(file.bytes), ""), info.version_major, info.version_minor,
      info.generator, format_count(info.vertex_count), format_count(info.index_count / 3),
      info.part_count, info.mesh_hash, info.metres_per_unit, info.mode_count, info.object_count,
      info.encoding_bits, asset_light_line(file), objects.str(),
      shells_text(file) + scenes_text(file), modes.str());
  return result;
}

void describe_meshes(const io::GltfAsset& asset, Description& result) {
  TextTable table({{"mesh", Align::Left},
                   {"primitives", Align::Right},
                   {"vertices", Align::Right},
                   {"triangles", Align::Right},
                   {"weights", Align::Right},
                   {"morph targets", Align::Right}});
  for (std::size_t m = 0; m < asset.meshes.size(); ++m) {
    const io::GltfMesh& mesh = asset.meshes[m];
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    std::size_t influences = 0;
    for (const io::GltfPrimitive& primitive : mesh.primitives) {
      vertices += primitive.positions.size();
      triangles += primitive.triangles.size();
      influences = std::max(influences, primitive.influences);
    }
    table.row({name_or_number(mesh.name, m), fmt::format("{}", mesh.primitives.size()),
               format_count(vertices), format_count(triangles), fmt::format("{}", influences),
               fmt::format("{}", mesh.target_names.size())});
    result.json["meshes"].push_back({{"name", mesh.name},
                                     {"primitives", mesh.primitives.size()},
                                     {"vertices", vertices},
                                     {"triangles", triangles},
                                     {"influences", influences},
                                     {"morph_targets", mesh.target_names}});
  }
  result.text += table.str();
}

void describe_skins(const io::GltfAsset& asset, Description& result) {
  for (std::size_t s = 0; s < asset.skins.size(); ++s) {
    std::vector<std::string> bones;
    for (const std::size_t joint : asset.skins[s].joints) bones.push_back(asset.nodes[joint].name);
    result.text +=
        fmt::format("\nskin {}: {} bones\n  {}\n", name_or_number(asset.skins[s].name, s),
                    bones.size(), fmt::join(bones, ", "));
    result.json["skins"].push_back({{"name", asset.skins[s].name}, {"bones", bones}});
  }
}

void describe_clips(const io::GltfAsset& asset, Description& result) {
  if (asset.animations.empty()) return;
  TextTable table({{"clip", Align::Left}, {"seconds", Align::Right}, {"channels", Align::Right}});
  for (std::size_t a = 0; a < asset.animations.size(); ++a) {
    const io::GltfAnimation& clip = asset.animations[a];
    table.row({name_or_number(clip.name, a), fmt::format("{:.3f}", clip.duration),
               fmt::format("{}", clip.channels.size())});
    result.json["clips"].push_back(
        {{"name", clip.name}, {"seconds", clip.duration}, {"channels", clip.channels.size()}});
  }
  result.text += "\n" + table.str();
}

Result<Description> describe_gltf(const std::string& path) {
  SUPPLE_TRY(const io::GltfAsset asset, io::read_gltf(std::filesystem::path(path)));
  for (const std::string& warning : asset.warnings) log::warn("{}", warning);
  Description result;
  result.json = {
      {"kind", "gltf"},          {"nodes", asset.nodes.size()}, {"materials", asset.materials},
      {"meshes", Json::array()}, {"skins", Json::array()},      {"clips", Json::array()}};
  result.text = fmt::format("{}: {} nodes, {} materials\n\n", path, asset.nodes.size(),
                            asset.materials.size());
  describe_meshes(asset, result);
  describe_skins(asset, result);
  describe_clips(asset, result);
  return result;
}

Result<Description> describe_asset(const std::string& path) {
  const std::string ending = lower_extension(path);
  if (ending == ".supple") return describe_supple(path);
  if (ending == ".glb" || ending == ".gltf") return describe_gltf(path);
  return bad_input(fmt::format("the name '{}' does not end in .supple, .glb or .gltf", path));
}

Result<void> run_info(const InfoOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  SUPPLE_TRY(const Description description, describe_asset(options.file));
  if (!options.common.json) {
    if (!options.common.quiet) tell(description.text);
    return {};
  }
  Json json{{"command", "info"}, {"version", version()}, {"file", options.file}};
  json.update(description.json);
  json["warnings"] = warnings_json();
  return print_machine_text(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

Command make_info_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("info", "show what a .supple or glTF file contains");
  auto options = std::make_shared<InfoOptions>();
  parser->add_option("FILE", options->file, "a .supple, .glb or .gltf file")->required();
  add_common_options(*parser, options->common);
  return {parser, [options] { return run_info(*options); }};
}

}  // namespace supple::app
