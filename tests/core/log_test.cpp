// SPDX-License-Identifier: Apache-2.0
#include "supple/core/log.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace supple::log {
namespace {

class Log : public ::testing::Test {
 protected:
  void TearDown() override { to_nowhere(); }
};

TEST_F(Log, FunctionsReceiveLevelAndText) {
  std::vector<std::pair<Level, std::string>> received;
  to_function([&](Level level, std::string_view text) { received.emplace_back(level, text); });
  debug("a {}", 1);
  info("b {}", "two");
  warn("c {:.1f}", 3.0);
  error("d");
  const std::vector<std::pair<Level, std::string>> expected{{Level::Debug, "a 1"},
                                                            {Level::Info, "b two"},
                                                            {Level::Warning, "c 3.0"},
                                                            {Level::Error, "d"}};
  EXPECT_EQ(received, expected);
}

TEST_F(Log, BracesInMessagesAreNoPlaceholders) {
  std::string received;
  to_function([&](Level, std::string_view text) { received = text; });
  send(Level::Info, "set {} {0}");
  EXPECT_EQ(received, "set {} {0}");
}

TEST_F(Log, StandardErrorGetsLevelsFromTheLowestUp) {
  ::testing::internal::CaptureStderr();
  to_stderr(Level::Warning);
  info("too quiet");
  warn("a thing");
  error("another");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: a thing\nerror: another\n");
}

TEST_F(Log, NowhereIsSilentOnBothStreams) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  to_nowhere();
  error("unheard");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST_F(Log, MessagesOfManyThreadsAllArriveWhole) {
  std::vector<std::string> received;
  to_function([&](Level, std::string_view text) { received.emplace_back(text); });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 100; ++i) info("whole message");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(received, std::vector<std::string>(400, "whole message"));
}

}  // namespace
}  // namespace supple::log
