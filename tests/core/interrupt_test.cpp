// SPDX-License-Identifier: Apache-2.0
#include "supple/core/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include <unistd.h>

namespace supple {
namespace {

class Interrupt : public ::testing::Test {
 protected:
  void SetUp() override { set_interrupted(false); }
  void TearDown() override {
    set_interrupted(false);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  }
};
using InterruptDeathTest = Interrupt;

TEST_F(Interrupt, FlagBecomesAnErrorOfItsOwnKind) {
  EXPECT_TRUE(check_interrupt().ok());
  set_interrupted(true);
  ASSERT_FALSE(check_interrupt().ok());
  EXPECT_EQ(check_interrupt().error().code(), ErrorCode::Interrupted);
}

TEST_F(Interrupt, SignalsSetTheFlagAndLeaveTheProcessAlive) {
  for (const int signal : {SIGINT, SIGTERM}) {
    set_interrupted(false);
    catch_interrupts();
    ::kill(::getpid(), signal);
    while (!interrupted()) std::this_thread::yield();
  }
}

TEST_F(InterruptDeathTest, TheSecondSignalKills) {
  const auto press_twice = [] {
    catch_interrupts();
    ::kill(::getpid(), SIGINT);
    while (!interrupted()) std::this_thread::yield();
    ::kill(::getpid(), SIGINT);
    ::pause();
  };
  EXPECT_EXIT(press_twice(), ::testing::KilledBySignal(SIGINT), "");
}

TEST_F(InterruptDeathTest, WorkThatDoesNotPollIsGivenUp) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto never_poll = [signal] {
      catch_interrupts([] { std::_Exit(130); });
      ::kill(::getpid(), signal);
      for (;;) ::pause();
    };
    EXPECT_EXIT(never_poll(), ::testing::ExitedWithCode(130), "");
  }
}

TEST_F(InterruptDeathTest, OneMoreSignalKillsWhoeverDoesNotGiveUp) {
  const auto press_often = [] {
    catch_interrupts([] {
      for (;;) ::pause();
    });
    for (;;) {
      ::kill(::getpid(), SIGTERM);
      std::this_thread::yield();
    }
  };
  EXPECT_EXIT(press_often(), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace supple
