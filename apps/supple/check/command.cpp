// SPDX-License-Identifier: Apache-2.0
#include "check/command.hpp"

#include "cli/json.hpp"
#include "cli/report.hpp"

#include "supple/bake/asset_file.hpp"
#include "supple/bake/mesh_fit.hpp"
#include "supple/bake/node_character.hpp"
#include "supple/bake/scene_check.hpp"
#include "supple/core/console.hpp"
#include "supple/core/log.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace supple::app {
namespace {

struct CheckOptions {
  CommonOptions common;
  std::string file;
  std::string mesh;
};

Result<std::string> check_mesh(bake::AssetFile& file, const CheckOptions& options, Json& json) {
  SUPPLE_TRY(const io::GltfAsset asset, io::read_gltf(std::filesystem::path(options.mesh)));
  for (const std::string& warning : asset.warnings) log::warn("{}: {}", asset.name, warning);
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  for (const io::GltfMesh& mesh : asset.meshes) {
    for (const io::GltfPrimitive& primitive : mesh.primitives) {
      vertices += primitive.positions.size();
      triangles += primitive.triangles.size();
    }
  }
  json["mesh"] = {
      {"file", options.mesh}, {"vertices", vertices}, {"triangles", triangles}, {"matches", false}};
  const Result<void> pair = file.file.check_pair(asset.bake_id);  // before it is fitted
  Result<bake::FittedMesh> fitted = bake::fit_to_mesh(file.file, asset);
  if (!fitted.ok()) {
    return Result<std::string>(std::move(fitted).error())
        .during(fmt::format("checking it against '{}', which has {} vertices and {} triangles "
                            "instead of {} and {}",
                            options.mesh, format_count(vertices), format_count(triangles),
                            format_count(file.info.vertex_count),
                            format_count(file.info.index_count / 3)));
  }
  json["mesh"]["vertices"] = fitted->source.character.positions.size();
  json["mesh"]["triangles"] = fitted->source.character.triangles.size();
  json["mesh"]["hash"] = fmt::format("{:016x}", bake::mesh_hash(fitted->source));
  json["mesh"]["matches"] = true;
  json["mesh"]["bake"] = asset.bake_id;
  json["mesh"]["same_bake"] = pair.ok();
  json["mesh"]["matched"] = fitted->note.empty() ? "exactly" : fitted->note;
  SUPPLE_TRY_VOID(pair);
  return fitted->note;
}

/// The sections of scenes, beyond what the player checks.
Result<void> check_scenes(const bake::AssetFile& file, Json& json, std::string& text) {
  for (std::uint32_t o = 0; o < file.info.object_count; ++o) {
    const auto scene = file.file.scene(o);
    if (!scene) continue;
    supple_object_info object{};
    (void)supple_asset_object(file.asset(), o, &object);
    SUPPLE_TRY(const bake::SceneCheck found, bake::check_scene(object.name, *scene));
    json["scenes"].push_back({{"name", object.name},
                              {"responses", found.responses},
                              {"reachable", found.reachable},
                              {"resting", found.resting}});
    text += fmt::format(
        "scene '{}': the rules hold in all {} states; {} of {} responses can be reached, and play "
        "comes to rest after {} of them\n",
        object.name, format_count(static_cast<std::size_t>(scene->q.cols())), found.reachable,
        found.responses, found.resting);
  }
  return {};
}

const char* kind_of(const supple_asset* asset) {
  if (bake::has_scene(asset)) return "scene";
  return bake::has_shells(asset) ? "shells" : "flesh";
}

Result<void> check(const CheckOptions& options, Json& json, std::string& text) {
  json["intact"] = false;
  SUPPLE_TRY(bake::AssetFile file, bake::open_asset(options.file));
  json["intact"] = true;
  json["format"] = fmt::format("{}.{}", file.info.version_major, file.info.version_minor);
  json["bytes"] = file.bytes;
  json["bake"] = file.file.id();
  json["mesh_hash"] = fmt::format("{:016x}", file.info.mesh_hash);
  text = fmt::format("{}: intact, format {}.{}, {}B, for a mesh of {} vertices and {} triangles\n",
                     options.file, file.info.version_major, file.info.version_minor,
                     format_si(static_cast<double>(file.bytes), ""),
                     format_count(file.info.vertex_count), format_count(file.info.index_count / 3));
  json["kind"] = kind_of(file.asset());
  SUPPLE_TRY_VOID(check_scenes(file, json, text));
  if (options.mesh.empty()) return {};
  SUPPLE_TRY(const std::string note, check_mesh(file, options, json));
  text += fmt::format("matches {}{}\n", options.mesh, note.empty() ? "" : ": " + note);
  return {};
}

Result<void> run_check(const CheckOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  Json json{{"command", "check"}, {"version", version()}, {"file", options.file}};
  std::string text;
  Result<void> result = check(options, json, text);
  json["ok"] = result.ok();
  if (!result.ok()) json["error"] = result.error().describe();
  json["warnings"] = warnings_json();
  if (options.common.json) {
    SUPPLE_TRY_VOID(
        print_machine_text(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
  } else if (!options.common.quiet) {
    tell(text);
  }
  return result;
}

}  // namespace

Command make_check_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("check", "check that a .supple file is intact and belongs to a mesh");
  auto options = std::make_shared<CheckOptions>();
  parser->add_option("FILE", options->file, "a .supple file")->required();
  parser->add_option("--mesh", options->mesh, "the character (.glb .gltf) it must belong to")
      ->type_name("FILE");
  add_common_options(*parser, options->common);
  parser->footer("Exit status 0 if the check passes, 3 if not.\n");
  return {parser, [options] { return run_check(*options); }};
}

}  // namespace supple::app
