// SPDX-License-Identifier: Apache-2.0
#include "mode_sheet.hpp"

#include "supple/core/parallel.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

namespace supple::app {
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
  [[nodiscard]] io::Image draw() const {
    ModeSheetSettings settings;
    settings.cell_pixels = 120 * 90;
    settings.supersampling = 2;
    return draw_mode_sheet(surface, shapes, frequencies, settings);
  }
};

TEST(ModeSheet, IsOpaqueAndHasWhatItSays) {
  const io::Image image = Sheet().draw();
  ASSERT_EQ(image.rgba.size(), 4 * image.width * image.height);
  std::size_t saturated = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    EXPECT_EQ(image.rgba[i + 3], 255);
    const auto [low, high] = std::minmax({image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]});
    saturated += static_cast<std::size_t>(high - low > 60);
  }
  // The bodies are coloured, background and labels are grey.
  EXPECT_GT(saturated, image.width * image.height / 10);
  EXPECT_LT(saturated, image.width * image.height / 2);
}

TEST(ModeSheet, SignOfAModeDoesNotShow) {
  Sheet sheet;
  const io::Image image = sheet.draw();
  sheet.shapes *= -3.0;
  EXPECT_EQ(sheet.draw().rgba, image.rgba);
}

TEST(ModeSheet, SameBytesForAnyNumberOfThreads) {
  set_thread_count(1);
  const io::Image one = Sheet().draw();
  set_thread_count(4);
  EXPECT_EQ(Sheet().draw().rgba, one.rgba);
  set_thread_count(0);
}

TEST(ModeSheet, ViewIsRightHandedWithTheLongSideAcross) {
  for (const Vec3& turn : {Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 1).normalized().eval()}) {
    geometry::TriMesh mesh = geometry::box_surface([] {
      geometry::Box box;
      box.add(Vec3(-1, -0.1, -0.1));
      box.add(Vec3(1, 0.1, 0.1));
      return box;
    }());
    for (Vec3& p : mesh.positions)
      p = p.x() * turn + Vec3(0, p.y(), 0) + p.z() * turn.cross(Vec3::UnitY());
    const geometry::Mat3 axes = three_quarter_view(mesh);
    EXPECT_TRUE((axes * axes.transpose()).isIdentity(1e-12));
    EXPECT_NEAR(axes.determinant(), 1.0, 1e-12);
    EXPECT_GT(std::abs((axes * turn).x()), 0.8);
    EXPECT_LT((axes * Vec3::UnitY()).y(), -0.9);  // up stays up
  }
}

TEST(ModeSheet, FrequenciesHaveFourDigits) {
  EXPECT_EQ(format_frequency(2.5594), "2.559 Hz");
  EXPECT_EQ(format_frequency(0.01234), "0.01234 Hz");
  EXPECT_EQ(format_frequency(1234.56), "1235 Hz");
  EXPECT_EQ(format_frequency(12345.6), "12.35 kHz");
  EXPECT_EQ(format_frequency(9.99996), "10.00 Hz");
  EXPECT_EQ(format_frequency(2.5e6), "2.500 MHz");
}

}  // namespace
}  // namespace supple::app
