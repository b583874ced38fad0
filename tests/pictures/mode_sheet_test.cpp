// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/mode_sheet.hpp"

#include "pictures/studio.hpp"

#include "supple/core/parallel.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

namespace supple::pictures::testing {
namespace {

using geometry::Vec3;

struct Sheet {
  geometry::BoundarySurface surface =
      geometry::boundary(geometry::beam_mesh(1, 0.2, 0.2, 10, 2, 2));
  Eigen::MatrixXd shapes = Eigen::MatrixXd::Zero(3 * 11 * 9, 2);
  Eigen::VectorXd frequencies = Eigen::Vector2d(1.5, 2.5);

  Sheet() {
    for (std::size_t v = 0; v < surface.mesh.positions.size(); ++v) {
      const double x = surface.mesh.positions[v].x();
      shapes(3 * surface.node_of_vertex[v] + 1, 0) = x * x;
      shapes(3 * surface.node_of_vertex[v] + 2, 1) = x * x;
    }
  }
  [[nodiscard]] plot::Pixels draw() const {
    ModeSheetSettings settings;
    settings.tile_pixels = 120 * 90;
    return pixels_of(draw_mode_sheet(studio(), surface, shapes, frequencies, settings));
  }
};

TEST(ModeSheet, IsOpaqueAndHasWhatItSays) {
  const plot::Pixels pixels = Sheet().draw();
  for (std::size_t i = 3; i < pixels.rgba.size(); i += 4) ASSERT_EQ(pixels.rgba[i], 255);
  // The bodies are coloured, background and labels are grey.
  const auto all = static_cast<std::size_t>(pixels.width * pixels.height);
  EXPECT_GT(coloured(pixels), all / 12);
  EXPECT_LT(coloured(pixels), all / 2);
}

TEST(ModeSheet, EveryModeIsATile) {
  Sheet sheet;
  const std::size_t two = coloured(sheet.draw());
  sheet.shapes.conservativeResize(Eigen::NoChange, 1);
  const std::size_t one = coloured(sheet.draw());
  EXPECT_GT(two, one + one / 2);
}

TEST(ModeSheet, SignOfAModeDoesNotShow) {
  Sheet sheet;
  const plot::Pixels image = sheet.draw();
  sheet.shapes *= -3.0;
  EXPECT_EQ(sheet.draw().rgba, image.rgba);
}

TEST(ModeSheet, SameBytesForAnyNumberOfThreads) {
  set_thread_count(1);
  const plot::Pixels one = Sheet().draw();
  set_thread_count(4);
  EXPECT_EQ(Sheet().draw().rgba, one.rgba);
  set_thread_count(0);
}

TEST(ModeSheet, ViewHasTheLongSideAcross) {
  for (const Vec3& turn : {Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 1).normalized().eval()}) {
    geometry::TriMesh mesh = geometry::box_surface([] {
      geometry::Box box;
      box.add(Vec3(-1, -0.1, -0.1));
      box.add(Vec3(1, 0.1, 0.1));
      return box;
    }());
    for (Vec3& p : mesh.positions)
      p = p.x() * turn + Vec3(0, p.y(), 0) + p.z() * turn.cross(Vec3::UnitY());
    const geometry::Mat3 axes = render::view_axes(three_quarter_view(mesh));
    EXPECT_TRUE((axes * axes.transpose()).isIdentity(1e-12));
    EXPECT_NEAR(axes.determinant(), 1.0, 1e-12);
    EXPECT_GT(std::abs((axes * turn).x()), 0.8);
    EXPECT_GT((axes * Vec3::UnitY()).y(), 0.9);  // up stays up
  }
}

}  // namespace
}  // namespace supple::pictures::testing
