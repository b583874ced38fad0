// SPDX-License-Identifier: Apache-2.0
#include "server/byte_range.hpp"

#include <gtest/gtest.h>

namespace supple::server {
namespace {

using Kind = ByteRange::Kind;

struct Case {
  const char* field;
  std::uint64_t size;
  Kind kind;
  std::uint64_t first;
  std::uint64_t length;
};

// RFC 9110, section 14.1.2, and what may be sent instead.
TEST(ByteRange, ReadsWhatTheStandardSays) {
  const Case cases[]{
      {"bytes=0-499", 10000, Kind::Part, 0, 500},
      {"bytes=500-999", 10000, Kind::Part, 500, 500},
      {"bytes=-500", 10000, Kind::Part, 9500, 500},
      {"bytes=9500-", 10000, Kind::Part, 9500, 500},
      {"bytes=0-0", 10000, Kind::Part, 0, 1},
      {"bytes=9999-20000", 10000, Kind::Part, 9999, 1},
      {"bytes=-20000", 10000, Kind::Part, 0, 10000},
      {"bytes=10000-", 10000, Kind::Outside, 0, 0},
      {"bytes=-0", 10000, Kind::Outside, 0, 0},
      {"bytes=0-", 0, Kind::Outside, 0, 0},
      {"", 10, Kind::Whole, 0, 10},
      {"bytes=5-4", 10, Kind::Whole, 0, 10},
      {"bytes=a-b", 10, Kind::Whole, 0, 10},
      {"bytes=--1", 10, Kind::Whole, 0, 10},
      {"bytes=0-1,3-4", 10, Kind::Whole, 0, 10},
      {"bytes=1", 10, Kind::Whole, 0, 10},
      {"items=0-1", 10, Kind::Whole, 0, 10},
      {"bytes=0-18446744073709551615", 10, Kind::Part, 0, 10},
      {"bytes=99999999999999999999-", 10, Kind::Whole, 0, 10},
  };
  for (const Case& c : cases) {
    const ByteRange range = parse_range(c.field, c.size);
    EXPECT_EQ(range.kind, c.kind) << c.field;
    EXPECT_EQ(range.first, c.first) << c.field;
    EXPECT_EQ(range.length, c.length) << c.field;
  }
}

}  // namespace
}  // namespace supple::server
