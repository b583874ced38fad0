// SPDX-License-Identifier: Apache-2.0
#include "supple/render/camera.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <vector>

namespace supple::render {
namespace {

using geometry::Vec3;

TEST(Camera, YawZeroSeesTheFrontAndNinetyTheLeft) {
  EXPECT_LT((view_axes({0, 0}).row(2).transpose() - Vec3::UnitZ()).norm(), 1e-12);
  // A character that faces +Z with +Y up has its left at +X.
  EXPECT_LT((view_axes({90, 0}).row(2).transpose() - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_GT(view_axes({0, 30})(2, 1), 0.49);
  EXPECT_LT(
      (view_axes({33, 21}) * view_axes({33, 21}).transpose() - Eigen::Matrix3d::Identity()).norm(),
      1e-12);
}

TEST(Camera, FramesTightlyAndLeavesTheMargin) {
  std::vector<Vec3> points;
  for (int i = 0; i < 200; ++i) points.push_back(Vec3::Random().cwiseProduct(Vec3(1, 2, 0.7)));
  for (const double aspect : {0.5, 1.0, 16.0 / 9}) {
    const Camera camera = frame(points, {35, 12}, aspect, 0.1);
    double across = 0;
    double up = 0;
    for (const Vec3& p : points) {
      const Eigen::Vector4d clip = camera.projection(aspect) * camera.view() * p.homogeneous();
      EXPECT_LT(std::abs(clip.z()), clip.w());
      across = std::max(across, std::abs(clip.x() / clip.w()));
      up = std::max(up, std::abs(clip.y() / clip.w()));
    }
    // 10 % free on each side: the farthest point is at 80 % of the way from the middle.
    EXPECT_NEAR(std::max(across, up), 0.8, 1e-9);
  }
}

TEST(Camera, FramesASinglePoint) {
  const std::vector<Vec3> point{Vec3(1, 2, 3)};
  const Camera camera = frame(point, {0, 0}, 1);
  EXPECT_GT(camera.eye.z(), 3);
  EXPECT_GT(camera.near_plane, 0);
  EXPECT_LT(camera.near_plane, camera.eye.z() - 3);
}

}  // namespace
}  // namespace supple::render
