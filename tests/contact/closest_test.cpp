// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/closest.hpp"

#include "contact/stencils.hpp"

#include <Eigen/Geometry>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace supple::contact::testing {
namespace {

using ClosestOf = Closest (*)(const Stencil&);

/// The least value of a convex function on [0, 1], by golden sections.
double least(const std::function<double(double)>& f) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double a = high - golden * (high - low);
    const double b = low + golden * (high - low);
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return std::min({f(0), f(1), f(0.5 * (low + high))});
}

/// Distances as nested minima, without any knowledge of features.
double searched_point_triangle(const Stencil& x) {
  return least([&](double v) {
    return least([&](double share) {
      const double w = share * (1 - v);
      const Vec3 point = (1 - v - w) * x.col(1) + v * x.col(2) + w * x.col(3);
      return (x.col(0) - point).norm();
    });
  });
}
double searched_edges(const Stencil& x) {
  return least([&](double s) {
    return least([&](double t) {
      return ((1 - s) * x.col(0) + s * x.col(1) - (1 - t) * x.col(2) - t * x.col(3)).norm();
    });
  });
}

TEST(Closest, AgreesWithASearch) {
  // Golden sections find a flat minimum to the square root of rounding, its value to rounding.
  constexpr double kSearched = 1e-7;
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    Stencil x = random_stencil(random);
    if (i % 3 == 1) x.col(0) *= 0.1;  // more often near the middle
    EXPECT_NEAR(closest_point_triangle(x).distance, searched_point_triangle(x), kSearched);
    EXPECT_NEAR(closest_edges(x).distance, searched_edges(x), kSearched);
  }
}

TEST(Closest, WeightsGiveTheGapAndSumToZero) {
  Random random(2);
  for (const ClosestOf closest_of : {closest_point_triangle, closest_edges}) {
    for (int i = 0; i < 1000; ++i) {
      const Stencil x = random_stencil(random);
      const Closest closest = closest_of(x);
      EXPECT_NEAR(closest.weights.sum(), 0, 1e-14);
      EXPECT_LT((x * closest.weights - closest.gap).norm(), 1e-14);
      EXPECT_DOUBLE_EQ(closest.gap.norm(), closest.distance);
      for (const Weights& slide : closest.slides) EXPECT_EQ(slide.sum(), 0);
    }
  }
}

TEST(Closest, DegeneratePrimitivesKeepTheirDistance) {
  const Vec3 p(0.3, 2, 0);
  Stencil line;  // a triangle that is a segment on the x axis
  line << p, Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 0, 0);
  EXPECT_DOUBLE_EQ(closest_point_triangle(line).distance, 2);
  Stencil point;  // a triangle that is a point
  point << p, Vec3(0.3, 0, 0), Vec3(0.3, 0, 0), Vec3(0.3, 0, 0);
  EXPECT_DOUBLE_EQ(closest_point_triangle(point).distance, 2);
  Stencil parallel;
  parallel << Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.4, 3, 0), Vec3(5, 3, 0);
  EXPECT_DOUBLE_EQ(closest_edges(parallel).distance, 3);
  Stencil points;  // two edges without length
  points << p, p, Vec3(0.3, 0, 0), Vec3(0.3, 0, 0);
  EXPECT_DOUBLE_EQ(closest_edges(points).distance, 2);
}

TEST(Closest, TrianglesAsThinAsAHairKeepTheirInside) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const double width = std::pow(10.0, random.uniform(-12, -3));
    Stencil x;
    x.col(1) = random_vector(random);
    x.col(2) = x.col(1) + random_vector(random);
    const Vec3 along = x.col(2) - x.col(1);
    const Vec3 across = along.cross(random_vector(random)).normalized();
    const Vec3 normal = along.cross(across).normalized();
    x.col(3) = x.col(1) + 0.5 * along + width * across;
    // Over the middle of the strip, closer to it than its width.
    const double height = 0.1 * width;
    x.col(0) = x.col(1) + 0.5 * along + 0.4 * width * across + height * normal;
    // Coordinates are rounded, which moves the point.
    EXPECT_NEAR(closest_point_triangle(x).distance, height, 1e-3 * height + 2e-15) << width;
  }
}

/// Compares the derivatives with central differences where the same features stay closest.
int check_derivatives(ClosestOf closest_of, int freedoms, Random& random) {
  constexpr double kStep = 1e-5;
  int checked = 0;
  for (int i = 0; i < 3000 && checked < 40; ++i) {
    const Stencil x = random_stencil(random);
    const Closest closest = closest_of(x);
    if (closest.freedoms != freedoms || closest.distance < 0.1) continue;
    Gradient gradient;
    Hessian hessian;
    bool same = true;
    for (int k = 0; k < 12; ++k) {
      const Closest plus = closest_of(moved(x, k, kStep));
      const Closest minus = closest_of(moved(x, k, -kStep));
      same = same && plus.freedoms == freedoms && minus.freedoms == freedoms &&
             (plus.weights - minus.weights).norm() < 0.01;
      gradient[k] = (plus.distance - minus.distance) / (2 * kStep);
      hessian.col(k) = (distance_gradient(plus) - distance_gradient(minus)) / (2 * kStep);
    }
    const Hessian exact = distance_hessian(x, closest);
    // Edges that are nearly parallel have second derivatives beyond what differences can follow.
    if (!same || exact.norm() > 50) continue;
    ++checked;
    EXPECT_LT((gradient - distance_gradient(closest)).norm(), 1e-7);
    EXPECT_LT((hessian - exact).norm(), 1e-7 * (1 + exact.norm() * exact.norm()));
    EXPECT_LT((exact - exact.transpose()).norm(), 1e-12 * (1 + exact.norm()));
  }
  return checked;
}

TEST(Closest, DerivativesMatchFiniteDifferencesForEveryPairOfFeatures) {
  Random random(3);
  for (const int freedoms : {0, 1, 2}) {
    EXPECT_GE(check_derivatives(closest_point_triangle, freedoms, random), 20) << freedoms;
    EXPECT_GE(check_derivatives(closest_edges, freedoms, random), 20) << freedoms;
  }
}

}  // namespace
}  // namespace supple::contact::testing
