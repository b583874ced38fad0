// SPDX-License-Identifier: Apache-2.0
#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace supple::player::testing {
namespace {

/// Mesh positions are floats, and so are scaled shapes.
constexpr double kFloat = 1e-5;
/// Shapes of 16 bits are rounded once more where parts have different scales: half of 1 / 32767,
/// twice, of components up to 1.
constexpr double kRounding = 4e-5;

/// A baked mesh on which vertices coincide and differ in their normal, as at a hard edge.
soft::Asset baked(std::uint64_t seed, std::uint32_t vertices = 61) {
  soft::Asset asset =
      random_asset({.vertices = vertices, .objects = {{3, 0, 1}, {2, 20, 2}}}, seed);
  Random random(seed + 100);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const bool repeats = v % 5 == 4 && v != vertices / 2;
    const Eigen::Vector3f place(static_cast<float>(random.uniform()),
                                static_cast<float>(2 * random.uniform()),
                                static_cast<float>(random.uniform()));
    asset.positions.push_back(repeats ? asset.positions.back() : place);
    asset.normals.push_back(v % 2 == 0 ? Eigen::Vector3f::UnitX() : Eigen::Vector3f::UnitY());
  }
  return asset;
}

/// The mesh as it is now: for each vertex the one that it was.
struct Now {
  std::vector<std::uint32_t> primitives;
  std::vector<float> positions, normals;
  std::vector<std::uint32_t> indices, nodes, source;

  [[nodiscard]] supple_mesh view() const {
    supple_mesh mesh{};
    mesh.primitive_count = static_cast<std::uint32_t>(primitives.size() / 4);
    mesh.primitives = primitives.data();
    mesh.positions = positions.data();
    mesh.normals = normals.empty() ? nullptr : normals.data();
    mesh.indices = indices.data();
    mesh.nodes = nodes.empty() ? nullptr : nodes.data();
    return mesh;
  }
};

/// What tools do to a part.
struct Change {
  double scale = 1;  ///< now = (baked - shift) / scale
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  double noise = 0;
  bool shuffled = true;
  bool mirrored_list = false;  ///< the parts in the opposite order
};

/// One change for each part; the last one for all that follow.
Now changed_apart(const soft::Asset& asset, const std::vector<Change>& changes,
                  std::uint64_t seed) {
  Random random(seed);
  Now now;
  std::vector<soft::Part> parts = asset.parts;
  if (changes[0].mirrored_list) std::reverse(parts.begin(), parts.end());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Change& change = changes[std::min(p, changes.size() - 1)];
    std::vector<std::uint32_t> order(parts[p].vertex_count);
    std::iota(order.begin(), order.end(), parts[p].first_vertex);
    for (std::size_t i = order.size(); change.shuffled && i-- > 1;) {
      std::swap(order[i],
                order[static_cast<std::size_t>(random.uniform() * static_cast<double>(i + 1))]);
    }
    const auto first = static_cast<std::uint32_t>(p);
    now.primitives.insert(
        now.primitives.end(),
        {first, change.mirrored_list ? 5U : parts[p].primitive, parts[p].vertex_count, 3});
    if (!change.mirrored_list) now.primitives[4 * p] = parts[p].mesh;
    for (const std::uint32_t v : order) {
      Eigen::Vector3d place = (asset.positions[v].cast<double>() - change.shift) / change.scale;
      for (double& x : place) x += change.noise / change.scale * (2 * random.uniform() - 1);
      for (const double x : place) now.positions.push_back(static_cast<float>(x));
      for (const float x : asset.normals[v]) now.normals.push_back(x);
      now.source.push_back(v);
    }
    now.indices.insert(now.indices.end(), {0, 1, 2});
  }
  return now;
}

Now changed(const soft::Asset& asset, const Change& change, std::uint64_t seed) {
  return changed_apart(asset, {change}, seed);
}

struct Rebound {
  supple_asset* asset = nullptr;
  supple_match_info info{};
  supple_status status;

  Rebound(const supple_asset* from, const Now& now) {
    const supple_mesh mesh = now.view();
    status = supple_asset_rebind(from, &mesh, &info, &asset);
  }
  ~Rebound() { supple_asset_close(asset); }
  Rebound(const Rebound&) = delete;
  Rebound& operator=(const Rebound&) = delete;
};

struct Shapes {
  std::vector<float> displacements, seconds;
};

Shapes shapes_of(const supple_asset* asset, std::uint32_t mode) {
  supple_asset_info info{};
  EXPECT_EQ(supple_asset_describe(asset, &info), SUPPLE_OK);
  Shapes shapes{std::vector<float>(3 * info.vertex_count),
                std::vector<float>(3 * info.vertex_count)};
  EXPECT_EQ(
      supple_asset_mode_shape(asset, mode, shapes.displacements.data(), shapes.seconds.data()),
      SUPPLE_OK);
  return shapes;
}

/// Where the parts' vertices are in the new list: parts keep their order in the file.
std::vector<std::uint32_t> new_order(const soft::Asset& asset, const Now& now, bool mirrored) {
  if (!mirrored) return now.source;
  std::vector<std::uint32_t> order;
  const std::size_t first = asset.parts[1].vertex_count;
  order.assign(now.source.begin() + static_cast<std::ptrdiff_t>(first), now.source.end());
  order.insert(order.end(), now.source.begin(),
               now.source.begin() + static_cast<std::ptrdiff_t>(first));
  return order;
}

void expect_same_shapes(const supple_asset* before, const supple_asset* after,
                        const std::vector<std::uint32_t>& source, double scale, double tolerance) {
  supple_asset_info info{};
  ASSERT_EQ(supple_asset_describe(after, &info), SUPPLE_OK);
  ASSERT_EQ(info.vertex_count, source.size());
  for (std::uint32_t mode = 0; mode < info.mode_count; ++mode) {
    const Shapes was = shapes_of(before, mode);
    const Shapes is = shapes_of(after, mode);
    for (std::size_t v = 0; v < source.size(); ++v) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t from = 3 * std::size_t{source[v]} + i;
        EXPECT_NEAR(is.displacements[3 * v + i] * scale, was.displacements[from], tolerance);
        EXPECT_NEAR(is.seconds[3 * v + i], was.seconds[from], tolerance);
      }
    }
  }
}

TEST(Rebind, FindsShuffledVerticesByPositionAndNormal) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const bool float32 : {false, true}) {
      const soft::Asset asset = baked(seed);
      const OpenAsset open(asset, {float32});
      const Now now = changed(asset, {}, seed);
      const Rebound rebound(open.get(), now);
      ASSERT_EQ(rebound.status, SUPPLE_OK) << supple_error_detail();
      EXPECT_EQ(rebound.info.distance, 0);
      EXPECT_EQ(rebound.info.scaled_parts, 0U);
      EXPECT_GT(rebound.info.reordered, 40U);
      expect_same_shapes(open.get(), rebound.asset, now.source, 1, 0);
    }
  }
}

TEST(Rebind, TheNewFileIsForTheNewMesh) {
  const soft::Asset asset = baked(7);
  const OpenAsset open(asset);
  Now now = changed(asset, {}, 7);
  const Rebound rebound(open.get(), now);
  ASSERT_EQ(rebound.status, SUPPLE_OK);
  std::vector<std::uint32_t> corners{0, 1, 2};
  for (const std::uint32_t i : {0, 1, 2}) corners.push_back(asset.parts[1].first_vertex + i);
  const std::uint64_t hash =
      supple_mesh_hash(now.positions.data(), now.source.size(), corners.data(), corners.size());
  EXPECT_EQ(supple_asset_check_mesh(rebound.asset, hash), SUPPLE_OK);
  // It is a whole file, and can be bound once more.
  std::size_t size = 0;
  const void* bytes = supple_asset_bytes(rebound.asset, &size);
  supple_asset* again = nullptr;
  EXPECT_EQ(supple_asset_open(bytes, size, &again), SUPPLE_OK);
  supple_asset_close(again);
  const Rebound back(rebound.asset, changed(asset, {.shuffled = false}, 7));
  ASSERT_EQ(back.status, SUPPLE_OK);
  expect_same_shapes(open.get(), back.asset, changed(asset, {.shuffled = false}, 7).source, 1, 0);
}

TEST(Rebind, FindsRoundedVertices) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const soft::Asset asset = baked(seed);
    const OpenAsset open(asset);
    constexpr double kGrid = 2.0 / 16383;  // 14 bits of the mesh's height
    const Now now = changed(asset, {.noise = kGrid / 2}, seed);
    const Rebound rebound(open.get(), now);
    ASSERT_EQ(rebound.status, SUPPLE_OK) << supple_error_detail();
    EXPECT_GT(rebound.info.distance, 0);
    EXPECT_LE(rebound.info.distance, kGrid);
    expect_same_shapes(open.get(), rebound.asset, now.source, 1, 0);
  }
}

TEST(Rebind, FollowsQuantisedMeshesIntoTheirBox) {
  for (const double scale : {0.37, 2.5, 128.0}) {
    for (const bool float32 : {false, true}) {
      const soft::Asset asset = baked(3);
      const OpenAsset open(asset, {float32});
      const Change change{.scale = scale, .shift = {0.3, -0.2, 5}, .noise = 1e-5};
      const Now now = changed(asset, change, 3);
      const Rebound rebound(open.get(), now);
      ASSERT_EQ(rebound.status, SUPPLE_OK) << supple_error_detail();
      EXPECT_EQ(rebound.info.scaled_parts, 2U);
      // Noise of 1e-5 on boxes of a metre, less by the root of the number of vertices.
      expect_same_shapes(open.get(), rebound.asset, now.source, scale, kRounding);
    }
  }
}

TEST(Rebind, MergedVerticesKeepOneOfTheirShapes) {
  const soft::Asset asset = baked(4);
  const OpenAsset open(asset);
  Now now;
  for (const soft::Part& part : asset.parts) {
    std::uint32_t count = 0;
    for (std::uint32_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      if (v > part.first_vertex && asset.positions[v] == asset.positions[v - 1]) continue;
      for (const float x : asset.positions[v]) now.positions.push_back(x);
      now.source.push_back(v);
      ++count;
    }
    now.primitives.insert(now.primitives.end(), {part.mesh, part.primitive, count, 3});
    now.indices.insert(now.indices.end(), {0, 1, 2});
  }
  ASSERT_LT(now.source.size(), asset.positions.size());
  const Rebound rebound(open.get(), now);
  ASSERT_EQ(rebound.status, SUPPLE_OK) << supple_error_detail();
  const Shapes was = shapes_of(open.get(), 0);
  const Shapes is = shapes_of(rebound.asset, 0);
  for (std::size_t v = 0; v < now.source.size(); ++v) {
    const auto same = [&](std::uint32_t source) {
      return std::equal(is.displacements.begin() + static_cast<std::ptrdiff_t>(3 * v),
                        is.displacements.begin() + static_cast<std::ptrdiff_t>(3 * v + 3),
                        was.displacements.begin() + static_cast<std::ptrdiff_t>(3 * source));
    };
    const std::uint32_t source = now.source[v];
    EXPECT_TRUE(same(source) || (source + 1 < asset.positions.size() && same(source + 1)));
  }
}

TEST(Rebind, FindsPartsThatMovedInTheFile) {
  const soft::Asset asset = baked(5);
  const OpenAsset open(asset);
  const Now now = changed(asset, {.mirrored_list = true}, 5);
  const Rebound rebound(open.get(), now);
  ASSERT_EQ(rebound.status, SUPPLE_OK) << supple_error_detail();
  supple_part_info part{};
  ASSERT_EQ(supple_asset_part(rebound.asset, 0, &part), SUPPLE_OK);
  EXPECT_EQ(part.mesh, 1U);
  EXPECT_EQ(part.primitive, 5U);
  expect_same_shapes(open.get(), rebound.asset, new_order(asset, now, true), 1, 0);
}

TEST(Rebind, PlaysAsBefore) {
  const soft::Asset asset = baked(6);
  const OpenAsset open(asset);
  const Now now = changed(asset, {.scale = 3, .shift = {1, 2, 3}}, 6);
  const Rebound rebound(open.get(), now);
  ASSERT_EQ(rebound.status, SUPPLE_OK);
  supple_player* raw = nullptr;
  ASSERT_EQ(supple_player_create(rebound.asset, &raw), SUPPLE_OK);
  const Player after(raw);
  const Player before = make_player(open);
  const double force[3] = {3, -2, 1};
  for (int step = 0; step < 30; ++step) {
    for (std::uint32_t object = 0; object < 2; ++object) {
      const Eigen::Vector3d place(0.1 * std::sin(0.4 * step), 0.01 * step * step, 0);
      ASSERT_EQ(set_pose(before.get(), object, place), SUPPLE_OK);
      ASSERT_EQ(set_pose(after.get(), object, place), SUPPLE_OK);
    }
    if (step == 10) {  // a push on the same vertex
      ASSERT_EQ(supple_player_push(before.get(), now.source[2], force), SUPPLE_OK);
      ASSERT_EQ(supple_player_push(after.get(), 2, force), SUPPLE_OK);
    }
    ASSERT_EQ(supple_player_step(before.get(), kFrame), SUPPLE_OK);
    ASSERT_EQ(supple_player_step(after.get(), kFrame), SUPPLE_OK);
    for (int k = 0; k < 5; ++k) {
      const double was = supple_player_coefficients(before.get())[k];
      EXPECT_NEAR(supple_player_coefficients(after.get())[k], was, kFloat * (1 + std::abs(was)));
    }
  }
}

TEST(Rebind, ShellsKeepTheirHandlesAndSolve) {
  soft::Asset asset = flesh_and_shell(45, 19);
  asset.parts = {{0, 0, 0, 45}};
  Random random(8);
  for (std::uint32_t v = 0; v < 45; ++v) {
    asset.positions.emplace_back(static_cast<float>(random.uniform()),
                                 static_cast<float>(random.uniform()),
                                 static_cast<float>(random.uniform()));
  }
  asset.normals.assign(45, Eigen::Vector3f::UnitZ());
  const OpenAsset open(asset);
  Now now = changed(asset, {.scale = 0.5}, 8);
  now.nodes = {70, 71, 72, 73};
  const Rebound rebound(open.get(), now);
  ASSERT_EQ(rebound.status, SUPPLE_OK) << supple_error_detail();
  expect_same_shapes(open.get(), rebound.asset, now.source, 0.5, kRounding);
  supple_object_info object{};
  ASSERT_EQ(supple_asset_object(rebound.asset, 1, &object), SUPPLE_OK);
  EXPECT_EQ(object.node, 71U);
  for (std::uint32_t a = 0; a < 2; ++a) {
    supple_attachment_info was{};
    supple_attachment_info is{};
    ASSERT_EQ(supple_asset_attachment(open.get(), a, &was), SUPPLE_OK);
    ASSERT_EQ(supple_asset_attachment(rebound.asset, a, &is), SUPPLE_OK);
    EXPECT_EQ(now.source[is.vertex], was.vertex);
    EXPECT_EQ(is.node, 72 + a);
  }
  supple_shell_info shell{};
  ASSERT_EQ(supple_asset_shell(rebound.asset, 1, &shell), SUPPLE_OK);
  EXPECT_TRUE(shell.has_rotation_strain != 0);
}

/// Flesh and a shell of one character in meshes of their own, which meet within a block of vertices
/// and are quantised in boxes of their own.
TEST(Rebind, ShellsBendInTheSpaceOfTheirOwnPart) {
  constexpr std::uint32_t kFlesh = 19;
  constexpr double kNoise = 6e-5;  // 14 bits of the size
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    soft::Asset asset = flesh_and_shell(90, kFlesh);
    asset.parts = {{0, 0, 0, kFlesh}, {1, 0, kFlesh, 90 - kFlesh}};
    Random random(seed);
    for (std::uint32_t v = 0; v < 90; ++v) {
      asset.positions.emplace_back(static_cast<float>(random.uniform()),
                                   static_cast<float>(random.uniform()),
                                   static_cast<float>(random.uniform()));
    }
    asset.normals.assign(90, Eigen::Vector3f::UnitZ());
    const OpenAsset open(asset);
    const Now now = changed_apart(asset,
                                  {{.scale = 2.7, .shift = {1, -2, 0}, .noise = kNoise},
                                   {.scale = 0.4, .shift = {0, 0.3, 4}, .noise = kNoise}},
                                  seed);
    const Rebound rebound(open.get(), now);
    ASSERT_EQ(rebound.status, SUPPLE_OK) << supple_error_detail();
    EXPECT_EQ(rebound.info.scaled_parts, 2U);
    supple_player* raw = nullptr;
    ASSERT_EQ(supple_player_create(rebound.asset, &raw), SUPPLE_OK);
    const Player after(raw);
    const Player before = make_player(open);
    const double force[3] = {0.03, -0.02, 0.01};
    const auto pushed = static_cast<std::uint32_t>(kFlesh + 7 * seed);
    double largest = 0;
    for (int step = 0; step < 30; ++step) {
      for (std::uint32_t object = 0; object < 2; ++object) {
        const Eigen::Vector3d place(0.01 * std::sin(0.4 * step), 0.001 * step * step, 0);
        ASSERT_EQ(set_pose(before.get(), object, place), SUPPLE_OK);
        ASSERT_EQ(set_pose(after.get(), object, place), SUPPLE_OK);
      }
      ASSERT_EQ(supple_player_push(before.get(), now.source[pushed], force), SUPPLE_OK);
      ASSERT_EQ(supple_player_push(after.get(), pushed, force), SUPPLE_OK);
      ASSERT_EQ(supple_player_step(before.get(), kFrame), SUPPLE_OK);
      ASSERT_EQ(supple_player_step(after.get(), kFrame), SUPPLE_OK);
      for (int k = 0; k < 7; ++k) {
        const double was = supple_player_coefficients(before.get())[k];
        largest = std::max(largest, std::abs(was));
        // The scale is known to the noise over the root of the number of vertices, and shapes are
        // numbers of 16 bits.
        EXPECT_NEAR(supple_player_coefficients(after.get())[k], was, 1e-4 * largest) << k;
      }
    }
    EXPECT_GT(largest, 0);
  }
}

TEST(Rebind, AShellInSeveralBoxesIsRefused) {
  soft::Asset asset = flesh_and_shell(45, 19);
  asset.parts = {{0, 0, 0, 19}, {1, 0, 19, 13}, {2, 0, 32, 13}};
  Random random(3);
  for (std::uint32_t v = 0; v < 45; ++v) {
    asset.positions.emplace_back(static_cast<float>(random.uniform()),
                                 static_cast<float>(random.uniform()),
                                 static_cast<float>(random.uniform()));
  }
  asset.normals.assign(45, Eigen::Vector3f::UnitZ());
  const OpenAsset open(asset);
  const Change one{.scale = 2, .shift = {1, 0, 0}};
  const Change other{.scale = 3, .shift = {0, 1, 0}};
  EXPECT_EQ(Rebound(open.get(), changed_apart(asset, {one, other, other}, 3)).status, SUPPLE_OK)
      << supple_error_detail();
  EXPECT_EQ(Rebound(open.get(), changed_apart(asset, {one, one, other}, 3)).status,
            SUPPLE_OTHER_MESH);
  EXPECT_NE(std::string(supple_error_detail()).find("different boxes"), std::string::npos);
}

TEST(Rebind, VerticesCloserThanTheyAreRoundedMayChangePlaces) {
  for (const bool shuffled : {false, true}) {
    soft::Asset asset = flesh_and_shell(45, 19);
    asset.parts = {{0, 0, 0, 45}};
    Random random(12);
    constexpr double kNoise = 2e-4;
    for (std::uint32_t v = 0; v < 45; ++v) {
      const Eigen::Vector3f place(static_cast<float>(random.uniform()),
                                  static_cast<float>(random.uniform()),
                                  static_cast<float>(random.uniform()));
      if (v % 2 == 0) {
        asset.positions.push_back(place);
      } else {
        asset.positions.emplace_back(asset.positions.back() + Eigen::Vector3f::Constant(1e-5F));
      }
    }
    asset.normals.assign(45, Eigen::Vector3f::UnitZ());
    const OpenAsset open(asset);
    const Now now = changed(asset, {.noise = kNoise, .shuffled = shuffled}, 13);
    const Rebound rebound(open.get(), now);
    ASSERT_EQ(rebound.status, SUPPLE_OK) << supple_error_detail();
    EXPECT_EQ(rebound.info.reordered > 0, shuffled);
    if (!shuffled) expect_same_shapes(open.get(), rebound.asset, now.source, 1, 0);
    supple_attachment_info held{};
    ASSERT_EQ(supple_asset_attachment(rebound.asset, 0, &held), SUPPLE_OK);
    const std::uint32_t was = asset.objects[1].shell->attachments[0].vertex;
    const Eigen::Vector3f far = asset.positions[now.source[held.vertex]] - asset.positions[was];
    EXPECT_LT(far.norm(), 4 * kNoise);
  }
}

TEST(Rebind, RefusesOtherMeshes) {
  const soft::Asset asset = baked(9);
  const OpenAsset open(asset);
  Now far = changed(asset, {}, 9);
  far.positions[30] += 0.01F;  // five times the tolerance
  EXPECT_EQ(Rebound(open.get(), far).status, SUPPLE_OTHER_MESH);
  EXPECT_NE(std::string(supple_error_detail()).find("primitive 0"), std::string::npos)
      << supple_error_detail();
  const Now other = changed(baked(10), {}, 9);
  EXPECT_EQ(Rebound(open.get(), other).status, SUPPLE_OTHER_MESH);
  Now half = changed(asset, {}, 9);
  half.primitives.resize(4);
  EXPECT_EQ(Rebound(open.get(), half).status, SUPPLE_OTHER_MESH);
  soft::Asset older = asset;
  older.positions.clear();
  older.normals.clear();
  const OpenAsset without(older);
  EXPECT_EQ(Rebound(without.get(), changed(asset, {}, 9)).status, SUPPLE_OTHER_MESH);
  EXPECT_NE(std::string(supple_error_detail()).find("bake it again"), std::string::npos);
}

TEST(Rebind, RefusesBadArguments) {
  const soft::Asset asset = baked(11);
  const OpenAsset open(asset);
  Now bad = changed(asset, {}, 11);
  bad.indices[1] = 30;
  EXPECT_EQ(Rebound(open.get(), bad).status, SUPPLE_BAD_ARGUMENT);
  bad = changed(asset, {}, 11);
  bad.positions[7] = std::nanf("");
  EXPECT_EQ(Rebound(open.get(), bad).status, SUPPLE_BAD_ARGUMENT);
  supple_asset* none = nullptr;
  EXPECT_EQ(supple_asset_rebind(open.get(), nullptr, nullptr, &none), SUPPLE_BAD_ARGUMENT);
  supple_mesh empty{};
  EXPECT_EQ(supple_asset_rebind(open.get(), &empty, nullptr, &none), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace supple::player::testing
