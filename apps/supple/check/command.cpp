// SPDX-License-Identifier: Apache-2.0
#include "check/command.hpp"

#include "cli/json.hpp"

#include "supple/bake/asset_file.hpp"
#include "supple/bake/node_character.hpp"
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

Result<void> check_mesh(const bake::AssetFile& file, const CheckOptions& options, Json& json) {
  SUPPLE_TRY(const io::GltfAsset asset, io::read_gltf(std::filesystem::path(options.mesh)));
  SUPPLE_TRY(
      const bake::GltfCharacter source,
      bake::moved_character(asset, file.asset()).during(fmt::format("reading '{}'", options.mesh)));
  const std::uint64_t hash = bake::mesh_hash(asset, source);
  const bool same = supple_asset_check_mesh(file.asset(), hash) == SUPPLE_OK;
  const Result<void> pair = file.file.check_pair(asset.bake_id);
  json["mesh"] = {{"file", options.mesh},
                  {"hash", fmt::format("{:016x}", hash)},
                  {"bake", asset.bake_id},
                  {"same_bake", pair.ok()},
                  {"vertices", source.character.positions.size()},
                  {"triangles", source.character.triangles.size()},
                  {"matches", same}};
  if (same) return pair;
  return bad_input(fmt::format(
      "'{}' was baked for a different mesh than '{}': {} vertices and {} triangles instead of {} "
      "and {}{}; bake it again from this file",
      options.file, options.mesh, format_count(file.info.vertex_count),
      format_count(file.info.index_count / 3), format_count(source.character.positions.size()),
      format_count(source.character.triangles.size()),
      file.info.vertex_count == source.character.positions.size() ? ", at different positions"
                                                                  : ""));
}

Result<void> check(const CheckOptions& options, Json& json, std::string& text) {
  json["intact"] = false;
  SUPPLE_TRY(const bake::AssetFile file, bake::open_asset(options.file));
  json["intact"] = true;
  json["format"] = fmt::format("{}.{}", file.info.version_major, file.info.version_minor);
  json["bytes"] = file.bytes;
  json["bake"] = file.file.id();
  json["mesh_hash"] = fmt::format("{:016x}", file.info.mesh_hash);
  text = fmt::format("{}: intact, format {}.{}, {}B, for a mesh of {} vertices and {} triangles\n",
                     options.file, file.info.version_major, file.info.version_minor,
                     format_si(static_cast<double>(file.bytes), ""),
                     format_count(file.info.vertex_count), format_count(file.info.index_count / 3));
  json["kind"] = bake::has_shells(file.asset()) ? "shells" : "flesh";
  if (options.mesh.empty()) return {};
  SUPPLE_TRY_VOID(check_mesh(file, options, json));
  text += fmt::format("matches {}\n", options.mesh);
  return {};
}

Result<void> run_check(const CheckOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  Json json{{"command", "check"}, {"version", version()}, {"file", options.file}};
  std::string text;
  Result<void> result = check(options, json, text);
  json["ok"] = result.ok();
  if (!result.ok()) json["error"] = result.error().describe();
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
