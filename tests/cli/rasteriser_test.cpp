// SPDX-License-Identifier: Apache-2.0
#include "rasteriser.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace supple::app {
namespace {

using Eigen::Vector3f;

ScreenVertex corner(float x, float y, float depth, float value) {
  return {Vector3f(x, y, depth), Vector3f(0, 0, -1), value};
}

TEST(Rasteriser, TrianglesThatShareAnEdgeCoverEachPixelOnce) {
  // A square in two triangles, borders off the pixel grid: 16 x 16 centres lie inside.
  const std::vector<ScreenVertex> square{corner(2.2F, 2.3F, 1, 0),   corner(18.2F, 2.3F, 1, 0),
                                         corner(18.2F, 18.3F, 1, 0), corner(2.2F, 2.3F, 1, 0),
                                         corner(18.2F, 18.3F, 1, 0), corner(2.2F, 18.3F, 1, 0)};
  Fragments fragments(20, 20);
  rasterise(square, fragments);
  int covered = 0;
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 20; ++x) covered += static_cast<int>(fragments.covered(x, y));
  }
  EXPECT_EQ(covered, 256);
  EXPECT_FALSE(fragments.covered(-1, 0));
  EXPECT_FALSE(fragments.covered(0, 20));
}

TEST(Rasteriser, NearerSurfaceWinsInEitherOrder) {
  const std::vector<ScreenVertex> near{corner(0, 0, 1, 0.25F), corner(9, 0, 1, 0.25F),
                                       corner(0, 9, 1, 0.25F)};
  const std::vector<ScreenVertex> far{corner(0, 0, 5, 0.75F), corner(9, 0, 5, 0.75F),
                                      corner(0, 9, 5, 0.75F)};
  for (const bool near_first : {true, false}) {
    Fragments fragments(10, 10);
    rasterise(near_first ? near : far, fragments);
    rasterise(near_first ? far : near, fragments);
    EXPECT_FLOAT_EQ(fragments.value[fragments.index(2, 2)], 0.25F);
  }
}

TEST(Rasteriser, ValuesAreInterpolatedLinearly) {
  const std::vector<ScreenVertex> ramp{corner(0, 0, 0, 0), corner(10, 0, 0, 1),
                                       corner(0, 10, 0, 0)};
  Fragments fragments(10, 10);
  rasterise(ramp, fragments);
  EXPECT_NEAR(fragments.value[fragments.index(3, 2)], 0.35F, 1e-5F);  // pixel centre x = 3.5
}

TEST(Rasteriser, FlatSurfaceIsOpenAndAPitIsNot) {
  Fragments fragments(60, 60);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 60; ++x) {
      const bool pit = x >= 20 && x < 40 && y >= 20 && y < 40;
      fragments.depth[fragments.index(x, y)] = pit ? 10.0F : 0.0F;
      fragments.normal[fragments.index(x, y)] = Vector3f(0, 0, -1);
    }
  }
  const std::vector<float> open = ambient_openness(fragments, 12);
  EXPECT_FLOAT_EQ(open[fragments.index(3, 3)], 1.0F);
  EXPECT_LT(open[fragments.index(22, 22)], 0.8F);
}

}  // namespace
}  // namespace supple::app
