// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/barrier.hpp"

#include "contact/stencils.hpp"

#include <gtest/gtest.h>

namespace supple::contact::testing {
namespace {

TEST(Barrier, DerivativesMatchFiniteDifferences) {
  for (const BarrierKind kind : {BarrierKind::Cubic, BarrierKind::Logarithmic}) {
    for (const double width : {1e-3, 0.02, 5.0}) {
      const Barrier barrier{kind, width};
      const double step = 1e-4 * width;
      for (const double share : {0.05, 0.3, 0.7, 0.99}) {
        const double gap = share * width;
        const Curve at = barrier(gap);
        EXPECT_NEAR(derivative([&](double d) { return barrier(gap + d).value; }, step), at.slope,
                    1e-7 * (width - at.slope));
        EXPECT_NEAR(derivative([&](double d) { return barrier(gap + d).slope; }, step),
                    at.curvature, 1e-7 * (1 + at.curvature));
        EXPECT_LT(at.slope, 0) << "it pushes apart";
        EXPECT_GT(at.curvature, 0);
      }
    }
  }
}

TEST(Barrier, EndsSmoothlyAtItsWidth) {
  for (const BarrierKind kind : {BarrierKind::Cubic, BarrierKind::Logarithmic}) {
    const Barrier barrier{kind, 0.01};
    const Curve outside = barrier(0.01);
    EXPECT_EQ(outside.value, 0);
    EXPECT_EQ(outside.slope, 0);
    EXPECT_EQ(outside.curvature, 0);
    const Curve inside = barrier(0.01 * (1 - 1e-9));
    EXPECT_LT(inside.value, 1e-30);
    EXPECT_LT(inside.curvature, 1e-7);
  }
}

TEST(ParallelFade, DerivativesMatchFiniteDifferences) {
  constexpr double kStep = 1e-4;
  Random random(5);
  int faded = 0;
  for (int i = 0; i < 200; ++i) {
    Stencil x = random_stencil(random);
    // Nearly parallel: the factor matters below a sine of 1/32.
    x.col(3) =
        x.col(2) + random.uniform(0.5, 2) * (x.col(1) - x.col(0)) + 0.02 * random_vector(random);
    const double a = (x.col(1) - x.col(0)).norm();
    const double b = (x.col(3) - x.col(2)).norm();
    const ParallelFade fade = fade_of_parallel_edges(x, a, b);
    if (fade.value > 0.99 || a < 0.3) continue;
    ++faded;
    for (int k = 0; k < 12; ++k) {
      const double scale = 1 + fade.hessian.norm();
      const auto at = [&](double d) { return fade_of_parallel_edges(moved(x, k, d), a, b); };
      EXPECT_NEAR(derivative([&](double d) { return at(d).value; }, kStep), fade.gradient[k],
                  1e-7 * scale);
      const Gradient column = derivative([&](double d) { return at(d).gradient; }, kStep);
      EXPECT_LT((column - fade.hessian.col(k)).norm(), 1e-7 * scale);
    }
  }
  EXPECT_GT(faded, 50);
}

TEST(ParallelFade, VanishesForParallelEdgesAndIsOneElsewhere) {
  Stencil x;
  x << Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(2, 1, 0);
  EXPECT_EQ(fade_of_parallel_edges(x, 1, 2).value, 0);
  x.col(3) = Vec3(0, 1, 2);
  EXPECT_EQ(fade_of_parallel_edges(x, 1, 2).value, 1);
  EXPECT_EQ(fade_of_parallel_edges(x, 1, 2).gradient.norm(), 0);
}

}  // namespace
}  // namespace supple::contact::testing
