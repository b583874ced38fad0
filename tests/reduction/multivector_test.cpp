// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/multivector.hpp"

#include "reduction/test_matrices.hpp"
#include "supple/core/parallel.hpp"

#include <gtest/gtest.h>

namespace supple::reduction {
namespace {

constexpr Eigen::Index kRows = 5000;  // several chunks

TEST(MultiVector, InnerProductsMatchEigen) {
  const MultiVector a = testing::random_vectors(kRows, 7, 1);
  const MultiVector b = testing::random_vectors(kRows, 5, 2);
  const Eigen::MatrixXd expected = a.leftCols(6).transpose() * b;
  EXPECT_LT((inner_products(a, 6, b) - expected).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(MultiVector, CombinationsMatchEigen) {
  const MultiVector a = testing::random_vectors(kRows, 7, 3);
  const Eigen::MatrixXd c = testing::random_vectors(6, 4, 4);
  MultiVector y;
  combine(a, 6, c, y);
  const MultiVector expected = a.leftCols(6) * c;
  EXPECT_LT((y - expected).cwiseAbs().maxCoeff(), 1e-13);
  add_combination(-1, a, 6, c, y);
  EXPECT_LT(y.cwiseAbs().maxCoeff(), 1e-13);
  MultiVector in_place = a;
  combine_in_place(in_place, Eigen::MatrixXd(c.topRows(6)));
  EXPECT_LT((in_place.leftCols(4) - expected).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(MultiVector, SameBitsForAnyNumberOfThreads) {
  const MultiVector a = testing::random_vectors(20'000, 9, 5);
  const MultiVector b = testing::random_vectors(20'000, 8, 6);
  set_thread_count(1);
  const Eigen::MatrixXd expected = inner_products(a, b);
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(inner_products(a, b), expected) << threads << " threads";
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace supple::reduction
