// SPDX-License-Identifier: Apache-2.0
#include "supple/core/progress.hpp"

#include "supple/core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace supple {
namespace {

class ProgressReport : public ::testing::Test {
 protected:
  void SetUp() override {
    show_progress_with([this](const ProgressState& state) { m_states.push_back(state); });
  }
  void TearDown() override { show_progress_with(nullptr); }
  std::vector<ProgressState> m_states;
};

ProgressState half_way() {
  ProgressState state;
  state.stage = "meshing";
  state.done = 50;
  state.total = 100;
  state.rate = 12345;
  state.seconds_left = 61.2;
  return state;
}

TEST(FormatProgress, ShowsBarRateAndRemainingTime) {
  EXPECT_EQ(format_progress(half_way(), 80),
            "[##########..........]  50%  meshing  1.23e+04/s  01:02 left");
}

TEST(FormatProgress, ShowsNoBarForAnUnknownTotal) {
  ProgressState state = half_way();
  state.total = 0;
  state.seconds_left = -1;
  EXPECT_EQ(format_progress(state, 80), "meshing  1.23e+04/s");
}

TEST(FormatProgress, NeverExceedsItsWidth) {
  for (int width = -1; width < 90; ++width) {
    EXPECT_LE(static_cast<int>(format_progress(half_way(), width).size()), std::max(width, 0));
  }
}

TEST(FormatProgress, SurvivesOverrunAndEndlessTimes) {
  ProgressState state = half_way();
  state.done = 250;
  state.seconds_left = 3 * 3600;
  EXPECT_EQ(format_progress(state, 80),
            "[####################] 100%  meshing  1.23e+04/s  3:00:00 left");
  state.seconds_left = std::numeric_limits<double>::infinity();
  EXPECT_NE(format_progress(state, 80).find("days left"), std::string::npos);
}

TEST_F(ProgressReport, BeginsAndEndsWithItsStage) {
  { const Progress progress("solving", 10); }
  ASSERT_EQ(m_states.size(), 2U);
  EXPECT_EQ(m_states.front().stage, "solving");
  EXPECT_FALSE(m_states.front().finished);
  EXPECT_TRUE(m_states.back().finished);
}

TEST_F(ProgressReport, EstimatesRateAndRemainingTime) {
  {
    Progress progress("solving", 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    progress.set(1);
  }
  ASSERT_EQ(m_states.size(), 3U);
  const ProgressState& state = m_states[1];
  EXPECT_GE(state.seconds, 0.15);
  EXPECT_DOUBLE_EQ(state.rate, 1 / state.seconds);
  EXPECT_DOUBLE_EQ(state.seconds_left, 3 / state.rate);
}

TEST_F(ProgressReport, LimitsItsReportsAndLosesNoStep) {
  {
    Progress progress("counting", 100000);
    parallel_for(100000, 100, [&](std::size_t) { progress.advance(); });
  }
  EXPECT_EQ(m_states.back().done, 100000);
  // One report per tenth of a second, the first and the last.
  EXPECT_LE(static_cast<double>(m_states.size()), 3 + m_states.back().seconds * 10);
}

TEST(Progress, IsSilentWhereStandardErrorIsNoTerminal) {
  ::testing::internal::CaptureStderr();
  show_progress_on_terminal();
  {
    Progress progress("quiet", 2);
    progress.advance();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace supple
