// SPDX-License-Identifier: Apache-2.0
#include "scene_replay.hpp"

#include "ribbon.hpp"
#include "temporary_directory.hpp"

#include "supple/core/parallel.hpp"
#include "supple/io/gltf.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>

namespace supple::bake {
namespace {

using testing::Ribbon;

class ForeignSceneJob : public ::testing::Test {
 protected:
  Result<SceneReport> bake(const ForeignScene& foreign) const {
    SceneRequest request;
    request.foreign = foreign;
    return testing::bake_into(m_directory.path(), request);
  }
  [[nodiscard]] std::string error_of(const ForeignScene& foreign) const {
    const auto report = bake(foreign);
    return report.ok() ? "accepted" : report.error().describe();
  }
  supple::testing::TemporaryDirectory m_directory;
};

TEST_F(ForeignSceneJob, ReplaysWhatTheSimulatorDid) {
  SceneReport report;
  const testing::ReplayReport replay =
      testing::bake_and_replay(testing::ribbon_scene(), m_directory.path(), report);
  EXPECT_GT(replay.frames, 1000U);
  EXPECT_GT(replay.responses, 5U);
  EXPECT_LE(report.relative_error, 0.01);
  EXPECT_GT(replay.shapes, 0);
  EXPECT_LT(replay.played, replay.shapes + testing::kSixteenBitScene);
  const auto glb = io::read_gltf(m_directory / "scene.glb");
  ASSERT_TRUE(glb.ok()) << glb.error().describe();
  EXPECT_EQ(glb->animations.size(), 3U + report.loops.size());
}

TEST_F(ForeignSceneJob, SameBytesForAnyNumberOfThreads) {
  std::vector<std::string> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const auto report = bake(testing::ribbon_scene());
    ASSERT_TRUE(report.ok()) << report.error().describe();
    results.push_back(m_directory.read("scene.glb") + m_directory.read("scene.supple"));
    std::filesystem::remove_all(m_directory / "scene.glb.work");
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// As many states as random chains have, and less to make up for.
TEST_F(ForeignSceneJob, AdaptiveSamplingLowersBlendsAtEqualCost) {
  ForeignScene scene = testing::ribbon_scene();
  for (SceneEntrySettings& entry : scene.settings.entries) entry.strengths = {1};
  scene.settings.sampling.chain = 5;
  scene.settings.sampling.rest = 3;
  scene.settings.sampling.longest = 1.2;
  scene.settings.sampling.states = 7000;
  scene.settings.shapes.tolerance = 0.002;
  std::array<double, 2> coverage{};
  std::array<double, 2> pops{};
  for (const bool adaptive : {false, true}) {
    scene.settings.sampling.adaptive = adaptive;
    std::filesystem::remove_all(m_directory / "scene.glb.work");
    const auto report = bake(scene);
    ASSERT_TRUE(report.ok()) << report.error().describe();
    coverage.at(adaptive ? 1 : 0) = report->certificate.coverage.mean;
    pops.at(adaptive ? 1 : 0) = report->certificate.paper_pops.mean;
    scene.settings.sampling.states = report->sampled_states;
  }
  EXPECT_LT(coverage[1], 0.9 * coverage[0]);
  EXPECT_LT(pops[1], 0.9 * pops[0]);
}

// What is missing of an interrupted bake is sampled from the same starts.
TEST_F(ForeignSceneJob, GoesOnFromAnySampleToTheSameBytes) {
  const ForeignScene scene = testing::ribbon_scene();
  const auto first = bake(scene);
  ASSERT_TRUE(first.ok()) << first.error().describe();
  const std::string bytes = m_directory.read("scene.supple");
  for (const std::size_t lost : {first->chains - 1, first->chains / 2}) {
    for (std::size_t c = lost; c < first->chains; ++c) {
      std::filesystem::remove(m_directory / "scene.glb.work" / fmt::format("chain_{:06}.bin", c));
    }
    const auto again = bake(scene);
    ASSERT_TRUE(again.ok()) << again.error().describe();
    EXPECT_EQ(again->resumed_chains, lost);
    EXPECT_EQ(m_directory.read("scene.supple"), bytes);
  }
}

/// Every so many of the simulators that are made fail, whatever they say about it.
ForeignScene failing(scene::Springs::Fault fault, int every) {
  ForeignScene scene = testing::ribbon_scene();
  const auto made = std::make_shared<std::atomic<int>>(0);
  scene.make = [fault, every, made]() -> Result<std::unique_ptr<scene::Simulator>> {
    constexpr int kAfter = 20;  // steps
    auto ribbon = std::make_unique<Ribbon>();
    if (made->fetch_add(1) % every == 0) ribbon->springs.fails_after = kAfter;
    ribbon->springs.fault = fault;
    return std::unique_ptr<scene::Simulator>(std::move(ribbon));
  };
  return scene;
}

TEST_F(ForeignSceneJob, CountsResponsesThatFailAndDoesNotPlayThem) {
  const auto report = bake(failing(scene::Springs::Fault::NotFinite, 6));
  ASSERT_TRUE(report.ok()) << report.error().describe();
  EXPECT_GT(report->failed_responses, 0U);
  EXPECT_EQ(report->certificate.intersections_samples, 0U);
  for (const scene::Chain& chain : testing::load_chains(m_directory / "scene.glb.work")) {
    for (const float x : chain.positions) ASSERT_TRUE(std::isfinite(x));
  }
}

TEST_F(ForeignSceneJob, RefusesSimulatorsThatFailTooOften) {
  for (const auto fault : {scene::Springs::Fault::Error, scene::Springs::Fault::NotFinite,
                           scene::Springs::Fault::Intersections}) {
    std::filesystem::remove_all(m_directory / "scene.glb.work");
    const auto report = bake(failing(fault, 1));
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code(), ErrorCode::NotConverged);
    EXPECT_NE(report.error().describe().find("responses; make impulses weaker"), std::string::npos)
        << report.error().describe();
    EXPECT_FALSE(std::filesystem::exists(m_directory / "scene.glb"));
  }
}

TEST_F(ForeignSceneJob, RefusesSurfacesAndPalettesThatDoNotFit) {
  ForeignScene scene = testing::ribbon_scene();
  scene.rest.positions.pop_back();
  scene.rest.triangles.pop_back();
  EXPECT_NE(error_of(scene).find("5 vertices and its surface 4"), std::string::npos);
  scene = testing::ribbon_scene();
  scene.settings.entries[1].impulse.emplace();
  EXPECT_NE(error_of(scene).find("entry 'up': another simulator"), std::string::npos);
  scene = testing::ribbon_scene();
  scene.settings.simulation.cloths.emplace_back();
  EXPECT_NE(error_of(scene).find("no bodies of its own"), std::string::npos);
}

TEST_F(ForeignSceneJob, RefusesSamplesOfAnotherSimulator) {
  ForeignScene scene = testing::ribbon_scene();
  ASSERT_TRUE(bake(scene).ok());
  scene.identity = "ribbon 2";
  EXPECT_NE(error_of(scene).find("another scene"), std::string::npos);
}

TEST_F(ForeignSceneJob, SaysWhatCanBeMetWhereRankAndToleranceCannot) {
  ForeignScene scene = testing::ribbon_scene();
  scene.settings.shapes.max_rank = 2;
  scene.settings.shapes.tolerance = 1e-6;
  EXPECT_NE(error_of(scene).find("more shapes (max_rank) or a larger tolerance"),
            std::string::npos);
  scene.settings.shapes.rank = 40;
  EXPECT_NE(error_of(scene).find("15 independent shapes only, not 40"), std::string::npos);
}

}  // namespace
}  // namespace supple::bake
