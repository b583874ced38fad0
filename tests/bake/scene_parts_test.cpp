// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/parts.hpp"

#include "scene_replay.hpp"
#include "soft_block.hpp"
#include "temporary_directory.hpp"

#include "supple/bake/play_scene.hpp"
#include "supple/bake/scene_truth.hpp"

#include <fmt/format.h>

#include <cstring>

namespace supple::bake {
namespace {

/// Two blocks of 27 vertices beside each other, of different stiffness; "up" acts on the second.
std::string two_blocks(double apart, const std::string& parts = "parts = \"bodies\"\n") {
  std::string toml =
      parts +
      "rate = 30\n"
      "[sampling]\nstates = 200\nsettle = 0.5\nrest = 4\nchain = 2\nshortest = 0.1\nlongest = "
      "0.3\n"
      "[shapes]\ntolerance = 0.05\n[solver]\nmass_damping = 4\n"
      "[[entry]]\nname = \"left\"\n[entry.impulse]\nvelocity = [-0.6, 0, 0]\n"
      "[[entry]]\nname = \"up\"\nparts = [\"hard\"]\n[entry.impulse]\nvelocity = [0, 0.4, 0.3]\n";
  const struct {
    const char* name;
    double x, young;
  } blocks[] = {{"soft", 0, 2e4}, {"hard", 0.1 + apart, 4e4}};
  for (const auto& block : blocks) {
    toml += fmt::format(
        "[[solid]]\nname = \"{0}\"\nsize = [0.1, 0.1, 0.1]\ncells = 2\nposition = [{1}, 0, 0]\n"
        "material = {{youngs_modulus = {2}, poisson_ratio = 0.4, density = 1000}}\n"
        "[[pin]]\nbody = \"{0}\"\nwhere = [\"y<-0.049\"]\n",
        block.name, block.x, block.young);
  }
  return toml;
}

class SceneParts : public ::testing::Test {
 protected:
  [[nodiscard]] Result<SceneReport> bake(const std::string& toml) const {
    SceneRequest request;
    request.model = SimulationModel{"blocks", toml};
    return testing::bake_into(m_directory.path(), request);
  }
  [[nodiscard]] BakedFile file() const {
    return *BakedFile::open(*read_file(m_directory / "scene.supple"), "scene.supple");
  }
  supple::testing::TemporaryDirectory m_directory;
};

using ScenePlayer = std::unique_ptr<supple_player, decltype(&supple_player_destroy)>;

ScenePlayer player_of(const BakedFile& file) {
  supple_player* created = nullptr;
  EXPECT_EQ(supple_player_create(file.asset(), &created), SUPPLE_OK);
  return {created, supple_player_destroy};
}

TEST_F(SceneParts, HaveAPortraitEach) {
  const auto report = bake(two_blocks(0.3));
  ASSERT_TRUE(report.ok()) << report.error().describe();
  ASSERT_EQ(report->parts.size(), 2U);
  EXPECT_TRUE(report->warnings.empty());
  const BakedFile baked = file();
  const auto parts = *scene_parts(baked);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].name, "soft");
  EXPECT_EQ(parts[1].name, "hard");
  ASSERT_EQ(parts[0].palette.size(), 1U);
  EXPECT_EQ(parts[0].palette[0].name, "left");
  ASSERT_EQ(parts[1].palette.size(), 2U);
  EXPECT_EQ(parts[1].palette[1].name, "up");
  std::vector<int> owners(report->vertices, 0);
  for (const soft::Object& object : baked.objects()) {
    for (const std::uint32_t v : object.vertices) ++owners.at(v);
  }
  // What is pinned and keeps its normal belongs to nobody.
  EXPECT_EQ(*std::max_element(owners.begin(), owners.end()), 1);
  EXPECT_GT(2 * std::count(owners.begin(), owners.end(), 1), static_cast<long>(owners.size()));
  for (const ScenePartReport& part : report->parts) {
    EXPECT_LE(part.relative_error, report->input.settings.shapes.tolerance);
    EXPECT_GT(part.states, 0U);
  }
}

/// What the first chain did, played again on both parts, to what the shapes leave.
TEST_F(SceneParts, ReplayASampledSequence) {
  std::string toml = two_blocks(0.3);
  const std::size_t at = toml.find("[[entry]]\nname = \"up\"");
  toml.erase(at, toml.find("[[solid]]") - at);  // one entry, which acts on both
  const auto report = bake(toml);
  ASSERT_TRUE(report.ok()) << report.error().describe();
  const scene::Chain chain = testing::load_chains(m_directory / "scene.glb.work").front();
  const BakedFile baked = file();
  std::vector<SceneTrigger> triggers;
  std::size_t frame = 0;
  for (const scene::Response& response : chain.responses) {
    const double time = static_cast<double>(frame) / 30;
    triggers.push_back({time, 0, 1, 0});
    triggers.push_back({time, 0, 1, 1});
    frame += response.frames;
  }
  ScenePlaySettings settings;
  settings.seconds = static_cast<double>(frame) / 30;
  const auto play = play_scene(baked, triggers, settings);
  ASSERT_TRUE(play.ok()) << play.error().describe();
  const SceneInput input = *kept_scene(baked, "");
  const auto truth = simulate_parts(baked, input, triggers, frame);
  ASSERT_TRUE(truth.ok()) << truth.error().describe();
  const SceneDifference difference = *compare_with_simulation(baked, play->tracks, *truth);
  // The simulator goes through the same states as the sampler, so that only shapes and 16 bits
  // are between them.
  double worst = 0;
  for (const ScenePartReport& part : report->parts) worst = std::max(worst, part.relative_error);
  constexpr double kOneOfMany = 1.5;  // one chain's share of the error of all
  EXPECT_LE(difference.relative, kOneOfMany * worst + testing::kSixteenBitScene);
  EXPECT_GT(difference.relative, 0);
}

TEST_F(SceneParts, DoNotReachEachOther) {
  ASSERT_TRUE(bake(two_blocks(0.3)).ok());
  const BakedFile baked = file();
  supple_object_info hard{};
  ASSERT_EQ(supple_asset_object(baked.asset(), 1, &hard), SUPPLE_OK);
  const ScenePlayer both = player_of(baked);
  const ScenePlayer alone = player_of(baked);
  for (const ScenePlayer* player : {&both, &alone}) {
    ASSERT_EQ(supple_player_trigger(player->get(), 1, 1, 1), SUPPLE_OK);
  }
  double moved = 0;
  for (int frame = 0; frame < 60; ++frame) {
    if (frame == 4) {
      ASSERT_EQ(supple_player_trigger(both.get(), 0, 0, 1), SUPPLE_OK);
    }
    for (const ScenePlayer* player : {&both, &alone}) {
      ASSERT_EQ(supple_player_step(player->get(), 1.0 / 30), SUPPLE_OK);
    }
    const float* q = supple_player_coefficients(both.get());
    const float* p = supple_player_coefficients(alone.get());
    EXPECT_EQ(std::memcmp(q + hard.first_mode, p + hard.first_mode, hard.mode_count * sizeof *q),
              0);
    moved = std::max(moved, std::abs(static_cast<double>(q[0] - p[0])));
  }
  EXPECT_GT(moved, 0);
}

TEST_F(SceneParts, ThatTouchAreRefused) {
  // The soft block, on the right of the hard one here, is pushed to the left and goes further.
  const auto report = bake(two_blocks(-0.201));
  ASSERT_FALSE(report.ok());
  const std::string message = report.error().describe();
  EXPECT_NE(message.find("'hard' and 'soft' touch each other"), std::string::npos) << message;
  EXPECT_NE(message.find("[[part]]"), std::string::npos) << message;
  EXPECT_FALSE(std::filesystem::exists(m_directory / "scene.supple"));
}

TEST_F(SceneParts, SaysWhatIsWrong) {
  const struct {
    std::string toml, why;
  } scenes[] = {
      {two_blocks(0.3, "parts = \"leaves\"\n"), "parts"},
      {two_blocks(0.3, ""), "acts on the part 'hard', which does not exist"},
      {two_blocks(0.3) + "[[part]]\nname = \"a\"\nbodies = [\"soft\"]\n", "not both"},
      {two_blocks(0.3, "") + "[[part]]\nname = \"hard\"\nbodies = [\"soft\"]\n",
       "the body 'hard' belongs to 0 [[part]]s"},
      {two_blocks(0.3, "") + "[[part]]\nname = \"hard\"\nbodies = [\"sofa\"]\n",
       "did you mean 'soft'"},
  };
  for (const auto& [toml, why] : scenes) {
    std::filesystem::remove_all(m_directory / "scene.glb.work");
    const auto report = bake(toml);
    ASSERT_FALSE(report.ok()) << why;
    EXPECT_NE(report.error().describe().find(why), std::string::npos) << report.error().describe();
  }
}

TEST(FindParts, SeparatesPiecesOfCloth) {
  simulator::Body cloth;
  cloth.name = "leaves";
  cloth.kind = simulator::BodyKind::Sheet;
  cloth.vertex_count = 7;
  cloth.surface = {{0, 4, 2}, {1, 5, 3}, {3, 5, 6}};
  simulator::Body solid;
  solid.name = "pot";
  solid.vertex_count = 2;
  SceneSettings settings;
  settings.parts = SceneSplit::Pieces;
  const auto parts = detail::find_parts(settings, "plant", {solid, cloth});
  ASSERT_TRUE(parts.ok());
  EXPECT_EQ(parts->names, (std::vector<std::string>{"pot", "leaves 1", "leaves 2"}));
  EXPECT_EQ(parts->of_vertex, (std::vector<std::uint32_t>{0, 0, 1, 2, 1, 2, 1, 2, 2}));
}

}  // namespace
}  // namespace supple::bake
