// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/node_character.hpp"

#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>
#include <supple.h>

namespace supple::bake {
namespace {

void add_bones(const io::GltfAsset& asset, GltfCharacter& result) {
  const auto worlds = io::world_matrices(asset, io::rest_pose(asset));
  result.character.bones.resize(asset.nodes.size());
  for (std::size_t n = 0; n < asset.nodes.size(); ++n) {
    character::Bone& bone = result.character.bones[n];
    bone.name = node_name(asset, n);
    bone.parent = asset.nodes[n].parent;
    bone.rest_world = worlds[n];
    result.nodes.push_back(n);
  }
}

void add_surface(const io::GltfPrimitive& primitive, character::Character& character) {
  const auto first = static_cast<geometry::Index>(character.positions.size());
  character.positions.insert(character.positions.end(), primitive.positions.begin(),
                             primitive.positions.end());
  for (const geometry::Triangle& t : primitive.triangles) {
    character.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
}

bool has_kind(const struct ::supple_asset* asset, int kind) {
  supple_asset_info info{};
  (void)supple_asset_describe(asset, &info);
  for (std::uint32_t o = 0; o < info.object_count; ++o) {
    supple_object_info object{};
    (void)supple_asset_object(asset, o, &object);
    if (object.kind == kind) return true;
  }
  return false;
}

}  // namespace

Result<GltfCharacter> node_character(const io::GltfAsset& asset,
                                     const std::vector<soft::Part>& parts, double metres_per_unit) {
  GltfCharacter result;
  result.character.name = asset.name;
  result.character.metres_per_unit = metres_per_unit;
  add_bones(asset, result);
  for (const soft::Part& part : parts) {
    if (part.mesh >= asset.meshes.size() ||
        part.primitive >= asset.meshes[part.mesh].primitives.size()) {
      return bad_input(
          fmt::format("'{}' has no mesh {} with a primitive {}: the .supple was made for a "
                      "different file; bake this one again",
                      asset.name, part.mesh, part.primitive));
    }
    result.parts.push_back(part);
    add_surface(asset.meshes[part.mesh].primitives[part.primitive], result.character);
  }
  return result;
}

Result<GltfCharacter> node_character(const io::GltfAsset& asset,
                                     const struct ::supple_asset* moving) {
  supple_asset_info info{};
  (void)supple_asset_describe(moving, &info);
  std::vector<soft::Part> parts;
  parts.reserve(info.part_count);
  for (std::uint32_t p = 0; p < info.part_count; ++p) {
    supple_part_info part{};
    (void)supple_asset_part(moving, p, &part);
    parts.push_back({part.mesh, part.primitive, part.first_vertex, part.vertex_count});
  }
  return node_character(asset, parts, info.metres_per_unit);
}

Result<GltfCharacter> moved_character(const io::GltfAsset& asset,
                                      const struct ::supple_asset* moving) {
  if (has_shells(moving) || has_scene(moving)) return node_character(asset, moving);
  supple_asset_info info{};
  (void)supple_asset_describe(moving, &info);
  CharacterSettings settings;
  settings.metres_per_unit = info.metres_per_unit;
  supple_object_info object{};
  if (supple_asset_object(moving, 0, &object) == SUPPLE_OK) settings.node = object.node;
  return character_from_gltf(asset, settings);
}

std::string node_name(const io::GltfAsset& asset, std::size_t node) {
  const std::string& name = asset.nodes[node].name;
  return name.empty() ? fmt::format("node {}", node) : name;
}

bool has_shells(const struct ::supple_asset* asset) {
  return has_kind(asset, SUPPLE_SHELL);
}

bool has_scene(const struct ::supple_asset* asset) {
  return has_kind(asset, SUPPLE_SCENE);
}

}  // namespace supple::bake
