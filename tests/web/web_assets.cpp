// SPDX-License-Identifier: Apache-2.0
// web_assets FOLDER: synthetic .supple files for the tests of the web packages. Their mesh follows
// a rule that synthetic.mjs knows too.
#include "player/synthetic_asset.hpp"
#include "web/rest_number.hpp"
#include "web/scene_asset.hpp"
#include "web/strip_asset.hpp"

#include "supple/core/files.hpp"

#include <filesystem>
#include <string>

namespace {

using supple::player::testing::MeshSpec;
using supple::soft::Asset;
using supple::web::testing::rest_number;

/// Strips of triangles over the vertices of each part.
void tie_to_mesh(supple::soft::Asset& asset) {
  std::vector<Eigen::Vector3f> positions(asset.vertex_count);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    positions[v] = {rest_number(3 * v), rest_number(3 * v + 1), rest_number(3 * v + 2)};
  }
  std::vector<std::uint32_t> indices;
  indices.reserve(std::size_t{3} * asset.vertex_count);
  for (const supple::soft::Part& part : asset.parts) {
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
  std::size_t shells = 0;     ///< number of shells among the last objects
};

/// Gives an object what shells have, and turns of a radian or more.
void make_shell(supple::soft::Object& object) {
  constexpr double kTurn = 2;
  supple::soft::ShellTraits shell;
  shell.size = 0.035;
  shell.follow_turn = 2;
  for (supple::soft::Mode& mode : object.modes) {
    mode.turns = std::exchange(mode.normals, {});
    for (Eigen::Vector3d& turn : mode.turns) turn *= kTurn;
  }
  const Eigen::Matrix3d to_frame = object.frame_from_bind.leftCols<3>();
  for (std::size_t i = 0; i < 21; ++i) {
    supple::soft::ForcePoint point;
    point.position = Eigen::Vector3d(0.01, 0.002, -0.005) * static_cast<double>(i % 5);
    point.mass = object.mass / 21;
    point.area_vector = Eigen::Vector3d(1e-3, 2e-3, static_cast<double>(i) * 1e-4);
    point.lever = 0.3 * point.mass * point.position;
    for (const supple::soft::Mode& mode : object.modes) {
      point.displacements.emplace_back(to_frame * mode.displacements[i]);
      point.turns.emplace_back(to_frame * mode.turns[i] * 100);
    }
    shell.points.push_back(std::move(point));
  }
  for (const std::size_t place : {std::size_t{3}, object.vertices.size() - 1}) {
    supple::soft::Attachment attachment;
    attachment.vertex = object.vertices[place];
    attachment.components = place == 3 ? 7 : 63;
    attachment.node = 8;
    attachment.bone = "bone";
    attachment.stiffness = place == 3 ? 0 : 200;
    const auto rest = [&](std::size_t axis) { return rest_number(3 * attachment.vertex + axis); };
    attachment.rest =
        to_frame * Eigen::Vector3d(rest(0), rest(1), rest(2)) + object.frame_from_bind.col(3);
    attachment.bone_from_frame.col(3) << 0.01, 0, -0.02;
    shell.attachments.push_back(attachment);
  }
  object.shell = std::move(shell);
}

/// The last object is a scene, the others are flesh.
Asset scene_asset(std::vector<MeshSpec::Object> objects) {
  Asset asset = supple::player::testing::random_asset({301, std::move(objects), false}, 9);
  supple::web::testing::make_scene(asset.objects.back());
  tie_to_mesh(asset);
  return asset;
}

bool save(const supple::soft::Asset& asset, const std::filesystem::path& path, bool float32) {
  const auto written = supple::io::write_supple(asset, {float32});
  return written.ok() && supple::write_file(path, written->bytes).ok();
}

bool write(const std::filesystem::path& folder, const File& file) {
  supple::soft::Asset asset = supple::player::testing::random_asset(file.spec, 5);
  for (supple::soft::Object& object : asset.objects) {
    object.limit = file.limit;
    object.modes.back().damping = file.last_damping;
  }
  for (std::size_t i = asset.objects.size() - file.shells; i < asset.objects.size(); ++i) {
    make_shell(asset.objects[i]);
  }
  tie_to_mesh(asset);
  return save(asset, folder / file.name, file.float32);
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
  files.push_back({"shell_short.supple", {301, {{5, 0, 1}}, false}, false, 0, 0.1, 1});
  files.push_back({"shell_float.supple", {301, {{5, 0, 1}}, false}, true, 0, 0.1, 1});
  files.push_back({"shell_many.supple", {301, {{33, 0, 1}}, false}, false, 0, 0.1, 1});
  for (const File& file : files) {
    if (!write(arguments[1], file)) return 5;
  }
  // Flesh below, a shell above.
  supple::soft::Asset mixed =
      supple::player::testing::random_asset({301, {{4, 0, 3}, {6, 1, 3}}, false});
  make_shell(mixed.objects[1]);
  tie_to_mesh(mixed);
  const std::filesystem::path folder = arguments[1];
  const bool done = save(mixed, folder / "shell_mixed.supple", false) &&
                    save(supple::web::testing::strip_asset(), folder / "strip.supple", false) &&
                    save(scene_asset({{6, 0, 1}}), folder / "scene.supple", false) &&
                    save(scene_asset({{4, 0, 3}, {6, 1, 3}}), folder / "scene_mixed.supple", true);
  return done ? 0 : 5;
}
