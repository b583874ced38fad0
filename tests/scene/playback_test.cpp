// SPDX-License-Identifier: Apache-2.0
// Scenes through the file and the player.
#include "supple/scene/playback.hpp"
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

/// What the certificate measures with is what plays.
TEST(Playback, InDoublePrecisionIsThePlayer) {
  const Sampled sampled(7, 4);
  const double largest = sampled.portrait.q.cwiseAbs().maxCoeff();
  for (const Blend blend : {Blend::Smooth, Blend::Paper}) {
    const Playing playing(sampled);
    supple_scene_settings settings;
    ASSERT_EQ(supple_player_get_scene_settings(playing.player, 0, &settings), SUPPLE_OK);
    settings.blend = blend == Blend::Smooth ? SUPPLE_BLEND_SMOOTH : SUPPLE_BLEND_PAPER;
    ASSERT_EQ(supple_player_set_scene_settings(playing.player, 0, &settings), SUPPLE_OK);
    scene::Playback playback(playing.traits, blend);
    Random random(17);
    for (int i = 0; i < 40; ++i) {
      const std::vector<std::uint32_t> allowed = playback.allowed();
      ASSERT_FALSE(allowed.empty());
      const std::uint32_t entry = allowed[random.below(allowed.size())];
      const double strength = random.uniform(0.4, 1.1);
      playing.trigger(entry, strength);
      playback.trigger(entry, strength);
      // Some go on to the end of the response and beyond.
      const std::uint64_t frames = 4 + random.below(i % 8 == 7 ? 900 : 60);
      for (std::uint64_t f = 0; f < frames; ++f) {
        const double seconds = random.uniform(0.3, 1.7) * Springs::kFrame;
        playing.step(seconds);
        playback.advance(seconds);
        const supple_scene_state state = playing.state();
        ASSERT_EQ(playback.response(), state.response);
        ASSERT_EQ(playback.at_rest(), state.at_rest == 1);
        // Offsets sum up what rounding to 16 bits leaves at several transitions.
        ASSERT_LT((playing.q() - playback.position()).cwiseAbs().maxCoeff(),
                  10 * kSixteenBits * largest);
        ASSERT_NEAR(playback.off(), state.off, 40 * kSixteenBits);
      }
    }
  }
}

TEST(Playback, VelocityIsTheDerivativeOfPosition) {
  const Sampled sampled(6, 4);
  const Playing playing(sampled);
  constexpr double kShort = 1e-5;
  // Of the largest speed: what the short step squared leaves of third derivatives.
  constexpr double kRounding = 1e-5;
  const double speed = std::sqrt(sampled.portrait.velocities().colwise().squaredNorm().maxCoeff());
  for (const Blend blend : {Blend::Smooth, Blend::Paper}) {
    scene::Playback playback(playing.traits, blend);
    Random random(5);
    for (int i = 0; i < 30; ++i) {
      playback.trigger(static_cast<std::uint32_t>(random.below(3)), 1);
      for (int f = 0; f < 7; ++f) playback.advance(1.37 * Springs::kFrame);
      const Eigen::VectorXd before = playback.position();
      playback.advance(kShort);
      const Eigen::VectorXd velocity = playback.velocity();
      playback.advance(kShort);
      const Eigen::VectorXd measured = (playback.position() - before) / (2 * kShort);
      EXPECT_LT((measured - velocity).norm(), kRounding * speed);
    }
  }
}

TEST(Playback, PopsAreZeroByOurBlendAndTheOffsetTimesItsRateByThePapers) {
  const Sampled sampled(7);
  const Playing playing(sampled);
  const PlayFigures smooth = play_at_random(playing.traits, Blend::Smooth, {});
  const PlayFigures paper = play_at_random(playing.traits, Blend::Paper, {});
  ASSERT_GE(smooth.passages.size(), 200U);
  double largest = 0;
  for (const Passage& passage : smooth.passages) largest = std::max(largest, passage.jump);
  EXPECT_LT(largest, 1e-6);
  largest = 0;
  for (const Passage& passage : paper.passages) largest = std::max(largest, passage.jump);
  EXPECT_GT(largest, 0.01);

  // Two places where the scene stands still, one apart: the velocity jumps from 0 to lambda dq.
  soft::SceneTraits still;
  still.frame_seconds = 1.0 / 60;
  still.half_life = 0.08;
  still.beta = 0.25;
  still.palette.resize(2);
  for (std::uint32_t e = 0; e < 2; ++e) {
    soft::SceneResponse response;
    response.entry = e;
    response.states = 5;
    response.rests = true;
    response.origin_velocity = Eigen::VectorXd::Zero(1);
    still.responses.push_back(response);
  }
  still.q = Eigen::MatrixXd::Zero(1, 10);
  still.q.rightCols(5).setOnes();
  for (int row = 0; row < 11; ++row) {
    still.next.emplace_back(0U);
    still.next.emplace_back(1U);
  }
  scene::Playback playback(still, Blend::Paper);
  playback.trigger(0, 1);
  playback.advance(0.05);
  playback.trigger(1, 1);
  const double lambda = std::log(2.0) / still.half_life;
  const double speed = 1 / std::sqrt(still.beta);
  EXPECT_NEAR(playback.passages().back().jump, lambda / speed, 1e-12);
  EXPECT_NEAR(playback.passages().back().blend, 1, 1e-12);
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

/// A step of any length, and half-lives down to the shortest, leave finite coefficients.
TEST(Playback, SurvivesTheLongestStepsAndTheShortestTimes) {
  const Sampled sampled(6);
  const Playing playing(sampled);
  supple_scene_settings settings;
  ASSERT_EQ(supple_player_get_scene_settings(playing.player, 0, &settings), SUPPLE_OK);
  for (const double half_life : {1e-7, 1e7}) {
    settings.half_life = half_life;
    EXPECT_EQ(supple_player_set_scene_settings(playing.player, 0, &settings), SUPPLE_BAD_ARGUMENT);
  }
  for (const double half_life : {1e-6, 0.1, 1e6}) {
    settings.half_life = half_life;
    ASSERT_EQ(supple_player_set_scene_settings(playing.player, 0, &settings), SUPPLE_OK);
    for (const double dt : {1e-320, 1e-3, 1e12, 1e300, 1.7e308}) {
      playing.trigger(0);
      playing.step(0.01);
      playing.trigger(1);
      playing.step(dt);
      EXPECT_TRUE(playing.q().allFinite()) << half_life << " s, " << dt << " s";
      EXPECT_TRUE(std::isfinite(playing.state().off)) << half_life << " s, " << dt << " s";
    }
  }
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
  supple_response_info last;
  ASSERT_EQ(supple_asset_scene_response(playing.asset(), 0, info.response_count - 1, &last),
            SUPPLE_OK);
  EXPECT_EQ(last.entry, playing.portrait.responses.back().entry);
  EXPECT_EQ(last.first_state + last.state_count, info.state_count);
  std::vector<float> q(static_cast<std::size_t>(playing.rank) * last.state_count);
  ASSERT_EQ(
      supple_asset_scene_states(playing.asset(), 0, last.first_state, last.state_count, q.data()),
      SUPPLE_OK);
  const auto sampled_q = playing.portrait.q.rightCols(last.state_count);
  const Eigen::Map<const Eigen::MatrixXf> told(q.data(), playing.rank, last.state_count);
  EXPECT_LT((told.cast<double>() - sampled_q).cwiseAbs().maxCoeff(),
            kSixteenBits * playing.portrait.q.cwiseAbs().maxCoeff());
  EXPECT_EQ(supple_asset_scene_states(playing.asset(), 0, last.first_state, last.state_count + 1,
                                      q.data()),
            SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_asset_scene_response(playing.asset(), 0, info.response_count, &last),
            SUPPLE_BAD_ARGUMENT);
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
