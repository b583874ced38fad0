// SPDX-License-Identifier: Apache-2.0
#include "io/motion_samples.hpp"
#include "supple/io/point_cache.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace supple::io {
namespace {

Result<PointCache> read_mdd_text(const std::string& text) {
  return read_mdd(as_bytes(text), "a.mdd");
}

// Two frames of two points, byte by byte: 1 is 3f800000.
TEST(Mdd, ReadsTheLayoutOfItsDescription) {
  using namespace std::string_literals;
  const std::string text =
      "\0\0\0\2\0\0\0\1"s
      "\0\0\0\0\x3f\0\0\0"s                  // at 0 s and 0.5 s
      "\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0"s  // 1 2 3
      "\xbf\x80\0\0\xc0\0\0\0\xc0\x40\0\0"s;
  const auto read = read_mdd_text(text);
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(read->points, 1U);
  EXPECT_EQ(read->times, (std::vector<double>{0, 0.5}));
  ASSERT_EQ(read->frames.size(), 2U);
  EXPECT_EQ(read->frames[0][0], geometry::Vec3(1, 2, 3));
  EXPECT_EQ(read->frames[1][0], geometry::Vec3(-1, -2, -3));
  EXPECT_EQ(text, samples::mdd({0, 0.5F}, 1, {1, 2, 3, -1, -2, -3}));
}

TEST(Mdd, RejectsTruncatedAndForeignFiles) {
  const std::string good = samples::mdd({0, 1, 2}, 2, std::vector<float>(18, 0.5F));
  ASSERT_TRUE(read_mdd_text(good).ok());
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_mdd_text(good.substr(0, size)).ok()) << size;
  }
  EXPECT_NE(read_mdd_text("").error().message().find("is empty"), std::string::npos);
  EXPECT_FALSE(read_mdd_text(good + "x").ok());
  for (const std::size_t at : {0U, 3U, 4U, 7U}) {
    std::string changed = good;
    changed[at] = '\xff';
    const auto read = read_mdd_text(changed);
    ASSERT_FALSE(read.ok()) << at;
    EXPECT_NE(read.error().describe().find("a.mdd"), std::string::npos);
  }
}

// Sizes whose product overflows, in a file without frames.
TEST(Mdd, RejectsSizesThatOverflow) {
  EXPECT_FALSE(read_mdd_text("\x7f\xff\xff\xff\x7f\xff\xff\xff").ok());
}

TEST(Mdd, RejectsNumbersThatAreNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto point = read_mdd_text(samples::mdd({0, 1}, 1, {0, 0, 0, 1, nan, 0}));
  ASSERT_FALSE(point.ok());
  EXPECT_NE(point.error().message().find("sample 2"), std::string::npos);
  const auto time = read_mdd_text(samples::mdd({0, nan}, 1, {0, 0, 0, 1, 1, 0}));
  ASSERT_FALSE(time.ok());
  EXPECT_NE(time.error().message().find("time of sample 2"), std::string::npos);
}

}  // namespace
}  // namespace supple::io
