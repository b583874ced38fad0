// SPDX-License-Identifier: Apache-2.0
#include "supple/core/parallel.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace supple {
namespace {

class Parallel : public ::testing::Test {
 protected:
  void TearDown() override { set_thread_count(0); }
};

/// Terms of very different size: any other order of addition gives other bits.
std::vector<double> unruly_terms(std::size_t count) {
  std::vector<double> terms;
  Random random(1);
  for (std::size_t i = 0; i < count; ++i) {
    terms.push_back(std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(60))));
  }
  return terms;
}

double chunked_sum(const std::vector<double>& terms) {
  return parallel_reduce(
      terms.size(), 7, 0.0,
      [&](std::size_t begin, std::size_t end) {
        return std::accumulate(terms.begin() + static_cast<std::ptrdiff_t>(begin),
                               terms.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
      },
      [](double a, double b) { return a + b; });
}

TEST_F(Parallel, ReducesToTheSameBitsForAnyNumberOfThreads) {
  const std::vector<double> terms = unruly_terms(100003);
  set_thread_count(1);
  const auto expected = std::bit_cast<std::uint64_t>(chunked_sum(terms));
  for (const int threads : {2, 4, 0}) {
    set_thread_count(threads);
    for (int repeat = 0; repeat < 20; ++repeat) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(chunked_sum(terms)), expected) << threads;
    }
  }
}

TEST_F(Parallel, TheTermsOfThatTestAreUnruly) {
  std::vector<double> terms = unruly_terms(100003);
  const double forwards = chunked_sum(terms);
  std::reverse(terms.begin(), terms.end());
  EXPECT_NE(forwards, chunked_sum(terms));
}

TEST_F(Parallel, ReduceFollowsTheOrderOfTheChunks) {
  set_thread_count(4);
  const std::string joined = parallel_reduce(
      26, 1, std::string(),
      [](std::size_t begin, std::size_t) {
        return std::string(1, static_cast<char>('a' + static_cast<char>(begin)));
      },
      [](std::string a, const std::string& b) { return std::move(a) + b; });
  EXPECT_EQ(joined, "abcdefghijklmnopqrstuvwxyz");
}

TEST_F(Parallel, ForVisitsEveryIndexOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 999U, 1000U, 1001U}) {
    std::vector<std::atomic<int>> visits(count);
    parallel_for(count, 10, [&](std::size_t i) { ++visits[i]; });
    for (const auto& visit : visits) ASSERT_EQ(visit.load(), 1);
  }
}

TEST_F(Parallel, ChunkBordersDependOnCountAndGrainAlone) {
  using Chunk = std::pair<std::size_t, std::size_t>;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    std::mutex mutex;
    std::set<Chunk> chunks;
    parallel_chunks(25, 10, [&](std::size_t begin, std::size_t end) {
      const std::scoped_lock lock(mutex);
      chunks.insert({begin, end});
    });
    EXPECT_EQ(chunks, (std::set<Chunk>{{0, 10}, {10, 20}, {20, 25}}));
  }
}

TEST_F(Parallel, AGrainOfZeroMeansOne) {
  std::atomic<int> chunks{0};
  parallel_chunks(5, 0, [&](std::size_t begin, std::size_t end) {
    EXPECT_EQ(end, begin + 1);
    ++chunks;
  });
  EXPECT_EQ(chunks.load(), 5);
}

TEST_F(Parallel, ExceptionsOfBodiesReachTheCaller) {
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    std::atomic<int> running{0};
    const auto work = [&] {
      parallel_for(1000, 1, [&](std::size_t i) {
        ++running;
        const bool bad = i == 500;
        --running;
        if (bad) throw std::runtime_error("body 500");
      });
    };
    EXPECT_THROW(work(), std::runtime_error);
    EXPECT_EQ(running.load(), 0) << "a body outlived the loop";
  }
}

TEST_F(Parallel, UsesAsManyThreadsAsAsked) {
  set_thread_count(4);
  EXPECT_EQ(thread_count(), 4);
  // Each body waits until four threads are inside, or gives up.
  std::mutex mutex;
  std::set<std::thread::id> seen;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  parallel_for(64, 1, [&](std::size_t) {
    while (std::chrono::steady_clock::now() < deadline) {
      {
        const std::scoped_lock lock(mutex);
        seen.insert(std::this_thread::get_id());
        if (seen.size() >= 4) return;
      }
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(seen.size(), 4U);
}

TEST_F(Parallel, OneThreadMeansTheCallersOwn) {
  set_thread_count(1);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> strangers{0};
  parallel_for(200, 1, [&](std::size_t) {
    if (std::this_thread::get_id() != caller) ++strangers;
  });
  EXPECT_EQ(strangers.load(), 0);
}

TEST_F(Parallel, LoopsNest) {
  set_thread_count(4);
  std::vector<std::atomic<int>> visits(50U * 40U);
  parallel_for(50, 1, [&](std::size_t i) {
    parallel_for(40, 3, [&](std::size_t j) { ++visits[i * 40 + j]; });
  });
  for (const auto& visit : visits) ASSERT_EQ(visit.load(), 1);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
/// Two bodies on two threads write one variable without ordering their writes. The second write
/// waits for the first all the same: the sanitizer misses writes at the very same moment, because
/// it does not update its own record of them atomically.
void race() {
  set_thread_count(2);
  std::atomic<int> inside{0};
  std::atomic<bool> written{false};
  int shared = 0;
  parallel_for(2, 1, [&](std::size_t i) {
    inside.fetch_add(1, std::memory_order_relaxed);
    while (inside.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
    while (i == 1 && !written.load(std::memory_order_relaxed)) std::this_thread::yield();
    shared = static_cast<int>(i);
    written.store(true, std::memory_order_relaxed);
  });
  std::exit(shared < 0 ? 1 : 0);
}

TEST(ParallelDeathTest, TheThreadSanitizerSeesRacesInBodies) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr int kSanitizerStatus = 66;
  EXPECT_EXIT(race(), ::testing::ExitedWithCode(kSanitizerStatus), "data race");
}
#endif
#endif

}  // namespace
}  // namespace supple
