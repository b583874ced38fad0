// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/symbolic_factor.hpp"

#include "reduction/test_matrices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace supple::reduction {
namespace {

TEST(SymbolicFactor, OrderIsAPermutationAndColumnsTileIt) {
  const auto graph = testing::grid_graph(7, 6, 5);
  for (const Ordering ordering : {Ordering::NestedDissection, Ordering::MinimumDegree}) {
    const auto factor = analyse(*graph, ordering);
    ASSERT_TRUE(factor.ok());
    std::vector<std::int32_t> sorted = factor->order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::int32_t> expected(210);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(sorted, expected);
    std::int32_t next = 0;
    for (const auto& node : factor->supernodes) {
      EXPECT_EQ(node.first, next);
      EXPECT_TRUE(std::is_sorted(node.rows.begin(), node.rows.end()));
      next = node.last;
    }
    EXPECT_EQ(next, 210);
  }
}

TEST(SymbolicFactor, ChildrenSendTheirRowsToTheRightPlace) {
  const auto factor = analyse(*testing::grid_graph(6, 6, 4), Ordering::NestedDissection);
  ASSERT_TRUE(factor.ok());
  for (const auto& node : factor->supernodes) {
    if (node.parent < 0) {
      EXPECT_TRUE(node.rows.empty());
      continue;
    }
    const auto& parent = factor->supernodes[node.parent];
    ASSERT_EQ(node.target.size(), node.rows.size());
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      const std::int32_t place = node.target[i];
      const std::int32_t row =
          place < parent.columns() ? parent.first + place : parent.rows[place - parent.columns()];
      EXPECT_EQ(row, node.rows[i]);
    }
  }
}

TEST(SymbolicFactor, BestOrderingIsNoWorseThanEither) {
  const auto graph = testing::grid_graph(12, 3, 2);
  const double best = analyse(*graph, Ordering::Best)->flops;
  const double dissection = analyse(*graph, Ordering::NestedDissection)->flops;
  const double degree = analyse(*graph, Ordering::MinimumDegree)->flops;
  EXPECT_LE(best, 1.001 * std::min(dissection, degree));
}

TEST(SymbolicFactor, DissectionBeatsTheNaturalOrderOnACube) {
  // A banded factor of an n^3 grid needs about n^7 operations times 27, dissection n^6.
  const double n = 16;
  const auto factor = analyse(*testing::grid_graph(16, 16, 16), Ordering::NestedDissection);
  EXPECT_LT(factor->flops, 27 * std::pow(n, 7) / 2);
}

}  // namespace
}  // namespace supple::reduction
