// SPDX-License-Identifier: Apache-2.0
#include "light/path_tracer.hpp"

#include "light/lit_shapes.hpp"
#include "supple/core/parallel.hpp"
#include "supple/light/environment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace supple::light {
namespace {

using namespace testing;

constexpr int kPaths = 2500;
constexpr int kBounces = 3;
constexpr double kAgreement = 0.02;  // root mean square, of the mean radiance

/// A lamp, coloured and windowed, so that it is a sum of harmonics and nowhere negative.
Coefficients lamp() {
  Environment environment;
  environment.constant = Vec3(0.2, 0.25, 0.35);
  environment.discs.push_back({Vec3(0.5, -0.4, 1), 0.5, Vec3(6, 5, 3)});
  const Coefficients light = environment.coefficients(4);
  return windowed(light, window_against_ringing(light));
}

struct Compared {
  double off = 0;  ///< root mean square difference over the mean
  double mean = 0;
};

/// Every so many vertices of the surface.
Compared compare(const Surface& surface, const Surface& around, std::size_t every) {
  PathTracer tracer;
  tracer.add(surface);
  tracer.add(around);
  tracer.build();
  const Coefficients light = lamp();
  TransferSettings settings;
  settings.directions = 4096;
  settings.bounces = kBounces;
  settings.converged = 0;
  const TransferField field = good_transfer(surface, around, settings);
  const auto normals = geometry::vertex_normals(surface.mesh);
  const std::size_t count = surface.vertex_count() / every;
  std::vector<Vec3> difference(count);
  std::vector<Vec3> traced(count);
  parallel_for(count, 1, [&](std::size_t k) {
    const std::size_t v = k * every;
    traced[k] = tracer.radiance(surface.mesh.positions[v], normals[v],
                                surface.albedo.front().cast<double>(), light, kPaths, kBounces, k);
    for (int colour = 0; colour < 3; ++colour) {
      difference[k](colour) =
          vector_of(field.front, v, colour).dot(light.col(colour)) - traced[k](colour);
    }
  });
  Compared result;
  double squares = 0;
  for (std::size_t k = 0; k < count; ++k) {
    squares += difference[k].squaredNorm() / 3;
    result.mean += traced[k].mean() / static_cast<double>(count);
  }
  result.off = std::sqrt(squares / static_cast<double>(count)) / result.mean;
  return result;
}

TEST(PathTracer, AgreesOnFoldedCloth) {
  SUPPLE_NEEDS_EMBREE();
  Surface cloth =
      painted(grid(64, 24,
                   [](int i, int j) {
                     const double x = i / 64.0;
                     const double y = j / 24.0;
                     return Vec3(x, 0.8 * y, 0.12 * std::sin(6 * std::numbers::pi * x) * (0.5 + y));
                   }),
              Eigen::Vector3f(0.8F, 0.4F, 0.2F));
  cloth.two_sided = true;
  const Surface floor =
      painted(rectangle(Vec3(-0.5, -0.5, -0.3), Vec3(2, 0, 0), Vec3(0, 2, 0), 40, 40), 0.6F);
  const Compared result = compare(cloth, floor, 17);
  std::printf("folded cloth: %.2f %% of the mean %.3f\n", 100 * result.off, result.mean);
  EXPECT_LT(result.off, kAgreement);
}

TEST(PathTracer, AgreesOnBoxInCorner) {
  SUPPLE_NEEDS_EMBREE();
  const Surface box = painted(box_of_sides(Vec3(0.1, 0.1, 0.05), Vec3(0.5, 0.4, 0.6), 8),
                              Eigen::Vector3f(0.2F, 0.7F, 0.5F));
  TriMesh room = rectangle(Vec3(0, 0, 0), Vec3(1.5, 0, 0), Vec3(0, 1.5, 0), 40, 40);
  append(room, rectangle(Vec3(0, 0, 0), Vec3(0, 1.5, 0), Vec3(0, 0, 1.5), 40, 40));
  append(room, rectangle(Vec3(0, 0, 0), Vec3(0, 0, 1.5), Vec3(1.5, 0, 0), 40, 40));
  const Compared result = compare(box, painted(room, Eigen::Vector3f(0.9F, 0.5F, 0.3F)), 5);
  std::printf("box in a corner: %.2f %% of the mean %.3f\n", 100 * result.off, result.mean);
  EXPECT_LT(result.off, kAgreement);
}

}  // namespace
}  // namespace supple::light
