// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/sampling.hpp"

#include "sampled.hpp"

#include <cmath>

namespace supple::scene {
namespace {

TEST(Sampling, FollowsTheRulesAndTheTimes) {
  const Palette palette = *Palette::create({{.name = "a", .followed_by = {"b"}},
                                            {.name = "b", .followed_by = {"a"}, .from_rest = false},
                                            {.name = "c"}});
  SamplingSettings settings;
  settings.chain = 12;
  Springs springs;
  for (std::uint64_t stream = 0; stream < 20; ++stream) {
    const Chain chain = *sample_chain(springs, palette, settings, {}, stream);
    ASSERT_GE(chain.responses.size(), settings.chain);
    ASSERT_LE(chain.responses.size(), settings.chain + palette.size());
    EXPECT_NE(chain.responses[0].entry, 1U);
    for (std::size_t r = 1; r < chain.responses.size(); ++r) {
      EXPECT_TRUE(palette.may_follow(chain.responses[r - 1].entry, chain.responses[r].entry));
      EXPECT_EQ(chain.responses[r].origin, (Place{r - 1, chain.responses[r - 1].frames}));
      EXPECT_GE(chain.responses[r].frames, settings.shortest);
      const bool goes_to_rest = r + 1 == chain.responses.size();
      EXPECT_TRUE(goes_to_rest || chain.responses[r].frames <= settings.longest);
    }
    EXPECT_TRUE(chain.responses.back().rests);
  }
}

// After "open" only "stop" may act: chains of an odd length would never end with it.
TEST(Sampling, ChainsEndWithEachEntryInTurn) {
  const Palette palette =
      *Palette::create({{.name = "open", .followed_by = {"stop"}},
                        {.name = "stop", .followed_by = {"open"}, .from_rest = false}});
  SamplingSettings settings;
  settings.chain = 3;
  Springs springs;
  for (std::uint64_t stream = 0; stream < 4; ++stream) {
    const Chain chain = *sample_chain(springs, palette, settings, {}, stream);
    EXPECT_EQ(chain.responses.back().entry, stream % 2);
    EXPECT_TRUE(chain.responses.back().rests);
    EXPECT_EQ(chain.responses.size(), stream % 2 == 0 ? 3U : 4U);
  }
}

TEST(Sampling, AnswersOfOneGroupBeginInTheSameState) {
  const Sampled sampled(6);
  std::size_t groups = 0;
  for (const Chain& chain : sampled.chains) {
    const std::size_t size = 3 * chain.vertices;
    std::size_t first = 0;
    std::vector<std::size_t> begin;
    for (const Response& response : chain.responses) {
      begin.push_back(first);
      first += (response.frames + 1) * size;
    }
    for (std::size_t r = 0; r < chain.responses.size(); ++r) {
      const Response& response = chain.responses[r];
      if (response.group == r) continue;
      ++groups;
      EXPECT_EQ(response.entry, chain.responses[response.group].entry);
      EXPECT_GT(response.strength, chain.responses[response.group].strength);
      EXPECT_EQ(response.origin, chain.responses[response.group].origin);
      const float* a = chain.positions.data() + begin[r];
      EXPECT_TRUE(std::equal(a, a + size, chain.positions.data() + begin[response.group]));
      EXPECT_FALSE(std::equal(a + size, a + 2 * size,
                              chain.positions.data() + begin[response.group] + size));
    }
  }
  EXPECT_GT(groups, 5U);
}

TEST(Sampling, BranchesFromSavedStates) {
  const Sampled sampled(1);
  const Chain& whole = sampled.chains[0];
  ASSERT_FALSE(whole.branch_places.empty());
  const std::size_t k = whole.branch_places.size() / 2;
  ChainStart start;
  start.origin = whole.branch_places[k];
  start.state = whole.branch_states[k];
  start.entry = 1;
  Springs springs;
  const Chain branch = *sample_chain(springs, sampled.palette, sampled.settings, start, 77);
  EXPECT_EQ(branch.responses[0].entry, 1U);
  const std::vector<Response> joined = join_responses({whole, branch});
  EXPECT_EQ(joined[whole.responses.size()].origin, whole.branch_places[k]);
  // Frame 0 of the branch is the frame that it branches from.
  std::size_t frame = whole.branch_places[k].frame;
  for (std::size_t r = 0; r < whole.branch_places[k].response; ++r) {
    frame += whole.responses[r].frames + 1;
  }
  const std::size_t size = 3 * whole.vertices;
  EXPECT_TRUE(std::equal(branch.positions.begin(),
                         branch.positions.begin() + static_cast<std::ptrdiff_t>(size),
                         whole.positions.begin() + static_cast<std::ptrdiff_t>(frame * size)));
}

// Whether the simulator says so or not: nothing that diverged or intersects is kept.
TEST(Sampling, KeepsWhatAFailureLeaves) {
  for (const auto fault :
       {Springs::Fault::Error, Springs::Fault::NotFinite, Springs::Fault::Intersections}) {
    Springs springs;
    springs.fails_after = 40;
    springs.fault = fault;
    SamplingSettings settings;
    const Chain chain = *sample_chain(springs, springs_palette(), settings, {}, 3);
    EXPECT_EQ(chain.failures, 1U);
    EXPECT_FALSE(chain.responses.back().whole);
    std::size_t frames = 0;
    for (const Response& response : chain.responses) frames += response.frames;
    EXPECT_EQ(frames, 39U);
    for (const float x : chain.positions) ASSERT_TRUE(std::isfinite(x));
  }
}

TEST(Sampling, RefusesTimesThatMakeNoSense) {
  SamplingSettings settings;
  settings.longest = settings.shortest - 1;
  EXPECT_NE(settings.validate().error().message().find("shorter than"), std::string::npos);
  settings = {};
  settings.shortest = 1;
  EXPECT_FALSE(settings.validate().ok());
  settings = {};
  settings.chain = 0;
  EXPECT_FALSE(settings.validate().ok());
}

TEST(Recording, ChainsAreTheSameAfterSavingAndDamageIsSeen) {
  const Sampled sampled(1);
  const Bytes bytes = save_chain(sampled.chains[0]);
  const Chain loaded = *load_chain(bytes);
  EXPECT_EQ(save_chain(loaded), bytes);
  EXPECT_EQ(loaded.positions, sampled.chains[0].positions);
  for (const std::size_t at :
       {std::size_t{3}, std::size_t{12}, bytes.size() / 2, bytes.size() - 1}) {
    Bytes damaged = bytes;
    damaged[at] ^= std::byte{4};
    EXPECT_FALSE(load_chain(damaged).ok()) << at;
  }
  EXPECT_FALSE(load_chain(std::span(bytes).first(bytes.size() - 1)).ok());
  EXPECT_FALSE(load_chain({}).ok());
}

}  // namespace
}  // namespace supple::scene
