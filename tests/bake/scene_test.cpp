// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/scene.hpp"

#include "scene_replay.hpp"
#include "soft_block.hpp"
#include "temporary_directory.hpp"

#include "supple/core/parallel.hpp"
#include "supple/io/gltf.hpp"

namespace supple::bake {
namespace {

namespace fs = std::filesystem;

class SceneJob : public ::testing::Test {
 protected:
  [[nodiscard]] Result<SceneReport> bake(const std::string& toml) const {
    SceneRequest request;
    request.model = SimulationModel{"block", toml};
    return testing::bake_into(m_directory.path(), request);
  }
  void expect_refused(const std::string& toml, ErrorCode code, const std::string& part) const {
    fs::remove_all(m_directory / "scene.glb.work");
    const auto report = bake(toml);
    ASSERT_FALSE(report.ok()) << toml;
    EXPECT_EQ(report.error().code(), code) << report.error().describe();
    EXPECT_NE(report.error().describe().find(part), std::string::npos) << report.error().describe();
    EXPECT_FALSE(fs::exists(m_directory / "scene.glb"));
    EXPECT_FALSE(fs::exists(m_directory / "scene.supple"));
  }
  supple::testing::TemporaryDirectory m_directory;
};

TEST_F(SceneJob, MakesASceneThatPlays) {
  const auto report = bake(samples::soft_block());
  ASSERT_TRUE(report.ok()) << report.error().describe();
  EXPECT_GE(report->sampled_states, report->input.settings.sampling.states);
  EXPECT_GE(report->sampled_states, report->states);
  EXPECT_GE(report->responses, 2U);
  EXPECT_EQ(report->failed_responses, 0U);
  EXPECT_EQ(report->certificate.intersections_samples, 0U);
  EXPECT_LE(report->relative_error, report->input.settings.shapes.tolerance);
  EXPECT_LT(report->bytes, report->raw_bytes);
  const BakedFile file = *BakedFile::open(*read_file(m_directory / "scene.supple"), "scene.supple");
  supple_scene_info info;
  ASSERT_EQ(supple_asset_scene(file.asset(), 0, &info), SUPPLE_OK);
  EXPECT_EQ(info.entry_count, 2U);
  EXPECT_EQ(info.response_count, report->responses);
  EXPECT_EQ(info.state_count, report->states);
  const auto glb = io::read_gltf(m_directory / "scene.glb");
  ASSERT_TRUE(glb.ok()) << glb.error().describe();
  EXPECT_EQ(glb->animations.size(), 2U + report->loops.size());
}

TEST_F(SceneJob, SameBytesForAnyNumberOfThreads) {
  std::vector<std::string> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const auto report = bake(samples::soft_block());
    ASSERT_TRUE(report.ok()) << report.error().describe();
    results.push_back(m_directory.read("scene.glb") + m_directory.read("scene.supple"));
    fs::remove_all(m_directory / "scene.glb.work");
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_F(SceneJob, GoesOnFromItsSamples) {
  const auto first = bake(samples::soft_block());
  ASSERT_TRUE(first.ok()) << first.error().describe();
  EXPECT_EQ(first->resumed_chains, 0U);
  const std::string bytes = m_directory.read("scene.supple");
  fs::remove(m_directory / "scene.glb.work" / "chain_000003.bin");
  const auto again = bake(samples::soft_block());
  ASSERT_TRUE(again.ok()) << again.error().describe();
  EXPECT_EQ(again->resumed_chains, first->chains - 1);
  EXPECT_EQ(m_directory.read("scene.supple"), bytes);
  // Of what was sampled, another tolerance makes other shapes.
  const auto coarse = bake(samples::soft_block({.shapes = "tolerance = 0.3\n"}));
  ASSERT_TRUE(coarse.ok()) << coarse.error().describe();
  EXPECT_EQ(coarse->resumed_chains, first->chains);
  EXPECT_LT(coarse->rank, first->rank);
  const auto other = bake(samples::soft_block({.sampling = "seed = 2\n"}));
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().describe().find("another scene"), std::string::npos);
}

TEST_F(SceneJob, RefusesPalettesThatCannotBePlayed) {
  expect_refused(samples::soft_block({.entries = ""}), ErrorCode::BadInput, "palette is empty");
  expect_refused(samples::soft_block({.entries = "[[entry]]\nname = \"a\"\nfollowed_by = [\"a\"]\n"
                                                 "[[entry]]\nname = \"b\"\nfrom_rest = false\n"}),
                 ErrorCode::BadInput, "entry 'b' can never act");
  expect_refused(samples::soft_block({.entries = "[[entry]]\nname = \"a\"\nfollowed_by = [\"c\"]\n"
                                                 "[[entry]]\nname = \"b\"\n"}),
                 ErrorCode::BadInput, "followed by 'c', which does not exist");
}

TEST_F(SceneJob, RefusesWhatCannotBeMet) {
  expect_refused(samples::soft_block({.sampling = "shortest = 0.5\nlongest = 0.4\n"}),
                 ErrorCode::BadInput, "longer than the longest");
  expect_refused(samples::soft_block({.shapes = "tolerance = 1e-9\nmax_rank = 2\n"}),
                 ErrorCode::BadInput, "2 shapes leave");
  expect_refused(samples::soft_block({.shapes = "rank = 200\n"}), ErrorCode::BadInput,
                 "independent shapes only, not 200");
}

// A sheet of 10,000 vertices for ten million frames: terabytes.
TEST_F(SceneJob, RefusesSamplesThatDoNotFitOnTheDisk) {
  const double terabytes = 2e12;
  if (!(static_cast<double>(fs::space(m_directory.path()).available) < terabytes)) {
    GTEST_SKIP() << "the disk has room for everything";
  }
  expect_refused(
      "[[cloth]]\ncells = 100\n[sampling]\nstates = 10000000\n[[entry]]\nname = \"blow\"\n",
      ErrorCode::Io, "free; sample fewer states");
  EXPECT_FALSE(fs::exists(m_directory / "scene.glb.work"));
}

}  // namespace
}  // namespace supple::bake
