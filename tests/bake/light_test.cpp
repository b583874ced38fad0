// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/light.hpp"

#include "scene_replay.hpp"
#include "soft_block.hpp"
#include "temporary_directory.hpp"

#include "supple/bake/baked_file.hpp"
#include "supple/core/parallel.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/supple_file.hpp"
#include "supple/light/transfer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::bake {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFewRays =
    "[shapes]\ncount = 8\nheld_out = 2\n[transfer]\ndirections = 128\nbounces = 1\n";

/// A small scene, baked once for all tests.
const supple::testing::TemporaryDirectory& baked_block() {
  static const supple::testing::TemporaryDirectory directory;
  static const bool done = [] {
    SceneRequest request;
    request.model = SimulationModel{"block", samples::soft_block()};
    const auto report = testing::bake_into(directory.path(), request);
    EXPECT_TRUE(report.ok()) << report.error().describe();
    return report.ok();
  }();
  EXPECT_TRUE(done);
  return directory;
}

class LightJob : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!light::can_trace()) GTEST_SKIP() << "this build has no Embree";
  }

  Result<LightReport> light(const std::string& toml, const std::string& output,
                            const std::string& file = {}) const {
    m_directory.write("light.toml", toml);
    LightRequest request;
    request.file = file.empty() ? (baked_block() / "scene.glb").string() : file;
    request.config = m_directory.path("light.toml");
    request.output = m_directory.path(output);
    OutputSet files;
    SUPPLE_TRY(LightReport report, bake_light(request, files));
    SUPPLE_TRY_VOID(files.commit());
    return report;
  }
  [[nodiscard]] BakedFile opened(const std::string& name) const {
    return *BakedFile::open(*read_file(m_directory.path(name)), name);
  }
  supple::testing::TemporaryDirectory m_directory;
};

/// Colours of all vertices after a step, in a light of order 1: a radiance from everywhere.
std::vector<float> shaded(const BakedFile& file, float radiance) {
  supple_asset_info info{};
  EXPECT_EQ(supple_asset_describe(file.asset(), &info), SUPPLE_OK);
  supple_player* player = nullptr;
  EXPECT_EQ(supple_player_create(file.asset(), &player), SUPPLE_OK);
  const std::vector<float> light(3, radiance * static_cast<float>(std::sqrt(4 * std::numbers::pi)));
  EXPECT_EQ(supple_player_set_light(player, light.data(), 3), SUPPLE_OK);
  std::vector<float> colours(std::size_t{3} * info.vertex_count);
  supple_shading shading{};
  shading.front.data = colours.data();
  EXPECT_EQ(supple_player_shade(player, &shading), SUPPLE_OK);
  supple_player_destroy(player);
  return colours;
}

TEST_F(LightJob, MakesAFileThatPlaysAsBeforeAndAnswersLight) {
  const auto report = light(kFewRays, "lit.glb");
  ASSERT_TRUE(report.ok()) << report.error().describe();
  EXPECT_GT(report->shapes, 3U);
  EXPECT_LE(report->shapes, 8U);
  EXPECT_GT(report->rank, 0U);
  EXPECT_LE(report->relative_error, 0.02);
  EXPECT_GT(report->held_out_error, 0);
  EXPECT_LT(report->held_out_error, 0.3);
  EXPECT_GT(report->rays, 0U);
  EXPECT_EQ(report->bounces, 1);
  const BakedFile before =
      *BakedFile::open(*read_file(baked_block() / "scene.supple"), "scene.supple");
  const BakedFile after = opened("lit.supple");
  EXPECT_EQ(report->bytes, after.bytes().size());
  EXPECT_EQ(report->bytes - report->light_bytes, before.bytes().size());
  supple_light_info info{};
  ASSERT_EQ(supple_asset_light(after.asset(), &info), SUPPLE_OK);
  EXPECT_EQ(info.rank, report->rank);
  EXPECT_EQ(info.held_out_error, report->held_out_error);
  EXPECT_EQ(before.objects()[0].modes[0].displacements, after.objects()[0].modes[0].displacements);
  EXPECT_EQ(before.scene(0)->q, after.scene(0)->q);
  const auto glb = io::read_gltf(m_directory.path("lit.glb"));
  ASSERT_TRUE(glb.ok()) << glb.error().describe();
  EXPECT_TRUE(after.check_pair(glb->bake_id).ok());
}

TEST_F(LightJob, ABlockUnderAnEvenSkyHasItsAlbedo) {
  const auto report = light(kFewRays, "lit.glb");
  ASSERT_TRUE(report.ok()) << report.error().describe();
  const auto glb = io::read_gltf(m_directory.path("lit.glb"));
  ASSERT_TRUE(glb.ok());
  ASSERT_EQ(glb->base_colours.size(), 1U);
  const std::vector<float> colours = shaded(opened("lit.supple"), 1);
  // A convex body sees the whole sky; 64 directions of a hemisphere, and 16 bits.
  constexpr double kNoise = 0.03;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const double albedo = std::min(0.9, glb->base_colours[0][static_cast<Eigen::Index>(i % 3)]);
    EXPECT_NEAR(colours[i], albedo, kNoise * albedo) << "vertex " << i / 3;
  }
}

TEST_F(LightJob, ColoursOfTheGlbAreWhatThePlayerShowsAtRest) {
  const std::string sky = std::string(kFewRays) + "[sky]\nsun_strength = 0\nexposure = 0.05\n";
  const auto report = light(sky, "lit.glb");
  ASSERT_TRUE(report.ok()) << report.error().describe();
  EXPECT_EQ(report->exposure, 0.05);
  const auto glb = io::read_gltf(m_directory.path("lit.glb"));
  ASSERT_TRUE(glb.ok());
  const io::GltfPrimitive& primitive = glb->meshes[0].primitives[0];
  ASSERT_EQ(primitive.colours.size(), primitive.positions.size());
  // The top, under the open sky, is brighter than the foot's side, and nothing is black.
  double top = 0;
  double foot = 1;
  for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
    const double colour = primitive.colours[v].head<3>().mean();
    EXPECT_GT(colour, 0);
    EXPECT_LE(colour, 1);
    if (primitive.normals[v].y() > 0.9) top = std::max(top, colour);
    if (primitive.normals[v].y() < -0.9) foot = std::min(foot, colour);
  }
  EXPECT_GT(top, 1.5 * foot);
}

TEST_F(LightJob, IsTheSameFromAFileThatIsLitAlready) {
  ASSERT_TRUE(light(kFewRays, "once.glb").ok());
  ASSERT_TRUE(light(kFewRays, "twice.glb", m_directory.path("once.glb")).ok());
  EXPECT_EQ(m_directory.read("once.supple"), m_directory.read("twice.supple"));
  const auto once = io::read_gltf(m_directory.path("once.glb"));
  const auto twice = io::read_gltf(m_directory.path("twice.glb"));
  ASSERT_TRUE(once.ok() && twice.ok());
  EXPECT_EQ(once->meshes[0].primitives[0].colours, twice->meshes[0].primitives[0].colours);
}

TEST_F(LightJob, SameBytesForAnyNumberOfThreads) {
  std::vector<std::string> results;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    const auto report = light(kFewRays, "lit.glb");
    ASSERT_TRUE(report.ok()) << report.error().describe();
    results.push_back(m_directory.read("lit.glb") + m_directory.read("lit.supple"));
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_F(LightJob, LightOfTheFileComesBack) {
  ASSERT_TRUE(light(kFewRays, "lit.glb").ok());
  const BakedFile file = opened("lit.supple");
  const auto stored = file.light();
  ASSERT_TRUE(stored.has_value());
  const auto again = io::with_light(file.bytes(), *stored);
  ASSERT_TRUE(again.ok()) << again.error().describe();
  // What was rounded once is not rounded again.
  EXPECT_EQ(Bytes(file.bytes().begin(), file.bytes().end()), again->bytes);
  const BakedFile dark =
      *BakedFile::open(*read_file(baked_block() / "scene.supple"), "scene.supple");
  EXPECT_FALSE(dark.light().has_value());
}

TEST_F(LightJob, WhatItCannotLightIsNamed) {
  const auto refused = [&](const std::string& toml, const std::string& file,
                           const std::string& part) {
    const auto report = light(toml, "lit.glb", file);
    ASSERT_FALSE(report.ok()) << part;
    EXPECT_NE(report.error().describe().find(part), std::string::npos) << report.error().describe();
    EXPECT_FALSE(fs::exists(m_directory.path("lit.glb")));
  };
  refused(kFewRays, m_directory.path("none.glb"), "none.glb");
  fs::copy_file(baked_block() / "scene.glb", m_directory.path("alone.glb"));
  refused(kFewRays, m_directory.path("alone.glb"), "alone.supple");
  refused("[transfer]\ndirections = 100\n", {}, "no power of two");
  refused("[transfer]\norder = 7\n", {}, "order");
  refused("[sky]\nsun = [0, 0, 0]\n", {}, "sun");
  refused("[sky]\nmap = \"none.hdr\"\n", {}, "none.hdr");
  refused("[light]\n", {}, "light.toml");
}

}  // namespace
}  // namespace supple::bake
