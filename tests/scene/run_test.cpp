// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/run.hpp"

#include "sampled.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace supple::scene {
namespace {

/// A sampled chain as another program would have recorded it: its frames once each, and what acted.
struct RecordedChain {
  Run run;
  std::vector<RunAction> actions;

  explicit RecordedChain(const Chain& chain) {
    run.vertices = chain.vertices;
    const std::size_t size = 3 * chain.vertices;
    std::size_t at = 0;
    for (const Response& response : chain.responses) {
      actions.push_back(
          {run.frames() == 0 ? 0 : run.frames() - 1, response.entry, response.strength});
      // Frame 0 of a response is the last one of that before it.
      const std::size_t first = run.frames() == 0 ? at : at + size;
      const std::size_t end = at + size * (response.frames + 1);
      run.positions.insert(run.positions.end(),
                           chain.positions.begin() + static_cast<std::ptrdiff_t>(first),
                           chain.positions.begin() + static_cast<std::ptrdiff_t>(end));
      at = end;
    }
  }
};

/// Entries with one strength each: every response goes on from the one before it.
Palette plain_palette() {
  return *Palette::create({{"right", "r"}, {"up", "u"}, {"wind", "w"}});
}

/// What the sampler would have kept, whoever recorded it.
TEST(Run, IsCutAsTheSamplerRecords) {
  const SamplingSettings settings;
  for (std::uint64_t stream = 0; stream < 6; ++stream) {
    Springs springs;
    const Chain sampled = *sample_chain(springs, plain_palette(), settings, {}, stream);
    const RecordedChain recorded(sampled);
    const double size = 0.1 * (Springs::kBeads - 1);
    const Chain cut = cut_run(recorded.run, recorded.actions, settings.stillness * size);
    ASSERT_EQ(cut.responses.size(), sampled.responses.size());
    EXPECT_EQ(cut.positions, sampled.positions);
    for (std::size_t r = 0; r < cut.responses.size(); ++r) {
      EXPECT_EQ(cut.responses[r].entry, sampled.responses[r].entry);
      EXPECT_EQ(cut.responses[r].frames, sampled.responses[r].frames);
      EXPECT_EQ(cut.responses[r].origin, sampled.responses[r].origin);
      EXPECT_EQ(cut.responses[r].rests, sampled.responses[r].rests) << r;
      EXPECT_EQ(cut.responses[r].group, r);
      EXPECT_TRUE(cut.responses[r].whole);
    }
    EXPECT_TRUE(cut.responses.back().rests);
    EXPECT_EQ(load_chain(save_chain(cut))->positions, cut.positions);
  }
}

/// A recording that begins in motion: its first response begins with the velocity of that motion.
TEST(Run, WhatCameBeforeTheFirstActionGivesItsVelocityAndIsNotPlayed) {
  const SamplingSettings settings;
  Springs springs;
  const RecordedChain whole(*sample_chain(springs, plain_palette(), settings, {}, 4));
  const std::vector<RunAction> later(whole.actions.begin() + 1, whole.actions.end());
  ASSERT_GT(later.front().frame, 2U);
  Sampled sampled(1);
  sampled.chains = {cut_run(whole.run, whole.actions, 1e-5), cut_run(whole.run, later, 1e-5)};
  sampled.reduce(1e-9);
  const Chain& cut = sampled.chains[1];
  EXPECT_FALSE(cut.responses[0].whole);
  EXPECT_EQ(cut.responses[0].frames, 2U);
  EXPECT_EQ(cut.responses[1].origin, (Place{0, 2}));
  const std::size_t first = sampled.chains[0].responses.size();
  EXPECT_FALSE(sampled.portrait.playable(first));
  // The same frame of the same run, once after an action and once after what is dropped.
  const auto before = sampled.portrait.origin_velocity.col(1);
  const auto after = sampled.portrait.origin_velocity.col(static_cast<Eigen::Index>(first + 1));
  EXPECT_GT(before.norm(), 0);
  EXPECT_LT((after - before).norm(), 1e-12 * before.norm());
}

}  // namespace
}  // namespace supple::scene
