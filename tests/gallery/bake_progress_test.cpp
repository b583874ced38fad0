// SPDX-License-Identifier: Apache-2.0
#include "gallery/bake_progress.hpp"

#include <gtest/gtest.h>

#include <random>

namespace supple::gallery {
namespace {

using Clock = BakeProgress::Clock;

Clock::time_point at_second(double seconds) {
  return Clock::time_point(
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1000 + seconds)));
}

ProgressState stage_state(const std::string& name, double done, double total,
                          bool finished = false) {
  ProgressState state;
  state.stage = name;
  state.done = done;
  state.total = total;
  state.finished = finished;
  return state;
}

TEST(BakeProgress, NamesTheParts) {
  BakeProgress progress;
  EXPECT_EQ(progress.look(at_second(0)).stage, "reading");
  progress.set_parts({{"belly", 3000}, {"thigh", 1000}});
  progress.add(stage_state("baking flesh", 0, 4000), at_second(1));
  progress.add(stage_state("finding modes", 2, 10), at_second(2));
  EXPECT_EQ(progress.look(at_second(2)).stage, "baking flesh: belly");
  EXPECT_EQ(progress.look(at_second(2)).part, 1U);
  progress.add(stage_state("finding modes", 10, 10, true), at_second(7));
  progress.add(stage_state("baking flesh", 3000, 4000), at_second(7));
  const BakeOutlook second = progress.look(at_second(7));
  EXPECT_EQ(second.stage, "baking flesh: thigh");
  EXPECT_EQ(second.part, 2U);
  EXPECT_EQ(second.parts, 2U);
  EXPECT_NEAR(second.seconds_left, 2, 1e-6);  // 3000 elements took 6 s
  progress.add(stage_state("baking flesh", 4000, 4000, true), at_second(9));
  progress.add(stage_state("playing clips", 1, 2), at_second(10));
  EXPECT_EQ(progress.look(at_second(10)).stage, "playing clips");
  EXPECT_EQ(progress.look(at_second(10)).part, 0U);
  progress.add(stage_state("playing clips", 2, 2, true), at_second(11));
  EXPECT_EQ(progress.look(at_second(11)).stage, "writing");
}

/// Random bakes on machines of any speed: the bar grows all the time and never jumps far, and with
/// several parts the remaining time becomes right.
TEST(BakeProgress, GrowsEvenlyAtAnyPace) {
  std::mt19937 random(15);
  for (int round = 0; round < 50; ++round) {
    const double pace = std::uniform_real_distribution(1e-5, 1e-2)(random);
    const std::size_t count = 1 + random() % 7;
    std::vector<BakePart> parts;
    parts.reserve(count);
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      parts.push_back({"part", std::uniform_real_distribution(1000.0, 3000.0)(random)});
      total += parts.back().elements;
    }
    BakeProgress progress;
    progress.set_parts(parts);
    progress.add(stage_state("baking flesh", 0, total), at_second(0));
    double done = 0;
    double second = 0;
    double shown = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (int step = 0; step < 20; ++step) {
        second += pace * parts[i].elements / 20;
        const BakeOutlook now = progress.look(at_second(second));
        EXPECT_GE(now.done, shown);
        EXPECT_LT(now.done, 0.9);
        shown = now.done;
        if (i == 0) continue;  // nothing is known yet
        EXPECT_NEAR(now.seconds_left, pace * total - second, 0.25 * pace * total);
      }
      done += parts[i].elements;
      progress.add(stage_state("baking flesh", done, total, i + 1 == count), at_second(second));
    }
    EXPECT_NEAR(progress.look(at_second(second)).done, 0.9, 1e-9);
  }
}

}  // namespace
}  // namespace supple::gallery
