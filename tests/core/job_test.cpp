// SPDX-License-Identifier: Apache-2.0
#include "supple/core/job.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace supple {
namespace {

constexpr std::size_t kChunks = 200;

/// How many chunks of a nested loop see an interrupt.
std::size_t interrupted_chunks() {
  std::atomic<std::size_t> seen{0};
  parallel_for(kChunks / 10, 1, [&](std::size_t) {
    parallel_for(10, 1, [&](std::size_t) { seen += interrupted() ? 1 : 0; });
  });
  return seen;
}

TEST(Job, CancellingStopsItsOwnWorkOnly) {
  Job cancelled;
  Job other;
  cancelled.cancel();
  // Both at once, so that threads of the pool change between them.
  for (const int threads : {0, 3}) {
    set_thread_count(threads);
    const auto work = [](Job* job, std::size_t expected) {
      const JobScope scope(job);
      for (int round = 0; round < 50; ++round) EXPECT_EQ(interrupted_chunks(), expected);
    };
    std::thread one([&] { work(&cancelled, kChunks); });
    std::thread two([&] { work(&other, 0); });
    work(nullptr, 0);
    one.join();
    two.join();
  }
  set_thread_count(0);
  EXPECT_FALSE(interrupted());
}

TEST(Job, ScopesNest) {
  Job job;
  job.cancel();
  {
    const JobScope outer(&job);
    EXPECT_EQ(check_interrupt().error().code(), ErrorCode::Interrupted);
    {
      const JobScope inner(nullptr);
      EXPECT_TRUE(check_interrupt().ok());
    }
    EXPECT_TRUE(interrupted());
  }
  EXPECT_EQ(current_job(), nullptr);
}

TEST(Job, TellsItsProgressOnlyToItsOwner) {
  std::vector<std::string> process;
  std::vector<std::string> owner;
  show_progress_with([&](const ProgressState& state) { process.push_back(state.stage); });
  Job job([&](const ProgressState& state) { owner.push_back(state.stage); });
  {
    const JobScope scope(&job);
    const Progress stage("cutting", 3);
  }
  { const Progress stage("baking", 3); }
  show_progress_with({});
  EXPECT_EQ(owner, (std::vector<std::string>{"cutting", "cutting"}));
  EXPECT_EQ(process, (std::vector<std::string>{"baking", "baking"}));
}

}  // namespace
}  // namespace supple
