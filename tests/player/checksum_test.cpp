// SPDX-License-Identifier: Apache-2.0
#include "supple/format/checksum.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <vector>

namespace supple::format {
namespace {

std::vector<unsigned char> random_bytes(std::size_t size) {
  Random random(size);
  std::vector<unsigned char> bytes(size);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.below(256));
  return bytes;
}

TEST(Checksum, IsThatOfTheLibraryForEveryLength) {
  for (std::size_t size = 0; size < 300; ++size) {
    const auto bytes = random_bytes(size);
    EXPECT_EQ(checksum(bytes.data(), size), XXH64(bytes.data(), size, 0)) << size;
  }
}

TEST(Checksum, DoesNotDependOnHowTheBytesArrive) {
  const auto bytes = random_bytes(1000);
  const std::uint64_t whole = XXH64(bytes.data(), bytes.size(), 0);
  for (std::size_t piece = 1; piece < 100; ++piece) {
    Xxh64 hash;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      hash.add(bytes.data() + at, std::min(piece, bytes.size() - at));
    }
    EXPECT_EQ(hash.value(), whole) << piece;
  }
}

}  // namespace
}  // namespace supple::format
