// SPDX-License-Identifier: Apache-2.0
// Writes the seed corpora: write_seeds FOLDER makes FOLDER/obj/0, FOLDER/obj/1, FOLDER/ply/0 ...
#include "bake/settings_samples.hpp"
#ifdef SUPPLE_HAS_CODECS
#include "io/codec_samples.hpp"
#endif
#include "io/gltf_samples.hpp"
#include "io/motion_samples.hpp"
#include "io/radiance_samples.hpp"
#include "io/samples.hpp"
#include "io/vtu_samples.hpp"
#include "player/synthetic_asset.hpp"

#include "supple/core/files.hpp"
#include "supple/io/point_cache.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

namespace samples = supple::io::samples;

#ifdef SUPPLE_HAS_CODECS
/// Whole files, and what is compressed in them behind the numbers that the harnesses take.
void add_codec_seeds(std::map<std::string, std::vector<std::string>>& seeds) {
  using namespace supple::io::testing;
  const Sheet sheet(1, 4, 3);
  for (const bool other : {false, true}) {
    const supple::Bytes draco = draco_bytes(sheet, other);
    seeds["gltf"].emplace_back(supple::as_text(draco_file(sheet, draco).glb()));
    seeds["draco"].push_back(std::string{'\x0c', '\x0c'} + std::string(supple::as_text(draco)));
    HandMade meshopt = meshopt_file(sheet, other);
    for (const Json& view : meshopt.json["bufferViews"]) {
      const Json& packed = view["extensions"]["EXT_meshopt_compression"];
      const auto mode = packed["mode"].get<std::string>();
      const auto filter = packed["filter"].get<std::string>();
      std::string seed{static_cast<char>(mode == "ATTRIBUTES"  ? 0
                                         : mode == "TRIANGLES" ? 1
                                                               : 2),
                       static_cast<char>(filter == "NONE"         ? 0
                                         : filter == "OCTAHEDRAL" ? 1
                                                                  : 3),
                       static_cast<char>(packed["byteStride"].get<int>()),
                       static_cast<char>(packed["count"].get<int>())};
      const auto offset = packed["byteOffset"].get<std::size_t>();
      const std::string_view all = supple::as_text(meshopt.binary);
      seeds["meshopt"].push_back(
          seed + std::string(all.substr(offset, packed["byteLength"].get<std::size_t>())));
    }
    finish_meshopt(meshopt);
    seeds["gltf"].emplace_back(supple::as_text(meshopt.glb()));
  }
}
#endif

/// New, no and old run lengths.
std::vector<std::string> hdr_seeds() {
  const auto row = samples::hdr_row(16, 1);
  return {samples::hdr_header("-Y 2 +X 16", "EXPOSURE=2\n") + samples::hdr_run_row(row) +
              samples::hdr_run_row(row),
          samples::hdr_header("+X 1 -Y 16") + samples::hdr_plain_row(row),
          samples::hdr_header("-Y 1 +X 4") + samples::hdr_bytes({9, 8, 7, 130, 1, 1, 1, 3})};
}

std::map<std::string, std::vector<std::string>> all_seeds() {
  constexpr auto kLittle = std::endian::little;
  constexpr auto kBig = std::endian::big;
  std::map<std::string, std::vector<std::string>> seeds{
      {"action_table", {samples::action_table()}},
      {"bvh", {samples::bvh(), samples::transform_table()}},
      {"hdr", hdr_seeds()},
      {"mdd", {samples::mdd({0, 0.5F}, 2, {0, 0, 0, 1, 2, 3, 0, 1, 0, 1, 2, 4})}},
      {"obj", {samples::obj()}},
      {"ply", {samples::ply_ascii(), samples::ply_binary(kLittle), samples::ply_binary(kBig)}},
      {"stl", {samples::stl_ascii(), samples::stl_binary("x"), samples::stl_binary("solid x")}},
      {"msh",
       {samples::msh2_ascii(), samples::msh2_binary(kLittle), samples::msh2_binary(kBig),
        samples::msh4_ascii(), samples::msh4_binary(kLittle), samples::msh4_binary(kBig)}},
      {"vtk", {samples::vtk_ascii(), samples::vtk_binary(), samples::vtk5_binary()}},
      {"vtu", {samples::vtu_ascii()}},
      {"inp", {samples::deck()}}};
  for (const samples::VtuDialect& dialect : samples::vtu_dialects()) {
    seeds["vtu"].push_back(samples::VtuSample(dialect).write());
  }
  const supple::io::testing::HandMade character = supple::io::testing::rigged_square();
  seeds["gltf"] = {std::string(supple::as_text(character.glb())), character.gltf()};
  for (const bool float32 : {false, true}) {
    const supple::player::testing::MeshSpec small{
        .vertices = 19, .objects = {{1, 0, 3}, {2, 2, 5}}, .coriolis = float32};
    supple::soft::Asset flesh = supple::player::testing::random_asset(small);
    for (int v = 0; v < 19; ++v) {
      flesh.positions.emplace_back(static_cast<float>(v % 3), static_cast<float>(v % 5), 0.1F);
    }
    const auto written = supple::io::write_supple(flesh, {float32});
    if (written.ok()) seeds["player_file"].emplace_back(supple::as_text(written->bytes));
    const auto shell =
        supple::io::write_supple(supple::player::testing::flesh_and_shell(21, 10), {float32});
    if (shell.ok()) seeds["player_file"].emplace_back(supple::as_text(shell->bytes));
    const auto scene =
        supple::io::write_supple(supple::player::testing::flesh_and_scene(21), {float32});
    if (scene.ok()) seeds["player_file"].emplace_back(supple::as_text(scene->bytes));
    flesh.light = supple::player::testing::random_light(
        flesh, {.order = 1, .sides = float32 ? 2 : 1, .rank = 2, .centres = 3});
    const auto lit = supple::io::write_supple(flesh, {float32});
    if (lit.ok()) seeds["player_file"].emplace_back(supple::as_text(lit->bytes));
  }
#ifdef SUPPLE_HAS_CODECS
  add_codec_seeds(seeds);
#endif
  const supple::io::PointCache cache{0, 1, 2, {{{0, 0, 0}, {1, 2, 3}}, {{0, 1, 0}, {1, 2, 4}}}};
  seeds["pc2"].emplace_back(supple::as_text(supple::io::write_pc2(cache)));
  for (auto& [reader, texts] : supple::bake::samples::settings()) seeds[reader] = texts;
  return seeds;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const auto& [format, files] : all_seeds()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / format;
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const auto written = supple::write_file(folder / std::to_string(i), files[i]);
      if (written.ok()) continue;
      std::fprintf(stderr, "%s\n", written.error().describe().c_str());
      return 5;
    }
  }
  return 0;
}
