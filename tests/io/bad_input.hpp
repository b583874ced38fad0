// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/random.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/io/deck.hpp"
#include "text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace supple::io {

using supple::testing::replaced;

inline constexpr std::string_view kFileName = "file.test";

/// What was read; where nothing was, a failure that says why.
template <class T>
T good(const Result<T>& result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().describe());
  return result.ok() ? *result : T{};
}

inline void expect_sound(const geometry::TriMesh& mesh) {
  EXPECT_FALSE(mesh.triangles.empty());
  for (const geometry::Vec3& point : mesh.positions) EXPECT_TRUE(point.allFinite());
  for (const auto& triangle : mesh.triangles) {
    for (const geometry::Index i : triangle) {
      EXPECT_GE(i, 0);
      EXPECT_LT(static_cast<std::size_t>(i), mesh.positions.size());
    }
  }
}

inline void expect_sound(const geometry::TetMesh& mesh) {
  EXPECT_GT(mesh.element_count(), 0U);
  for (const geometry::Vec3& point : mesh.nodes) EXPECT_TRUE(point.allFinite());
  for (const geometry::Index i : mesh.connectivity) {
    EXPECT_GE(i, 0);
    EXPECT_LT(static_cast<std::size_t>(i), mesh.nodes.size());
  }
  EXPECT_TRUE(mesh.regions.empty() || mesh.regions.size() == mesh.element_count());
  for (const geometry::Index region : mesh.regions) {
    EXPECT_GE(region, 0);
    EXPECT_LT(static_cast<std::size_t>(region), mesh.region_names.size());
  }
}

inline void expect_sound(const Deck& deck) {
  expect_sound(deck.mesh);
}

/// A sound mesh or an error that names the file; anything else is a bug.
template <class Read>
void expect_sound_or_error(Read&& read, std::string_view text) {
  const auto result = read(as_bytes(text), kFileName);
  if (result.ok()) {
    expect_sound(*result);
    return;
  }
  EXPECT_FALSE(result.error().message().empty());
  EXPECT_EQ(result.error().code(), ErrorCode::BadInput);
  ASSERT_TRUE(result.error().place().has_value()) << result.error().message();
  EXPECT_EQ(result.error().place()->file, kFileName);
}

/// Exact copies on the heap, so that the address sanitizer sees a read past the end.
template <class Read>
void expect_survives_truncation(Read&& read, const std::string& good) {
  ASSERT_TRUE(read(as_bytes(good), kFileName).ok());
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::vector<char> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    expect_sound_or_error(read, {cut.data(), cut.size()});
  }
}

inline std::string mutate(std::string text, Random& random) {
  static constexpr std::array<std::string_view, 8> kNasty{
      "nan", "-1", "99999999999999999999", "1e999", "2147483648",
      "0",   "\n", "-9223372036854775808"};
  for (std::uint64_t edits = 1 + random.below(4); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = random.below(text.size());
    const std::size_t length = 1 + random.below(8);
    switch (random.below(5)) {
      case 0:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text[at] = static_cast<char>(text[at] ^ 1 << random.below(8));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(random.below(text.size()), text.substr(at, length));
        break;
      default:
        text.replace(at, 1, kNasty[random.below(kNasty.size())]);
        break;
    }
  }
  return text;
}

template <class Read>
void expect_survives_mutation(Read&& read, const std::string& good, std::uint64_t seed) {
  constexpr int kCases = 2000;
  Random random(seed);
  for (int i = 0; i < kCases; ++i) {
    const std::string bad = mutate(good, random);
    const std::vector<char> exact(bad.begin(), bad.end());
    expect_sound_or_error(read, {exact.data(), exact.size()});
  }
}

/// Fails unless the text is refused with these words in the message.
template <class Read>
void expect_error(Read&& read, std::string_view text, std::string_view words,
                  std::size_t line = 0) {
  const auto result = read(as_bytes(text), kFileName);
  ASSERT_FALSE(result.ok()) << "accepted: " << text;
  EXPECT_NE(result.error().message().find(words), std::string::npos)
      << "got: " << result.error().describe();
  if (line != 0) {
    EXPECT_EQ(result.error().place()->line, line) << result.error().describe();
  }
}

}  // namespace supple::io
