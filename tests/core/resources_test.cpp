// SPDX-License-Identifier: Apache-2.0
#include "supple/core/resources.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace supple {
namespace {

TEST(Resources, PeakMemoryGrowsByWhatIsTouched) {
  const double before = peak_memory_bytes();
  constexpr std::size_t kBytes = std::size_t{256} << 20;
  const std::vector<char> block(kBytes, 'x');
  EXPECT_EQ(block[kBytes / 2], 'x');
  // The peak may have been higher earlier, by what the test program frees.
  EXPECT_GE(peak_memory_bytes(), 0.8 * static_cast<double>(kBytes));
  EXPECT_GE(peak_memory_bytes(), before);
  EXPECT_LE(peak_memory_bytes(), physical_memory_bytes());
}

TEST(Stopwatch, CountsSecondsAndLaps) {
  Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double lap = watch.lap();
  EXPECT_GE(lap, 0.02);
  EXPECT_LT(watch.seconds(), lap);
}

}  // namespace
}  // namespace supple
