// SPDX-License-Identifier: Apache-2.0
#include "rasteriser.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace supple::app {
namespace {

using Eigen::Vector3f;

ScreenVertex screen_corner(float x, float y, float depth, float value) {
  return {Vector3f(x, y, depth), Vector3f(0, 0, -1), value};
}

TEST(Rasteriser, TrianglesThatShareAnEdgeCoverEachPixelOnce) {
  // A square in two triangles, borders off the pixel grid: 16 x 16 centres lie inside.
  const std::vector<ScreenVertex> square{
      screen_corner(2.2F, 2.3F, 1, 0),   screen_corner(18.2F, 2.3F, 1, 0),
      screen_corner(18.2F, 18.3F, 1, 0), screen_corner(2.2F, 2.3F, 1, 0),
      screen_corner(18.2F, 18.3F, 1, 0), screen_corner(2.2F, 18.3F, 1, 0)};
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
  const std::vector<ScreenVertex> near{screen_corner(0, 0, 1, 0.25F), screen_corner(9, 0, 1, 0.25F),
                                       screen_corner(0, 9, 1, 0.25F)};
  const std::vector<ScreenVertex> far{screen_corner(0, 0, 5, 0.75F), screen_corner(9, 0, 5, 0.75F),
                                      screen_corner(0, 9, 5, 0.75F)};
  for (const bool near_first : {true, false}) {
    Fragments fragments(10, 10);
    rasterise(near_first ? near : far, fragments);
    rasterise(near_first ? far : near, fragments);
    EXPECT_FLOAT_EQ(fragments.value[fragments.index(2, 2)], 0.25F);
  }
}

TEST(Rasteriser, ValuesAreInterpolatedLinearly) {
  const std::vector<ScreenVertex> ramp{screen_corner(0, 0, 0, 0), screen_corner(10, 0, 0, 1),
                                       screen_corner(0, 10, 0, 0)};
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

TEST(Rasteriser, SmoothingTakesGrainOffAndLeavesEdges) {
  Fragments fragments(40, 40);
  std::vector<float> grainy(1600);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 40; ++x) {
      const bool far = x >= 20;
      fragments.depth[fragments.index(x, y)] = far ? 50.0F : 0.0F;
      grainy[fragments.index(x, y)] = (far ? 0.2F : 0.8F) + ((x + y) % 2 == 0 ? 0.1F : -0.1F);
    }
  }
  const std::vector<float> smooth = smoothed(fragments, grainy, 3, 5);
  EXPECT_NEAR(smooth[fragments.index(10, 10)], 0.8F, 0.01F);
  EXPECT_NEAR(smooth[fragments.index(19, 10)], 0.8F, 0.02F);  // right at the edge
  EXPECT_NEAR(smooth[fragments.index(20, 10)], 0.2F, 0.02F);
}

}  // namespace
}  // namespace supple::app
