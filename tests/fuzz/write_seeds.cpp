// SPDX-License-Identifier: Apache-2.0
// Writes the seed corpora: write_seeds FOLDER makes FOLDER/obj/0, FOLDER/obj/1, FOLDER/ply/0 ...
#include "bake/settings_samples.hpp"
#include "io/gltf_samples.hpp"
#include "io/motion_samples.hpp"
#include "io/samples.hpp"
#include "io/vtu_samples.hpp"
#include "player/synthetic_asset.hpp"

#include "supple/core/files.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

namespace samples = supple::io::samples;

std::map<std::string, std::vector<std::string>> all_seeds() {
  constexpr auto kLittle = std::endian::little;
  constexpr auto kBig = std::endian::big;
  std::map<std::string, std::vector<std::string>> seeds{
      {"bvh", {samples::bvh(), samples::transform_table()}},
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
    const auto written =
        supple::io::write_supple(supple::player::testing::random_asset(small), {float32});
    if (written.ok()) seeds["player_file"].emplace_back(supple::as_text(written->bytes));
    const auto shell =
        supple::io::write_supple(supple::player::testing::flesh_and_shell(21, 10), {float32});
    if (shell.ok()) seeds["player_file"].emplace_back(supple::as_text(shell->bytes));
  }
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
