// SPDX-License-Identifier: Apache-2.0
#include "supple/io/point_cache.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace supple::io {
namespace {

PointCache random_cache(std::size_t points, std::size_t frames, std::uint64_t seed) {
  Random random(seed);
  PointCache cache;
  cache.start = 3;
  cache.rate = 0.5;
  cache.points = points;
  cache.frames.resize(frames);
  for (auto& frame : cache.frames) {
    for (std::size_t i = 0; i < points; ++i) {
      frame.emplace_back(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9));
    }
  }
  return cache;
}

// The layout that 3ds Max's documentation gives, byte by byte.
TEST(Pc2, HasTheLayoutOfItsDocumentation) {
  PointCache cache = random_cache(2, 3, 1);
  const Bytes bytes = write_pc2(cache);
  ASSERT_EQ(bytes.size(), 32U + 3 * 2 * 12);
  EXPECT_EQ(std::memcmp(bytes.data(), "POINTCACHE2\0\1\0\0\0\2\0\0\0", 20), 0);
  float number = 0;
  std::memcpy(&number, bytes.data() + 20, 4);
  EXPECT_EQ(number, 3);
  std::memcpy(&number, bytes.data() + 24, 4);
  EXPECT_EQ(number, 0.5F);
  EXPECT_EQ(bytes[28], std::byte{3});
  std::memcpy(&number, bytes.data() + 32 + 24 + 12 + 4, 4);
  EXPECT_EQ(number, static_cast<float>(cache.frames[1][1].y()));
}

TEST(Pc2, ReadsWhatItWrites) {
  for (const auto& [points, frames] : {std::pair{7, 4}, {1, 1}, {3, 0}, {0, 0}}) {
    const PointCache cache =
        random_cache(static_cast<std::size_t>(points), static_cast<std::size_t>(frames), 2);
    const auto read = read_pc2(write_pc2(cache), "a.pc2");
    ASSERT_TRUE(read.ok()) << read.error().describe();
    EXPECT_EQ(read->points, cache.points);
    EXPECT_EQ(read->start, cache.start);
    EXPECT_EQ(read->rate, cache.rate);
    ASSERT_EQ(read->frames.size(), cache.frames.size());
    for (std::size_t f = 0; f < cache.frames.size(); ++f) {
      for (std::size_t i = 0; i < cache.points; ++i) {
        // Single precision.
        EXPECT_LT((read->frames[f][i] - cache.frames[f][i]).norm(), 1e-6);
      }
    }
  }
}

TEST(Pc2, RejectsTruncatedAndForeignFiles) {
  const Bytes good = write_pc2(random_cache(5, 4, 3));
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_pc2(std::span(good).first(size), "a.pc2").ok()) << size;
  }
  EXPECT_NE(read_pc2({}, "a.pc2").error().message().find("is empty"), std::string::npos);
  Bytes extended = good;
  extended.push_back(std::byte{0});
  EXPECT_FALSE(read_pc2(extended, "a.pc2").ok());
  for (const std::size_t at : {0U, 12U, 16U, 19U, 28U, 31U}) {
    Bytes changed = good;
    changed[at] = std::byte{0xff};
    const auto read = read_pc2(changed, "a.pc2");
    ASSERT_FALSE(read.ok()) << at;
    EXPECT_NE(read.error().describe().find("a.pc2"), std::string::npos);
  }
}

// Sizes whose product overflows, in a file of 32 bytes.
TEST(Pc2, RejectsSizesThatOverflow) {
  Bytes bytes = write_pc2(random_cache(0, 0, 4));
  const std::int32_t large = std::numeric_limits<std::int32_t>::max();
  std::memcpy(bytes.data() + 16, &large, 4);
  std::memcpy(bytes.data() + 28, &large, 4);
  EXPECT_FALSE(read_pc2(bytes, "a.pc2").ok());
  const std::int32_t none = 0;
  std::memcpy(bytes.data() + 16, &none, 4);
  EXPECT_FALSE(read_pc2(bytes, "a.pc2").ok());
}

TEST(Pc2, RejectsNumbersThatAreNotFinite) {
  PointCache cache = random_cache(2, 2, 5);
  cache.frames[1][0].z() = std::numeric_limits<double>::quiet_NaN();
  const auto read = read_pc2(write_pc2(cache), "a.pc2");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message().find("sample 2"), std::string::npos);
}

}  // namespace
}  // namespace supple::io
