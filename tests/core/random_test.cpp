// SPDX-License-Identifier: Apache-2.0
#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace supple {
namespace {

// The published test vector of SplitMix64 for the seed 1234567 (Rosetta Code, Vigna's
// splitmix64.c).
TEST(Random, FollowsTheReferenceGenerator) {
  Random random = Random::from_state(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U,
        16408922859458223821U}) {
    EXPECT_EQ(random.next(), expected);
  }
}

TEST(Random, SameSeedAndStreamGiveTheSameNumbers) {
  Random a(5, 9);
  Random b(5, 9);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(a.next(), b.next());
}

TEST(Random, SeedsAndStreamsDoNotShareNumbers) {
  constexpr int kPerStream = 100;
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t stream = 0; stream < 30; ++stream) {
      Random random(seed, stream);
      for (int i = 0; i < kPerStream; ++i) seen.insert(random.next());
    }
  }
  EXPECT_EQ(seen.size(), 30U * 30U * kPerStream);
}

/// Chi-square over equal cells. With 99 degrees of freedom its mean is 99 and its deviation 14; 200
/// is seven deviations off, so a failure is not chance.
constexpr double kChiSquareBound = 200;

template <class Draw>
double chi_square(Draw draw) {
  constexpr std::size_t kCells = 100;
  constexpr int kDraws = 200000;
  std::array<int, kCells> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[draw()];
  const double expected = static_cast<double>(kDraws) / kCells;
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Random, UniformNumbersFillTheirCellsEvenly) {
  Random random(3);
  EXPECT_LT(chi_square([&] { return static_cast<std::size_t>(random.uniform() * 100); }),
            kChiSquareBound);
  EXPECT_LT(chi_square([&] { return static_cast<std::size_t>(random.below(100)); }),
            kChiSquareBound);
}

TEST(Random, NeighbouringStreamsAreNotCorrelated) {
  std::uint64_t stream = 0;
  EXPECT_LT(chi_square([&] {
              Random random(1, stream++);
              return static_cast<std::size_t>(random.uniform() * 100);
            }),
            kChiSquareBound);
}

TEST(Random, RangesAreHalfOpen) {
  Random random(8);
  double lowest = 1;
  double highest = 0;
  for (int i = 0; i < 100000; ++i) {
    const double value = random.uniform();
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
    const double scaled = random.uniform(-3, -2);
    ASSERT_TRUE(scaled >= -3 && scaled < -2);
    ASSERT_LT(random.below(7), 7U);
  }
  EXPECT_GE(lowest, 0);
  EXPECT_LT(highest, 1);
  EXPECT_EQ(random.below(1), 0U);
}

}  // namespace
}  // namespace supple
