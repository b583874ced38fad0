// SPDX-License-Identifier: Apache-2.0
#include "bake/shell_models.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/bake/playback.hpp"

#include <supple.h>
#include <Eigen/Geometry>

#include <algorithm>

namespace supple::bake::testing {
namespace {

std::string scene_error(const io::GltfAsset& asset, const std::string& keys) {
  const auto scene = prepare_shells(asset, settings_of(keys));
  return scene.ok() ? std::string("no error") : scene.error().describe();
}

void expect_error(const io::GltfAsset& asset, const std::string& keys, const std::string& part) {
  const std::string error = scene_error(asset, keys);
  EXPECT_NE(error.find(part), std::string::npos) << keys << "\ngives: " << error;
}

bool warns(const PreparedShell& shell, const std::string& part) {
  for (const std::string& warning : shell.warnings) {
    if (warning.find(part) != std::string::npos) return true;
  }
  return false;
}

std::size_t fixed_by(const std::string& fix) {
  const auto scene = prepare_shells(strip(), settings_of("fix = [\"" + fix + "\"]\n"));
  EXPECT_TRUE(scene.ok()) << scene.error().describe();
  std::size_t count = 0;
  for (const std::uint8_t bits : scene->shells[0].model.fixed) count += bits != 0 ? 1 : 0;
  return count;
}

TEST(PreparedShells, EverySelectionFixesWhatItSays) {
  for (const char* root : {"set:ROOT", "set:root", "colour:COLOR_0.r>0.5", "plane:x=0", "x<0.001",
                           "vertices:0,17,34,51,68", "box:-1,-1,-1,0.001,1,1"}) {
    EXPECT_EQ(fixed_by(root), 5U) << root;
  }
  EXPECT_EQ(fixed_by("sphere:0,0,0,0.001"), 1U);
  EXPECT_EQ(fixed_by("nearest:9,9,9"), 1U);
}

TEST(PreparedShells, ClampHoldsTheNextRowToo) {
  const auto held = [](const std::string& keys) {
    const auto scene = prepare_shells(strip(), settings_of(keys));
    EXPECT_TRUE(scene.ok()) << scene.error().describe();
    return scene->shells[0].model.fixed;
  };
  const auto clamped = held("clamp = [\"plane:x=0\"]\n");
  EXPECT_EQ(clamped, held("fix = [\"x<0.0126\"]\n")) << "columns are 0.2 / 16 m apart";
  EXPECT_EQ(std::count(clamped.begin(), clamped.end(), fem::kFixAll), 10);
  const auto upright = held("clamp = [\"plane:x=0:y\"]\n");
  EXPECT_EQ(std::count(upright.begin(), upright.end(), fem::kFixY), 10);
}

TEST(PreparedShells, RefusesWhatCannotBend) {
  expect_error(strip(), "fix = [\"x<9\"]\n", "all of its vertices are fixed");
  io::GltfAsset alone = strip();
  alone.meshes[0].primitives[0].triangles.resize(1);
  expect_error(alone, "", "no two of its triangles share an edge");
}

TEST(PreparedShells, SizesBeyondBeliefSayWhichUnitToSet) {
  ShellFileSettings settings = settings_of("");
  settings.metres_per_unit = 1000;
  const auto large = prepare_shells(strip(), settings);
  ASSERT_TRUE(large.ok()) << large.error().describe();
  EXPECT_TRUE(warns(large->shells[0], "it is 206 m across"));
  EXPECT_TRUE(warns(large->shells[0], "in millimetres, unit = 0.001"));
  settings.metres_per_unit = 1e9;
  const auto absurd = prepare_shells(strip(), settings);
  ASSERT_FALSE(absurd.ok());
  EXPECT_NE(absurd.error().message().find("set unit to"), std::string::npos)
      << absurd.error().message();
}

TEST(PreparedShells, SelectionsAreInMetresOfTheWorld) {
  io::GltfAsset moved = strip();
  moved.nodes[0].local.translation = {5, 0, 0};
  ShellFileSettings settings = settings_of("fix = [\"x<0.0501\"]\n");
  settings.metres_per_unit = 0.01;  // the world's x from 5 to 5.2 units is 0.05 to 0.052 m
  const auto scene = prepare_shells(moved, settings);
  ASSERT_TRUE(scene.ok()) << scene.error().describe();
  std::size_t fixed = 0;
  for (const std::uint8_t bits : scene->shells[0].model.fixed) fixed += bits != 0 ? 1 : 0;
  EXPECT_EQ(fixed, 5U);
}

TEST(PreparedShells, VerticesAtTheSamePlaceAreOneNode) {
  // Two copies of the strip's vertices, each half of the triangles using its own: a seam.
  io::SkinnedModel model;
  model.name = "strip";
  io::SkinnedPart part = strip_part(0.2, 0.05, 16, 4, "strip");
  const auto count = static_cast<geometry::Index>(part.positions.size());
  const auto double_up = [](auto& list) {
    const auto copy = list;
    list.insert(list.end(), copy.begin(), copy.end());
  };
  double_up(part.positions);
  double_up(part.normals);
  double_up(part.colours);
  double_up(part.attributes[0].values);
  for (std::size_t t = 0; t < part.triangles.size() / 2; ++t) {
    for (geometry::Index& corner : part.triangles[t]) corner += count;
  }
  model.parts = {part};
  const auto asset = io::make_gltf(model);
  ASSERT_TRUE(asset.ok());
  const auto scene = prepare_shells(*asset, settings_of("fix = [\"set:ROOT\"]\n"));
  ASSERT_TRUE(scene.ok()) << scene.error().describe();
  EXPECT_EQ(scene->shells[0].model.mesh.positions.size(), static_cast<std::size_t>(count));
  EXPECT_GT(scene->shells[0].vertices.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(scene->source.character.positions.size(), 2U * static_cast<std::size_t>(count));
}

TEST(PreparedShells, AScaledAndTurnedNodeBendsTheSame) {
  const ShellFileSettings settings = settings_of(std::string(kStiff) + "fix = [\"set:ROOT\"]\n");
  const BakedShells plain = bake_shells(strip(), settings);
  io::GltfAsset asset = strip(20, 5);
  asset.nodes[0].local.scale = {0.01, 0.01, 0.01};
  asset.nodes[0].local.translation = {1, 2, 3};
  asset.nodes[0].local.rotation = Eigen::AngleAxisd(1, Eigen::Vector3d(1, 2, 3).normalized());
  const BakedShells turned = bake_shells(asset, settings);
  const double tolerance = 1e-4;  // positions are floats
  EXPECT_NEAR(turned.objects[0].mass, plain.objects[0].mass, tolerance * plain.objects[0].mass);
  EXPECT_NEAR(plain.objects[0].mass, 0.2 * 0.05 * 0.0003 * 800, 1e-9);
  for (std::size_t m = 0; m < plain.objects[0].modes.size(); ++m) {
    EXPECT_NEAR(turned.objects[0].modes[m].omega / plain.objects[0].modes[m].omega, 1, tolerance);
  }
  // In bind space the same shape is a hundred times as large, its turns are the same.
  const soft::Asset a = shell_asset(plain.scene, plain.objects, "");
  const soft::Asset b = shell_asset(turned.scene, turned.objects, "");
  const auto& mode_a = a.objects[0].modes[0];
  const auto& mode_b = b.objects[0].modes[0];
  const double sign = mode_a.displacements[16].y() * mode_b.displacements[16].y() > 0 ? 1 : -1;
  const double largest = mode_a.displacements[16].norm();
  EXPECT_LT((100 * sign * mode_a.displacements[16] - mode_b.displacements[16]).norm(),
            0.1 * largest);
  EXPECT_LT((sign * mode_a.turns[16] - mode_b.turns[16]).norm(), 1e-3 * mode_a.turns[16].norm());
}

TEST(PreparedShells, RefusesMirroredAndShearedNodes) {
  io::GltfAsset asset = strip();
  asset.nodes[0].local.scale = {-1, 1, 1};
  expect_error(asset, "", "'strip' is mirrored");
  asset.nodes[0].local.scale = {1, 1, 0};
  expect_error(asset, "", "flattened");
  asset.nodes[0].local.scale = {1, 2, 1};
  expect_error(asset, "", "scaled differently along its axes");
}

TEST(PreparedShells, SaysWhatIsMissing) {
  expect_error(strip(), "mesh = \"strop\"\n", "no node, mesh or material 'strop' is drawn");
  expect_error(strip(), "bone = \"hand\"\n", "no node or bone 'hand'");
  expect_error(strip(), "fix = [\"sphere:9,9,9,0.1\"]\n",
               "extends from (0, 0, 0) to (0.2, 0, 0.05)");
  expect_error(strip(), "fix = [\"set:ROT\"]\n", "sets: ROOT (5 vertices)");
  expect_error(strip(), "fix = [\"vertices:85\"]\n", "no vertex 85; it has 0 to 84");
  expect_error(strip(), "[[shell.region]]\nsurface_material = \"gold\"\n", "'gold'");
}

TEST(PreparedShells, RefusesHandlesThatCannotHold) {
  const std::string fix = "fix = [\"set:ROOT\"]\n";
  const std::string handle = "[[shell.handle]]\nbone = \"strip\"\n";
  expect_error(strip(), fix + handle + "vertex = 17\n", "vertex 17 is fixed");
  expect_error(strip(), fix + handle + "vertex = 700\n", "no vertex 700");
  expect_error(strip(), fix + "[[shell.handle]]\nbone = \"hand\"\nvertex = 16\n",
               "no node or bone 'hand'");
}

TEST(PreparedShells, WarnsAboutHandlesThatContradict) {
  const std::string handle = "[[shell.handle]]\nbone = \"strip\"\nvertex = 16\nhold = \"both\"\n";
  const auto twice =
      prepare_shells(strip(), settings_of("fix = [\"set:ROOT\"]\n" + handle + handle));
  ASSERT_TRUE(twice.ok()) << twice.error().describe();
  EXPECT_TRUE(warns(twice->shells[0], "the same component of one vertex"));
  const auto many =
      prepare_shells(strip(), settings_of("modes = 4\nfix = [\"set:ROOT\"]\n" + handle));
  ASSERT_TRUE(many.ok());
  EXPECT_TRUE(warns(many->shells[0], "4 modes can meet at most 4"));
}

TEST(PreparedShells, AFreeShellSaysHowToHoldIt) {
  const auto scene = prepare_shells(strip(), settings_of(""));
  ASSERT_TRUE(scene.ok());
  EXPECT_TRUE(warns(scene->shells[0], "nothing holds it"));
  EXPECT_TRUE(warns(scene->shells[0], "fix = ["));
}

TEST(PreparedShells, AVertexBelongsToOneShell) {
  const auto settings =
      parse_shell_settings("[[shell]]\nname=\"a\"\n[[shell]]\nname=\"b\"\n", "test.toml");
  ASSERT_TRUE(settings.ok());
  const auto scene = prepare_shells(strip(), *settings);
  ASSERT_FALSE(scene.ok());
  EXPECT_NE(scene.error().describe().find("shells 'a' and 'b' both have"), std::string::npos);
}

TEST(PreparedShells, OneMeshOfTwoNodesBendsForOneOfThem) {
  io::GltfAsset twins = strip();
  twins.nodes.push_back(twins.nodes[0]);
  twins.nodes[0].name = "left";
  twins.nodes[1].name = "right";
  twins.parents_first.push_back(1);
  twins.scene_roots.push_back(1);
  expect_error(twins, "mesh = \"strip\"\n", "drawn by nodes 'left' and 'right'");
  expect_error(twins, "mesh = \"strip\"\n", "write mesh = \"left\"");
  // What the message says works.
  const auto left = prepare_shells(twins, settings_of("mesh = \"left\"\n"));
  ASSERT_TRUE(left.ok()) << left.error().describe();
  EXPECT_EQ(left->shells[0].bone, 0U);
}

TEST(PreparedShells, RegionsScaleMassAndStiffness) {
  const auto scene =
      prepare_shells(strip(), settings_of("[[shell.region]]\nwhere = [\"x<0.1001\"]\n"
                                          "stiffness = 5\nthickness = 2\n"));
  ASSERT_TRUE(scene.ok()) << scene.error().describe();
  const fem::ShellModel& model = scene->shells[0].model;
  ASSERT_EQ(model.materials.size(), 2U);
  EXPECT_DOUBLE_EQ(model.materials[1].area_density, 2 * model.materials[0].area_density);
  EXPECT_DOUBLE_EQ(model.materials[1].length_stiffness, 10 * model.materials[0].length_stiffness);
  EXPECT_DOUBLE_EQ(model.materials[1].bending_stiffness, 40 * model.materials[0].bending_stiffness);
  EXPECT_EQ(std::count(model.regions.begin(), model.regions.end(), 1), 64) << "half of 128";
}

TEST(PreparedShells, SkinnedVerticesFollowTheBoneAlone) {
  const io::GltfAsset asset = skinned_strip();
  const auto scene = prepare_shells(asset, settings_of("fix = [\"set:ROOT\"]\n"));
  ASSERT_TRUE(scene.ok()) << scene.error().describe();
  EXPECT_EQ(asset.nodes[scene->shells[0].bone].name, "base") << "it moves most of it";
  EXPECT_TRUE(warns(scene->shells[0], "25 of 85 vertices followed bones other than"));
  const auto result = follow_bones(asset, *scene);
  ASSERT_TRUE(result.ok()) << result.error().describe();
  const io::GltfPrimitive& primitive = result->meshes[0].primitives[0];
  for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
    EXPECT_EQ(primitive.joints[4 * v], 0U);
    EXPECT_EQ(primitive.weights[4 * v], 1.0);
    EXPECT_EQ(primitive.weights[4 * v + 1], 0.0);
  }
}

TEST(PreparedShells, AnAttachmentKnowsItsBoneAtRest) {
  const BakedShells baked =
      bake_shells(skinned_strip(), settings_of("fix = [\"set:ROOT\"]\n[[shell.handle]]\n"
                                               "bone = \"tip\"\nat = \"nearest:0.2,0,0\"\n"));
  ASSERT_EQ(baked.scene.shells[0].attachments.size(), 1U);
  const soft::Attachment& attachment = baked.scene.shells[0].attachments[0];
  EXPECT_EQ(attachment.bone, "tip");
  EXPECT_LT((attachment.rest - Eigen::Vector3d(0.2, 0, 0)).norm(), 1e-6);
  const Eigen::Vector3d in_bone = attachment.bone_from_frame.leftCols<3>() * attachment.rest +
                                  attachment.bone_from_frame.col(3);
  EXPECT_LT(in_bone.norm(), 1e-6) << "the vertex is where the tip is";
}

TEST(PreparedShells, TheFileBelongsToItsMesh) {
  const io::GltfAsset asset = strip();
  const BakedShells baked = bake_shells(asset, settings_of("fix = [\"set:ROOT\"]\n"));
  const auto file = BakedFile::open(baked.supple.bytes, "test.supple");
  ASSERT_TRUE(file.ok()) << file.error().describe();
  EXPECT_TRUE(has_shells(file->asset()));
  const auto source = node_character(asset, file->asset());
  ASSERT_TRUE(source.ok());
  EXPECT_TRUE(file->check_mesh(moving_surface(*source, "").mesh_hash).ok());
  io::GltfAsset other = asset;
  other.meshes[0].primitives[0].positions[3].x() += 0.01;
  const auto changed = node_character(other, file->asset());
  ASSERT_TRUE(changed.ok());
  EXPECT_FALSE(file->check_mesh(moving_surface(*changed, "").mesh_hash).ok());
}

}  // namespace
}  // namespace supple::bake::testing
