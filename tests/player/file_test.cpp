// SPDX-License-Identifier: Apache-2.0
// What io writes is what the player shows.
#include "supple/format/layout.hpp"
#include "supple/io/supple_file.hpp"

#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

namespace supple::player::testing {
namespace {

TEST(SuppleFile, ComesBackAsWritten) {
  MeshSpec spec;
  spec.coriolis = true;
  const soft::Asset asset = random_asset(spec);
  const OpenAsset file(asset);
  supple_asset_info info{};
  ASSERT_EQ(supple_asset_describe(file.get(), &info), SUPPLE_OK);
  EXPECT_EQ(info.version_major, format::kVersionMajor);
  EXPECT_EQ(info.vertex_count, 53U);
  EXPECT_EQ(info.index_count, 3U);
  EXPECT_EQ(info.part_count, 2U);
  EXPECT_EQ(info.object_count, 2U);
  EXPECT_EQ(info.mode_count, 5U);
  EXPECT_EQ(info.encoding_bits, 16U);
  EXPECT_EQ(info.mesh_hash, 0x1234U);
  EXPECT_EQ(info.metres_per_unit, 0.01);
  EXPECT_STREQ(info.generator, "synthetic");
  supple_part_info part{};
  ASSERT_EQ(supple_asset_part(file.get(), 1, &part), SUPPLE_OK);
  EXPECT_EQ(part.primitive, 1U);
  EXPECT_EQ(part.first_vertex, 26U);
  EXPECT_EQ(part.vertex_count, 27U);
  EXPECT_EQ(supple_asset_part(file.get(), 2, &part), SUPPLE_BAD_ARGUMENT);
  supple_object_info object{};
  uint32_t index = 0;
  ASSERT_EQ(supple_asset_find_object(file.get(), "flesh 1", &index), SUPPLE_OK);
  EXPECT_EQ(supple_asset_find_object(file.get(), "flesh", &index), SUPPLE_BAD_ARGUMENT);
  ASSERT_EQ(supple_asset_object(file.get(), index, &object), SUPPLE_OK);
  EXPECT_STREQ(object.name, "flesh 1");
  EXPECT_STREQ(object.bone, "bone");
  EXPECT_EQ(object.node, 7U);
  EXPECT_EQ(object.joint, 2U);
  EXPECT_EQ(object.first_mode, 3U);
  EXPECT_EQ(object.mode_count, 2U);
  EXPECT_EQ(object.has_coriolis, 1);
  EXPECT_EQ(object.mass_kg, 2);
  supple_mode_info mode{};
  ASSERT_EQ(supple_asset_mode(file.get(), 4, &mode), SUPPLE_OK);
  EXPECT_NEAR(mode.frequency_hz, 3, 1e-12);
  EXPECT_EQ(mode.damping, 0.1);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(mode.transfer[i], asset.objects[1].modes[1].transfer[i]);
    EXPECT_EQ(mode.centrifugal[i], asset.objects[1].modes[1].centrifugal[i]);
  }
}

/// Largest difference of a mode's shape from what went in, over all vertices.
double shape_error(const soft::Asset& asset, const OpenAsset& file) {
  double worst = 0;
  std::uint32_t index = 0;
  for (const soft::Object& object : asset.objects) {
    for (const soft::Mode& mode : object.modes) {
      std::vector<Eigen::Vector3f> u(asset.vertex_count);
      std::vector<Eigen::Vector3f> n(asset.vertex_count);
      EXPECT_EQ(supple_asset_mode_shape(file.get(), index++, u[0].data(), n[0].data()), SUPPLE_OK);
      std::vector<Eigen::Vector3f> expected_u(asset.vertex_count, Eigen::Vector3f::Zero());
      std::vector<Eigen::Vector3f> expected_n = expected_u;
      for (std::size_t i = 0; i < object.vertices.size(); ++i) {
        expected_u[object.vertices[i]] = mode.displacements[i].cast<float>();
        expected_n[object.vertices[i]] = mode.normals[i].cast<float>();
      }
      for (std::size_t v = 0; v < asset.vertex_count; ++v) {
        worst = std::max<double>(worst, (u[v] - expected_u[v]).cwiseAbs().maxCoeff());
        worst = std::max<double>(worst, (n[v] - expected_n[v]).cwiseAbs().maxCoeff());
      }
    }
  }
  return worst;
}

TEST(SuppleFile, ShapesAreExactAsFloatsAndHalfAStepOffAsIntegers) {
  MeshSpec spec;
  const soft::Asset asset = random_asset(spec);
  EXPECT_EQ(shape_error(asset, OpenAsset(asset, {.float32 = true})), 0);
  // Numbers up to 1 in steps of 1/32767.
  const double error = shape_error(asset, OpenAsset(asset));
  EXPECT_LT(error, 0.5001 / 32767);
  EXPECT_GT(error, 0.4 / 32767);
}

TEST(SuppleFile, StatesItsRoundingInMetres) {
  MeshSpec spec;
  const soft::Asset asset = random_asset(spec);
  const auto exact = io::write_supple(asset, {.float32 = true});
  ASSERT_TRUE(exact.ok());
  EXPECT_EQ(exact->position_error, 0);
  const auto rounded = io::write_supple(asset);
  ASSERT_TRUE(rounded.ok());
  // Three components of half a step, times 0.01 m per unit.
  EXPECT_LT(rounded->position_error, 0.01 * std::sqrt(3) * 0.5001 / 32767);
  EXPECT_GT(rounded->position_error, 0.01 * 0.4 / 32767);
  EXPECT_NEAR(rounded->relative_error, rounded->position_error / (0.01 * 1.6), 4e-6);
}

TEST(SuppleFile, LargestDisplacementIsInMetres) {
  MeshSpec spec;
  const soft::Asset asset = random_asset(spec);
  const OpenAsset file(asset);
  supple_mode_info mode{};
  ASSERT_EQ(supple_asset_mode(file.get(), 0, &mode), SUPPLE_OK);
  double largest = 0;
  for (const auto& u : asset.objects[0].modes[0].displacements) {
    largest = std::max<double>(largest, u.norm());
  }
  EXPECT_NEAR(mode.largest_displacement, 0.01 * largest, 1e-8);
}

TEST(SuppleFile, BadAssetsAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using Asset = soft::Asset;
  const std::pair<const char*, std::function<void(Asset&)>> cases[] = {
      {"flesh 0", [](Asset& a) { a.objects[0].modes.clear(); }},
      {"flesh 0", [](Asset& a) { a.objects[0].vertices[3] = 99; }},
      {"flesh 0", [](Asset& a) { a.objects[0].vertices[3] = a.objects[0].vertices[2]; }},
      {"flesh 1", [nan](Asset& a) { a.objects[1].limit = nan; }},
      {"flesh 1", [](Asset& a) { a.objects[1].coriolis.emplace_back(2, 2); }},
      {"flesh 1', mode 2", [](Asset& a) { a.objects[1].modes[1].omega = 0; }},
      {"flesh 1', mode 2", [](Asset& a) { a.objects[1].modes[1].damping = -1; }},
      {"flesh 1', mode 2", [](Asset& a) { a.objects[1].modes[1].normals.pop_back(); }},
      {"flesh 1', mode 2", [nan](Asset& a) { a.objects[1].modes[1].transfer[2] = nan; }},
      {"primitive 1", [](Asset& a) { a.parts[1].first_vertex = 5; }},
      {"parts", [](Asset& a) { a.parts.pop_back(); }},
      {"metres per unit", [](Asset& a) { a.metres_per_unit = 0; }}};
  for (const auto& [name, spoil] : cases) {
    Asset asset = random_asset({});
    spoil(asset);
    const auto written = io::write_supple(asset);
    ASSERT_FALSE(written.ok()) << name;
    EXPECT_NE(written.error().message().find(name), std::string::npos) << written.error().message();
  }
}

}  // namespace
}  // namespace supple::player::testing
