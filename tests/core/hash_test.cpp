// SPDX-License-Identifier: Apache-2.0
#include "supple/core/hash.hpp"

#include "supple/core/files.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace supple {
namespace {

Hash hash_of(std::string_view raw) {
  return Hasher().add(as_bytes(raw)).finish();
}

// What `xxhsum -H2` (xxHash 0.8) prints.
TEST(Hasher, MatchesPublishedXxh3Values) {
  EXPECT_EQ(hash_of("").hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash_of("abc").hex(), "06b05ab6733a618578af5f94892f3950");
}

TEST(Hasher, BytesInPiecesHashLikeTheWhole) {
  std::string text(10000, '\0');
  std::iota(text.begin(), text.end(), '\1');
  Hasher pieces;
  for (std::size_t at = 0; at < text.size(); at += 37) {
    pieces.add(as_bytes(std::string_view(text).substr(at, 37)));
  }
  EXPECT_EQ(pieces.finish(), hash_of(text));
}

TEST(Hasher, OrderMatters) {
  EXPECT_NE(Hasher().add(1).add(2).finish(), Hasher().add(2).add(1).finish());
}

TEST(Hasher, BordersOfTextsAndVectorsMatter) {
  const std::string_view ab = "ab";
  const std::string_view a = "a";
  const std::string_view b = "b";
  const std::string_view none;
  EXPECT_NE(Hasher().add(ab).add(none).finish(), Hasher().add(a).add(b).finish());
  EXPECT_NE(Hasher().add(std::vector<int>{1, 2}).add(std::vector<int>{}).finish(),
            Hasher().add(std::vector<int>{1}).add(std::vector<int>{2}).finish());
}

TEST(Hasher, WidthsOfNumbersMatter) {
  EXPECT_NE(Hasher().add(std::int32_t{1}).finish(), Hasher().add(std::int64_t{1}).finish());
}

TEST(Hasher, FinishLeavesTheHasherUsable) {
  Hasher hasher;
  hasher.add(1);
  const Hash first = hasher.finish();
  EXPECT_EQ(hasher.finish(), first);
  EXPECT_EQ(hasher.add(2).finish(), Hasher().add(1).add(2).finish());
}

TEST(Hash, EverySingleBitChangesTheHash) {
  const std::string text(64, 'x');
  const Hash expected = hash_of(text);
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string damaged = text;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    ASSERT_NE(hash_of(damaged), expected) << bit;
  }
}

}  // namespace
}  // namespace supple
