// SPDX-License-Identifier: Apache-2.0
#include "geometry/measures.hpp"
#include "geometry/soups.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/geometry/volume_meshing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace supple::geometry {
namespace {

/// NETGEN keeps the surface, so that volumes agree to rounding.
constexpr double kVolumeTolerance = 1e-10;

/// Whether the library is there; a machine without it is told so by the first test.
bool available() {
  const auto result = mesh_with_netgen(box_surface(kUnitBox), {.max_edge = 2});
  return result.ok() || result.error().code() != ErrorCode::Io;
}

TEST(Netgen, FillsACube) {
  if (!available()) GTEST_SKIP() << "libnglib-6.2 is not installed: NETGEN not checked";
  for (const double edge : {2.0, 0.2}) {
    const auto mesh = mesh_with_netgen(box_surface(kUnitBox), {.max_edge = edge});
    ASSERT_TRUE(mesh.ok()) << mesh.error().describe();
    EXPECT_TRUE(mesh->validate().ok());
    EXPECT_NEAR(volume(*mesh), 1, kVolumeTolerance);
    EXPECT_TRUE(topology(boundary(*mesh).mesh).closed_manifold());
    // A fine limit has to reach the surface of twelve triangles as well.
    if (edge < 1) {
      EXPECT_GT(mesh->element_count(), 400U);
    }
  }
}

TEST(Netgen, FillsAnIcosphereGivenWithSplitVertices) {
  if (!available()) GTEST_SKIP() << "libnglib-6.2 is not installed: NETGEN not checked";
  const TriMesh surface = sphere_surface(1, 3);
  const auto mesh = mesh_with_netgen(soups::shattered(surface), {.target_elements = 4'000});
  ASSERT_TRUE(mesh.ok()) << mesh.error().describe();
  EXPECT_TRUE(mesh->validate().ok());
  EXPECT_NEAR(volume(*mesh), signed_volume(surface), kVolumeTolerance);
  EXPECT_NEAR(static_cast<double>(mesh->element_count()), 4'000, 800);
}

TEST(Netgen, PrintsNothing) {
  if (!available()) GTEST_SKIP() << "libnglib-6.2 is not installed: NETGEN not checked";
  ::testing::internal::CaptureStdout();
  const auto mesh = mesh_with_netgen(sphere_surface(1, 2), {.target_elements = 500});
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_TRUE(mesh.ok());
}

TEST(Netgen, RefusesOpenSurfacesWithTheNumberOfOpenEdges) {
  TriMesh open = box_surface(kUnitBox);
  open.triangles.pop_back();
  const auto mesh = mesh_with_netgen(open);
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code(), ErrorCode::BadInput);
  EXPECT_NE(mesh.error().message().find("3 open"), std::string::npos) << mesh.error().message();
}

TEST(Netgen, RefusesInwardSurfaces) {
  const auto mesh = mesh_with_netgen(soups::flipped(sphere_surface(1, 2)));
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code(), ErrorCode::BadInput);
}

TEST(Netgen, ReportsSelfIntersectionsAsFailure) {
  if (!available()) GTEST_SKIP() << "libnglib-6.2 is not installed: NETGEN not checked";
  const TriMesh ball = sphere_surface(1, 2);
  const auto mesh = mesh_with_netgen(soups::joined(ball, soups::moved(ball, Vec3(0.5, 0, 0))));
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code(), ErrorCode::NotConverged);
}

TEST(Netgen, RefusesSettingsOutOfRange) {
  EXPECT_FALSE(NetgenSettings{.max_edge = -1}.validate().ok());
  EXPECT_FALSE((NetgenSettings{.max_edge = 0, .target_elements = 0}).validate().ok());
  EXPECT_FALSE(NetgenSettings{.grading = 2}.validate().ok());
}

}  // namespace
}  // namespace supple::geometry
