// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/loops.hpp"

#include "playing.hpp"

#include <numbers>

namespace supple::scene {
namespace {

constexpr double kPeriod = 60;  // frames

/// One response that goes round and round: a spiral that shrinks so much per round.
Portrait spiral(double per_round, std::size_t frames) {
  Response response;
  response.frames = frames;
  Eigen::MatrixXd q(2, static_cast<Eigen::Index>(frames + 1));
  for (Eigen::Index f = 0; f < q.cols(); ++f) {
    const double turns = static_cast<double>(f) / kPeriod;
    const double angle = 2 * std::numbers::pi * turns;
    const double radius = std::pow(per_round, turns);
    q.col(f) = radius * Eigen::Vector2d(std::cos(angle), 0.7 * std::sin(angle));
  }
  return make_portrait({response}, std::move(q), 1.0 / 60, 2);
}

Transitions no_transitions(const Portrait& portrait) {
  Transitions transitions;
  transitions.entries = 1;
  transitions.next.assign(portrait.states(), Transitions::kNone);
  transitions.distance.assign(portrait.states(), 0);
  transitions.onward.assign(portrait.responses.size(), Transitions::kNone);
  return transitions;
}

/// The jump of the slope where the last frame meets the first, in units of the largest change of
/// slope anywhere else.
double corner(const Eigen::MatrixXd& q) {
  const Eigen::Index n = q.cols() - 1;
  const auto bend = [&](Eigen::Index f) {
    return (q.col((f + 1) % n) - 2 * q.col(f % n) + q.col((f + n - 1) % n)).norm();
  };
  double largest = 0;
  for (Eigen::Index f = 3; f < n - 3; ++f) largest = std::max(largest, bend(f));
  return bend(0) / largest;
}

TEST(Loops, FindsThePeriodOfAForcing) {
  const Portrait portrait = spiral(1, 200);
  const auto loops = find_loops(portrait, no_transitions(portrait), {1, 20, 100});
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0].frames, static_cast<std::size_t>(kPeriod));
  constexpr double kRounding = 1e-12;
  EXPECT_LT(loops[0].seam_before, kRounding);
  EXPECT_EQ(loops[0].q.col(0), loops[0].q.rightCols(1));
}

TEST(Loops, SpreadsItsSeam) {
  const Portrait portrait = spiral(0.93, 200);
  const auto loops = find_loops(portrait, no_transitions(portrait), {1, 20, 100});
  ASSERT_EQ(loops.size(), 1U);
  const Loop& loop = loops[0];
  EXPECT_NEAR(static_cast<double>(loop.frames), kPeriod, 2);
  EXPECT_GT(loop.seam_before, 0.02);
  // Differences of rows tell slopes to the third order only.
  EXPECT_LT(loop.seam_after, 0.02 * loop.seam_before);
  EXPECT_EQ(loop.q.col(0), loop.q.rightCols(1));
  EXPECT_LT(corner(loop.q), 1.5);
  // The motion is still that of the response: nowhere further off than the seam.
  const LoopPart& part = loop.parts.front();
  const Eigen::MatrixXd recorded =
      portrait.q.middleCols(static_cast<Eigen::Index>(part.from), loop.q.cols());
  const double furthest = (loop.q - recorded).colwise().norm().maxCoeff();
  EXPECT_LT(furthest, 1.5 * loop.seam_before);
  EXPECT_GT(furthest, 0);
}

TEST(Loops, IgnoresWhatHardlyMovesOrDoesNotReturn) {
  const Portrait fading = spiral(0.2, 200);
  EXPECT_TRUE(find_loops(fading, no_transitions(fading), {4, 20, 100}).empty());
  Portrait still = spiral(1, 200);
  still.q.rightCols(100).colwise() = still.q.col(100);
  for (const Loop& loop : find_loops(still, no_transitions(still), {4, 20, 60})) {
    EXPECT_GT(loop.extent, 0.05);
  }
  EXPECT_TRUE(find_loops(still, no_transitions(still), {0, 20, 60}).empty());
}

/// "Poke, and as it comes back, poke again", over one response or several.
TEST(Loops, CloseOverEntries) {
  const Sampled sampled(8);
  const Playing playing(sampled);
  const LoopSettings settings{6, 20, 240};
  const auto loops = find_loops(playing.portrait, playing.transitions, settings);
  ASSERT_GE(loops.size(), 3U);
  std::set<std::size_t> entries;
  std::size_t over_several = 0;
  for (const Loop& loop : loops) {
    EXPECT_GE(loop.frames, settings.shortest);
    EXPECT_LE(loop.frames, settings.longest);
    EXPECT_EQ(static_cast<std::size_t>(loop.q.cols()), loop.frames + 1);
    EXPECT_EQ(loop.q.col(0), loop.q.rightCols(1));
    EXPECT_LT(loop.seam_before, 0.5);
    // The springs are stiff for 60 frames per second: their slopes are rough.
    EXPECT_LT(loop.seam_after, 0.05);
    std::size_t frames = 0;
    for (const LoopPart& part : loop.parts) frames += part.to - part.from;
    EXPECT_EQ(frames, loop.frames);
    const LoopPart& last = loop.parts.back();
    const Response& first = playing.portrait.responses[loop.parts.front().response];
    if (loop.parts.front().from == 0) {
      const std::size_t state = playing.portrait.first_state[last.response] + last.to;
      EXPECT_NE(playing.transitions.at(state, first.entry), Transitions::kNone);
    }
    entries.insert(first.entry);
    if (loop.parts.size() > 1) ++over_several;
  }
  EXPECT_EQ(entries.size(), 3U);
  EXPECT_GT(over_several, 0U);
}

}  // namespace
}  // namespace supple::scene
