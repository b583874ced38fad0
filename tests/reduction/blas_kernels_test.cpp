// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/blas_kernels.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

namespace supple::reduction {
namespace {

TEST(BlasKernels, UseTheVectorInstructionsOfTheCpu) {
#if defined(__x86_64__)
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) GTEST_SKIP() << "OPENBLAS_CORETYPE is set";
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this CPU has no AVX2";
  const std::set<std::string> wide{"Haswell",  "Zen",        "Excavator",
                                   "SkylakeX", "Cooperlake", "SapphireRapids"};
  EXPECT_TRUE(wide.count(prepare_blas()) == 1) << prepare_blas();
#else
  GTEST_SKIP() << "only x86-64 kernels are chosen by us";
#endif
}

}  // namespace
}  // namespace supple::reduction
