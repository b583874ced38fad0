// SPDX-License-Identifier: Apache-2.0
// Scenes through the file and the player.
#include "playing.hpp"
#include "supple/core/random.hpp"

namespace supple::scene {
namespace {

/// What 16 bits leave of the largest coordinate.
constexpr double kSixteenBits = 1.0 / 32767;

/// Triggers at the frames at which the sampler did: the simulation comes back.
TEST(Playback, ReplaysASampledSequence) {
  const Sampled sampled(7);
  const Playing playing(sampled);
  // Half a unit for the states. Slopes of rounded states are off by up to two units per frame, and
  // an offset with such a velocity grows to 1 / (e l) = 1.3 frames' worth of it.
  const double tolerance = 3.1 * kSixteenBits * sampled.portrait.q.cwiseAbs().maxCoeff();
  std::size_t replayed = 0;
  std::size_t chains = 0;
  for (std::size_t c = 0, first = 0; c < sampled.chains.size(); ++c) {
    supple_player_reset(playing.player);
    const std::vector<Response>& responses = sampled.chains[c].responses;
    for (std::size_t r = 0; r < responses.size();) {
      std::size_t next = r + 1;
      while (next < responses.size() && responses[next].group == r) ++next;
      // The chain went on from one of the group: the next one's origin tells from which.
      const std::size_t taken = next < responses.size() ? responses[next].origin.response : r;
      playing.trigger(static_cast<std::uint32_t>(responses[taken].entry),
                      responses[taken].strength);
      // From rest all chains with the same first entry begin with the same answer, and the player
      // takes that of the first of them.
      if (playing.state().response != first + taken) {
        EXPECT_EQ(r, 0U);
        break;
      }
      for (std::size_t f = 1; f <= responses[taken].frames; ++f, ++replayed) {
        playing.step(Springs::kFrame);
        const auto state =
            static_cast<Eigen::Index>(sampled.portrait.first_state[first + taken] + f);
        ASSERT_LT((playing.q() - sampled.portrait.q.col(state)).cwiseAbs().maxCoeff(), tolerance)
            << "chain " << c << ", response " << taken << ", frame " << f;
      }
      r = next;
      if (r < responses.size()) continue;
      EXPECT_EQ(playing.state().at_rest, 1);
      ++chains;
    }
    first += responses.size();
  }
  EXPECT_EQ(chains, sampled.palette.size());
  EXPECT_GT(replayed, 1000U);
}

/// Position and velocity just before and after a trigger, from steps far shorter than a frame.
struct Jump {
  double position = 0, velocity = 0;
};

Jump jump_at(const Playing& playing, std::uint32_t entry) {
  constexpr double kShort = 1e-4;
  const Eigen::VectorXd a = playing.q();
  playing.step(kShort);
  const Eigen::VectorXd b = playing.q();
  playing.trigger(entry);
  playing.step(kShort);
  const Eigen::VectorXd c = playing.q();
  playing.step(kShort);
  const Eigen::VectorXd d = playing.q();
  const Eigen::VectorXd before = (b - a) / kShort;
  const Eigen::VectorXd after = (d - c) / kShort;
  return {(c - b).norm(), (after - before).norm()};
}

/// The velocity changes by the recorded impulse and no more, wherever the trigger acts: entry 2, a
/// wind that sets in, has none.
TEST(Playback, NothingJumpsAtATransition) {
  const Sampled sampled(8, 5);
  Random random(3);
  const double size = std::sqrt(sampled.portrait.q.colwise().squaredNorm().maxCoeff());
  const double speed = std::sqrt(sampled.portrait.velocities().colwise().squaredNorm().maxCoeff());
  double paper_jump = 0;
  for (const int blend : {SUPPLE_BLEND_SMOOTH, SUPPLE_BLEND_PAPER}) {
    const Playing playing(sampled);
    supple_scene_settings settings;
    ASSERT_EQ(supple_player_get_scene_settings(playing.player, 0, &settings), SUPPLE_OK);
    settings.blend = blend;
    ASSERT_EQ(supple_player_set_scene_settings(playing.player, 0, &settings), SUPPLE_OK);
    for (int i = 0; i < 40; ++i) {
      playing.trigger(static_cast<std::uint32_t>(random.below(2)));
      const int frames = static_cast<int>(5 + random.below(60));
      for (int f = 0; f < frames; ++f) playing.step(random.uniform(0.2, 1.5) * Springs::kFrame);
      const Jump jump = jump_at(playing, 2);
      // A step of 1e-4 s moves the scene a little by itself.
      EXPECT_LT(jump.position, 2e-4 * speed + 1e-4 * size);
      if (blend == SUPPLE_BLEND_SMOOTH) {
        // Floats of q over the short step, and the acceleration of the wind during two of them.
        EXPECT_LT(jump.velocity, 0.03 * speed) << "transition " << i;
      } else {
        paper_jump = std::max(paper_jump, jump.velocity);
      }
    }
  }
  EXPECT_GT(paper_jump, 0.1 * speed) << "the paper's blend, for comparison";
}

TEST(Playback, OffsetsDoNotDependOnTheFrameRate) {
  const Sampled sampled(6, 2);
  std::vector<Eigen::VectorXd> ends;
  for (const int parts : {1, 3, 10}) {
    const Playing playing(sampled);
    playing.trigger(0, 0.8);
    for (int i = 0; i < 20 * parts; ++i) playing.step(Springs::kFrame / parts);
    playing.trigger(1);
    for (int i = 0; i < 33 * parts; ++i) playing.step(Springs::kFrame / parts);
    ends.push_back(playing.q());
  }
  constexpr double kFloats = 1e-5;
  EXPECT_LT((ends[1] - ends[0]).norm(), kFloats * ends[0].norm());
  EXPECT_LT((ends[2] - ends[0]).norm(), kFloats * ends[0].norm());
}

TEST(Playback, StrengthsBetweenSamplesLieBetweenTheirAnswers) {
  const Sampled sampled(6);
  const auto after = [&](double strength) {
    const Playing playing(sampled);
    playing.trigger(0, strength);
    for (int i = 0; i < 12; ++i) playing.step(Springs::kFrame);
    return playing.q();
  };
  const Eigen::VectorXd weak = after(0.5);
  const Eigen::VectorXd strong = after(1);
  EXPECT_LT((after(0.75) - 0.5 * (weak + strong)).norm(), 1e-5 * strong.norm());
  EXPECT_LT((after(0.1) - weak).norm(), 1e-6 * strong.norm());
  EXPECT_LT((after(9) - strong).norm(), 1e-6 * strong.norm());
  // And near what the simulator itself does with that strength: the springs stiffen, so that half
  // the way is not half the answer.
  Springs springs;
  ASSERT_TRUE(springs.reset().ok());
  for (int i = 0; i < 12; ++i) ASSERT_TRUE(springs.step({0, 0.75, i == 0}).ok());
  Eigen::VectorXd truth(sampled.shapes.rest.size());
  for (std::size_t i = 0; i < Springs::kBeads; ++i) {
    truth.segment<3>(static_cast<Eigen::Index>(3 * i)) = springs.positions()[i];
  }
  const Eigen::VectorXd q = sampled.shapes.basis.transpose() * (truth - sampled.shapes.rest);
  EXPECT_LT((after(0.75) - q).norm(), 0.1 * q.norm());
}

/// Left alone, every scene comes to rest where its forcing leaves it, and stays there.
TEST(Playback, ComesToRest) {
  const Sampled sampled(6);
  Random random(11);
  const Playing playing(sampled);
  for (int i = 0; i < 30; ++i) {
    const auto entry = static_cast<std::uint32_t>(random.below(3));
    playing.trigger(entry, random.uniform(0.4, 1.2));
    const int frames = static_cast<int>(random.below(40));
    for (int f = 0; f < frames; ++f) playing.step(Springs::kFrame);
    if (i % 5 != 4) continue;
    for (int f = 0; f < 3000 && playing.state().at_rest == 0; ++f) playing.step(Springs::kFrame);
    EXPECT_EQ(playing.state().at_rest, 1);
    EXPECT_EQ(playing.state().entry, entry);
    const Eigen::VectorXd rest = playing.q();
    for (int f = 0; f < 100; ++f) playing.step(Springs::kFrame);
    EXPECT_LT((playing.q() - rest).norm(),
              1e-3 * std::sqrt(sampled.portrait.q.colwise().squaredNorm().maxCoeff()));
    EXPECT_LT(playing.state().off, 1e-6);
  }
}

TEST(Playback, TellsItsPaletteAndKeepsItsRules) {
  Sampled sampled(6);
  sampled.palette = *Palette::create({{.name = "right", .key = "r", .strengths = {0.5, 1}},
                                      {.name = "up", .followed_by = {"right", "wind"}},
                                      {.name = "wind", .from_rest = false}});
  const Playing playing(sampled);
  supple_scene_info info;
  ASSERT_EQ(supple_asset_scene(playing.asset(), 0, &info), SUPPLE_OK);
  EXPECT_EQ(info.entry_count, 3U);
  EXPECT_EQ(info.state_count, playing.portrait.states());
  EXPECT_EQ(info.frame_seconds, Springs::kFrame);
  supple_entry_info entry;
  ASSERT_EQ(supple_asset_scene_entry(playing.asset(), 0, 0, &entry), SUPPLE_OK);
  EXPECT_STREQ(entry.name, "right");
  EXPECT_STREQ(entry.key, "r");
  EXPECT_EQ(entry.weakest, 0.5);
  EXPECT_EQ(entry.strongest, 1);
  EXPECT_EQ(playing.state().allowed, 3U);
  EXPECT_EQ(supple_player_trigger(playing.player, 0, 2, 1), SUPPLE_BAD_ARGUMENT);
  playing.trigger(1);
  EXPECT_EQ(playing.state().allowed, 5U);
  EXPECT_EQ(supple_player_trigger(playing.player, 0, 1, 1), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_player_trigger(playing.player, 0, 3, 1), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_player_trigger(playing.player, 0, 0, NAN), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_player_trigger(playing.player, 1, 0, 1), SUPPLE_BAD_ARGUMENT);
  playing.trigger(2);
  EXPECT_EQ(playing.state().allowed, 7U);
  supple_player_reset(playing.player);
  EXPECT_EQ(playing.state().allowed, 3U);
  EXPECT_EQ(playing.q().norm(), 0);
}

}  // namespace
}  // namespace supple::scene
