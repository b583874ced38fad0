// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "source_directory.hpp"
#include "supple/bake/gltf_character.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_pose.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace supple::bake::testing {

using supple::testing::assets;

/// The character of a file without any of the checks of character_from_gltf: motion and export
/// are tested without them.
inline GltfCharacter plain_character(const io::GltfAsset& asset) {
  GltfCharacter result;
  character::Character& character = result.character;
  character.name = asset.name;
  const io::GltfSkin& skin = asset.skins[0];
  result.nodes = skin.joints;
  const auto world = io::world_matrices(asset, io::rest_pose(asset));
  std::map<std::size_t, std::size_t> bone_of;
  for (std::size_t j = 0; j < skin.joints.size(); ++j) bone_of[skin.joints[j]] = j;
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    character::Bone bone;
    bone.name = asset.nodes[skin.joints[j]].name;
    for (auto up = asset.nodes[skin.joints[j]].parent; up && !bone.parent;
         up = asset.nodes[*up].parent) {
      if (bone_of.contains(*up)) bone.parent = bone_of[*up];
    }
    bone.rest_world = world[skin.joints[j]];
    bone.inverse_bind = skin.inverse_bind_matrices[j];
    character.bones.push_back(bone);
  }
  for (std::size_t n = 0; n < asset.nodes.size(); ++n) {
    const io::GltfNode& node = asset.nodes[n];
    if (!node.mesh || !node.skin) continue;
    result.skinned_nodes.push_back(n);
    const auto& primitives = asset.meshes[*node.mesh].primitives;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const auto first = static_cast<std::uint32_t>(character.positions.size());
      result.parts.push_back({static_cast<std::uint32_t>(*node.mesh), static_cast<std::uint32_t>(p),
                              first, static_cast<std::uint32_t>(primitives[p].positions.size())});
      character.positions.insert(character.positions.end(), primitives[p].positions.begin(),
                                 primitives[p].positions.end());
      character.normals.insert(character.normals.end(), primitives[p].normals.begin(),
                               primitives[p].normals.end());
      for (geometry::Triangle triangle : primitives[p].triangles) {
        for (geometry::Index& corner : triangle) corner += static_cast<geometry::Index>(first);
        character.triangles.push_back(triangle);
      }
    }
  }
  return result;
}

/// A file of the kept assets and the character in it.
struct Rig {
  io::GltfAsset asset;
  GltfCharacter source;

  [[nodiscard]] std::size_t bone(const std::string& name) const {
    const auto found = source.character.find_bone(name);
    EXPECT_TRUE(found.ok()) << name;
    return found.ok() ? *found : 0;
  }
};

/// Nothing where the file is absent; of a file without a skin, its first primitive.
inline std::optional<Rig> load_rig(const std::string& file) {
  const auto path = assets() / file;
  if (!std::filesystem::exists(path)) return std::nullopt;
  auto asset = io::read_gltf(path);
  EXPECT_TRUE(asset.ok()) << asset.error().describe();
  Rig rig{*std::move(asset), {}};
  if (!rig.asset.skins.empty()) {
    rig.source = plain_character(rig.asset);
    return rig;
  }
  const auto& primitive = rig.asset.meshes[0].primitives[0];
  rig.source.parts = {{0, 0, 0, static_cast<std::uint32_t>(primitive.positions.size())}};
  rig.source.character.positions = primitive.positions;
  rig.source.character.normals = primitive.normals;
  return rig;
}

}  // namespace supple::bake::testing
