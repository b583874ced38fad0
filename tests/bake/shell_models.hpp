// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/prepared_shells.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/io/gltf_character.hpp"
#include "supple/io/supple_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace supple::bake::testing {

/// A flat strip in x and z, `columns` by `rows` cells, unit normals up. Vertex (i, j) is number
/// j (columns + 1) + i; the first column is red and in the set ROOT.
inline io::SkinnedPart strip_part(double length, double width, int columns, int rows,
                                  const std::string& mesh) {
  io::SkinnedPart part;
  part.material = mesh + " skin";
  part.mesh = mesh;
  io::GltfAttribute root{"_ROOT", 1, {}};
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) {
      part.positions.emplace_back(length * i / columns, 0, width * j / rows);
      part.normals.emplace_back(0, 1, 0);
      part.colours.push_back({i == 0 ? 1.0 : 0.0, 0, 0, 1});
      root.values.push_back(i == 0 ? 1.0F : 0.0F);
    }
  }
  part.attributes.push_back(root);
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const int a = j * (columns + 1) + i;
      const int d = a + columns + 1;
      part.triangles.push_back({a, d, a + 1});
      part.triangles.push_back({a + 1, d, d + 1});
    }
  }
  return part;
}

/// A strip that no bone moves.
inline io::GltfAsset strip(double length = 0.2, double width = 0.05, int columns = 16,
                           int rows = 4) {
  io::SkinnedModel model;
  model.name = "strip";
  model.parts = {strip_part(length, width, columns, rows, "strip")};
  auto asset = io::make_gltf(model);
  EXPECT_TRUE(asset.ok()) << asset.error().describe();
  return *std::move(asset);
}

/// A strip bound half to each of two bones, "base" at the origin and "tip" at its end.
inline io::GltfAsset skinned_strip() {
  io::SkinnedModel model;
  model.name = "strip";
  model.bones = {{"base", {}, {0, 0, 0}, Eigen::Quaterniond::Identity()},
                 {"tip", 0, {0.2, 0, 0}, Eigen::Quaterniond::Identity()}};
  io::SkinnedPart part = strip_part(0.2, 0.05, 16, 4, "strip");
  for (const auto& p : part.positions) {
    io::SkinnedVertex vertex;
    vertex.bones = {0, 1, 0, 0};
    vertex.weights = {p.x() < 0.15 ? 1.0 : 0.5, p.x() < 0.15 ? 0.0 : 0.5, 0, 0};
    part.skin.push_back(vertex);
  }
  model.parts = {std::move(part)};
  auto asset = io::make_gltf(model);
  EXPECT_TRUE(asset.ok()) << asset.error().describe();
  return *std::move(asset);
}

/// One shell with this text after its name.
inline ShellFileSettings settings_of(const std::string& keys) {
  auto settings = parse_shell_settings("[[shell]]\nname = \"strip\"\n" + keys, "test.toml");
  EXPECT_TRUE(settings.ok()) << settings.error().describe();
  return *std::move(settings);
}

/// Stiff enough that its weight moves it by a few centimetres.
inline const char* const kStiff =
    "material = {youngs_modulus = 3e9, poisson_ratio = 0.3, density = 800, thickness = 0.0003}\n";

struct BakedShells {
  PreparedShells scene;
  std::vector<shell::ShellObject> objects;
  io::SuppleBytes supple;
};

inline BakedShells bake_shells(const io::GltfAsset& asset, const ShellFileSettings& settings) {
  BakedShells baked;
  auto scene = prepare_shells(asset, settings);
  EXPECT_TRUE(scene.ok()) << scene.error().describe();
  baked.scene = *std::move(scene);
  for (const PreparedShell& shell : baked.scene.shells) {
    auto discrete = fem::DiscreteShell::create(shell.model);
    EXPECT_TRUE(discrete.ok()) << discrete.error().describe();
    auto object = shell::bake_shell(*discrete, shell.settings.object);
    EXPECT_TRUE(object.ok()) << object.error().describe();
    baked.objects.push_back(*std::move(object));
  }
  io::SuppleWriteSettings floats;
  floats.float32 = true;
  auto bytes = io::write_supple(shell_asset(baked.scene, baked.objects, "test"), floats);
  EXPECT_TRUE(bytes.ok()) << bytes.error().describe();
  baked.supple = *std::move(bytes);
  return baked;
}

}  // namespace supple::bake::testing
