// SPDX-License-Identifier: Apache-2.0
// web_assets FOLDER: synthetic .supple files for the tests of the web packages. Their mesh follows
// a rule that synthetic.mjs knows too.
#include "player/synthetic_asset.hpp"

#include "supple/core/files.hpp"

#include <filesystem>
#include <string>

namespace {

using supple::io::SuppleAsset;
using supple::player::testing::MeshSpec;

float rest_number(std::size_t i) {
  return static_cast<float>(static_cast<double>(i * 7919 % 1000) / 500 - 1);
}

/// Strips of triangles over the vertices of each part.
void tie_to_mesh(SuppleAsset& asset) {
  std::vector<Eigen::Vector3f> positions(asset.vertex_count);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    positions[v] = {rest_number(3 * v), rest_number(3 * v + 1), rest_number(3 * v + 2)};
  }
  std::vector<std::uint32_t> indices;
  indices.reserve(std::size_t{3} * asset.vertex_count);
  for (const supple::io::SupplePart& part : asset.parts) {
    for (std::uint32_t i = 0; i + 2 < part.vertex_count; ++i) {
      const std::uint32_t first = part.first_vertex + i;
      indices.insert(indices.end(), {first, first + 1, first + 2});
    }
  }
  asset.index_count = static_cast<std::uint32_t>(indices.size());
  asset.mesh_hash = supple::io::mesh_hash(positions, indices);
}

struct File {
  std::string name;
  MeshSpec spec;
  bool float32;
  double limit = 0;
  double last_damping = 0.1;  ///< of the last mode of each object; past 1 it creeps
};

bool write(const std::filesystem::path& folder, const File& file) {
  SuppleAsset asset = supple::player::testing::random_asset(file.spec, 5);
  for (supple::io::SuppleObject& object : asset.objects) {
    object.limit = file.limit;
    object.modes.back().damping = file.last_damping;
  }
  tie_to_mesh(asset);
  const auto written = supple::io::write_supple(asset, {file.float32});
  return written.ok() && supple::write_file(folder / file.name, written->bytes).ok();
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::vector<File> files;
  files.reserve(16);
  // One object that moves every vertex, so that few modes fit attributes.
  for (const std::size_t modes : {1, 5, 6, 30, 100}) {
    for (const bool float32 : {false, true}) {
      const std::string name =
          "modes_" + std::to_string(modes) + (float32 ? "_float.supple" : "_short.supple");
      files.push_back({name, {301, {{modes, 0, 1}}, false}, float32});
    }
  }
  // Two objects, some vertices moved by both.
  files.push_back({"layered.supple", {301, {{4, 0, 1}, {7, 100, 2}}, false}, false});
  files.push_back(
      {"busy.supple", {301, {{40, 0, 1}, {7, 20, 2}, {1, 3, 5}}, true}, false, 0.02, 1.5});
  files.push_back({"busy_float.supple", {301, {{9, 0, 3}, {33, 1, 1}}, true}, true, 0.05, 1.0});
  for (const File& file : files) {
    if (!write(arguments[1], file)) return 5;
  }
  return 0;
}
