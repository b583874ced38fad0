// SPDX-License-Identifier: Apache-2.0
#include "supple/light/environment.hpp"

#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace supple::light {
namespace {

using geometry::Vec3;
using std::numbers::pi;

constexpr int kOrder = 6;

/// Irradiance over pi of a surface with the normal n, of the light's first six degrees.
Vec3 reflected(const Coefficients& light, const Vec3& n) {
  Coefficients c = light;
  for (Eigen::Index i = 0; i < c.rows(); ++i) c.row(i) *= cosine_lobe(degree(static_cast<int>(i)));
  return evaluate(c, n) / pi;
}

/// By the midpoint rule on many small cells; for light with edges.
Coefficients brute_force(const Environment& environment, int heights) {
  Coefficients c = Coefficients::Zero(coefficient_count(kOrder), 3);
  const double step = pi / heights;
  for (int i = 0; i < heights; ++i) {
    for (int k = 0; k < 2 * heights; ++k) {
      const double theta = (i + 0.5) * step;
      const double phi = (k + 0.5) * step;
      const Vec3 d(std::sin(theta) * std::cos(phi), std::cos(theta),
                   std::sin(theta) * std::sin(phi));
      c += step * step * std::sin(theta) * harmonics(kOrder, d) *
           environment.radiance(d).transpose();
    }
  }
  return c;
}

RadianceMap some_map(std::size_t height) {
  Random random(height);
  RadianceMap map{2 * height, height, {}};
  for (std::size_t i = 0; i < 6 * height * height; ++i) {
    map.rgb.push_back(static_cast<float>(random.uniform(0, 2)));
  }
  return map;
}

TEST(Environment, ConstantLightReflectsAsItself) {
  Environment environment;
  environment.constant = Vec3(0.2, 1, 3);
  const Coefficients c = environment.coefficients(4);
  EXPECT_NEAR(c(0, 1), 2 * std::sqrt(pi), 1e-14);
  const Vec3 out = reflected(c, Vec3(0.6, 0, 0.8));
  EXPECT_NEAR((out - environment.constant).norm(), 0, 1e-14);
}

TEST(Environment, ConstantPanoramaIsConstantLight) {
  for (const std::size_t height : {1U, 2U, 7U, 64U}) {
    Environment environment;
    environment.map =
        RadianceMap{2 * height, height, std::vector<float>(6 * height * height, 0.5F)};
    ASSERT_TRUE(environment.validate().ok());
    Environment constant;
    constant.constant = Vec3::Constant(0.5);
    const Coefficients difference =
        environment.coefficients(kOrder) - constant.coefficients(kOrder);
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-12) << height;
  }
}

TEST(Environment, PanoramaHasTheIntegralsOfItsTexels) {
  Environment environment;
  environment.map = some_map(8);
  // 64 cells of the midpoint rule for each side of a texel: error 1 / (24 64^2) of the curvature.
  const Coefficients expected = brute_force(environment, 512);
  const Coefficients found = environment.coefficients(kOrder);
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 2e-4);
}

TEST(Environment, OneTexelShinesFromItsDirection) {
  constexpr std::size_t kHeight = 256;
  Random random(7);
  for (int i = 0; i < 20; ++i) {
    RadianceMap map{2 * kHeight, kHeight, std::vector<float>(6 * kHeight * kHeight, 0)};
    const std::size_t x = random.below(2 * kHeight);
    const std::size_t y = 20 + random.below(kHeight - 40);
    map.rgb[3 * (2 * kHeight * y + x)] = 1;
    // three.js: u = atan2(z, x) / 2 pi + 1/2 to the right, v = asin(y) / pi + 1/2 upwards.
    const double phi = 2 * pi * ((static_cast<double>(x) + 0.5) / (2 * kHeight) - 0.5);
    const double up = pi * (0.5 - (static_cast<double>(y) + 0.5) / kHeight);
    const Vec3 towards(std::cos(up) * std::cos(phi), std::sin(up), std::cos(up) * std::sin(phi));
    EXPECT_EQ(map.radiance(towards).x(), 1);
    const Coefficients c = map.coefficients(2);
    const Vec3 first(c(3, 0), c(1, 0), c(2, 0));
    // The middle of a texel's light and the middle of the texel differ by its size squared.
    EXPECT_LT((first.normalized() - towards).norm(), 1e-4);
    const double angle = pi / kHeight;
    const double solid = angle * 2 * std::sin(angle / 2) * std::cos(up);
    EXPECT_NEAR(c(0, 0), solid / std::sqrt(4 * pi), 1e-12);
  }
}

TEST(Environment, PanoramaDoesNotDependOnThreads) {
  const RadianceMap map = some_map(128);
  set_thread_count(1);
  const Coefficients one = map.coefficients(kOrder);
  set_thread_count(3);
  const Coefficients three = map.coefficients(kOrder);
  set_thread_count(0);
  EXPECT_EQ(one, three);
}

TEST(Environment, DiscHasTheIntegralOfItsCap) {
  Environment environment;
  environment.discs.push_back({Vec3(1, 2, -1), 0.4, Vec3(1, 2, 3)});
  ASSERT_TRUE(environment.validate().ok());
  const Coefficients expected = brute_force(environment, 800);
  // Cells at the edge of the disc are in or out: 1e3 of them, of 1.5e-5 each, at random.
  EXPECT_LT((environment.coefficients(kOrder) - expected).cwiseAbs().maxCoeff(), 2e-3);
  const Coefficients c = environment.coefficients(1);
  EXPECT_NEAR(c(0, 0), 2 * pi * (1 - std::cos(0.4)) / std::sqrt(4 * pi), 1e-14);
}

TEST(Environment, SunHasItsIrradiance) {
  // A small disc is a point: all six degrees are known.
  const Vec3 towards = Vec3(0.3, 0.9, -0.2).normalized();
  Environment environment;
  environment.discs.push_back(Disc::with_irradiance(towards, 0.00465, Vec3(3, 2, 1)));
  const Coefficients point = harmonics(kOrder, towards) * Vec3(3, 2, 1).transpose();
  // The next term is l (l + 1) angle^2 / 8, and cos and 1 differ by angle^2 / 4: 1e-4 at most.
  EXPECT_LT((environment.coefficients(kOrder) - point).cwiseAbs().maxCoeff(), 1e-4 * 3);
  EXPECT_EQ(environment.radiance(-towards), Vec3(0, 0, 0));
  EXPECT_GT(environment.radiance(towards).x(), 1e4);
}

TEST(Environment, AreaLightHasItsSolidAngle) {
  Environment environment;
  environment.areas.push_back({Vec3(0, 1.5, 0), Vec3(0.8, 0, 0), Vec3(0, 0, 0.5), Vec3(1, 1, 2)});
  ASSERT_TRUE(environment.validate().ok());
  const double a = 0.8;
  const double b = 0.5;
  const double d = 1.5;
  const double solid = 4 * std::atan(a * b / (d * std::sqrt(a * a + b * b + d * d)));
  const Coefficients c = environment.coefficients(kOrder);
  EXPECT_NEAR(c(0, 0), solid / std::sqrt(4 * pi), 1e-12);
  // Seen from aside, against the radiance in each direction.
  environment.areas[0].centre = Vec3(0.4, 1, -0.7);
  const Coefficients expected = brute_force(environment, 800);
  EXPECT_LT((environment.coefficients(kOrder) - expected).cwiseAbs().maxCoeff(), 4e-3);
}

TEST(Environment, SkyHasThePublishedZenith) {
  Random random(9);
  for (int i = 0; i < 20; ++i) {
    SkySettings settings;
    settings.scale = 1;
    settings.turbidity = random.uniform(2.5, 6);
    settings.sun = Vec3(random.uniform(-1, 1), random.uniform(0.2, 2), random.uniform(-1, 1));
    const auto sky = ClearSky::make(settings);
    ASSERT_TRUE(sky.ok());
    const Vec3 zenith = sky->radiance(Vec3(0, 1, 0));
    const double luminance = Vec3(0.2126, 0.7152, 0.0722).dot(zenith);
    const double t = settings.turbidity;
    const double sun = std::acos(settings.sun.normalized().y());
    const double chi = (4.0 / 9 - t / 120) * (pi - 2 * sun);
    const double expected = (4.0453 * t - 4.9710) * std::tan(chi) - 0.2155 * t + 2.4192;
    EXPECT_NEAR(luminance, expected, 2e-3 * expected);  // four digits of the matrices
    EXPECT_GT(zenith.z(), zenith.x()) << "the zenith is blue";
  }
}

TEST(Environment, SkyReflectsFromItsGround) {
  SkySettings settings;
  settings.sun = Vec3(1, 0.6, 0.3);
  settings.ground_albedo = Vec3(0.5, 0.3, 0);
  const auto sky = ClearSky::make(settings);
  ASSERT_TRUE(sky.ok());
  Environment environment;
  environment.sky = *sky;
  const Vec3 near_sun = environment.radiance(Vec3(1, 0.6, 0.3).normalized());
  const Vec3 opposite = environment.radiance(Vec3(-1, 0.6, -0.3).normalized());
  EXPECT_GT(near_sun.minCoeff(), 2 * opposite.minCoeff());
  const Coefficients found = environment.coefficients(kOrder);
  // The midpoint rule has half of its error at the glow of the sun.
  EXPECT_LT((found - brute_force(environment, 400)).cwiseAbs().maxCoeff(),
            3e-3 * found.cwiseAbs().maxCoeff());
  const Vec3 ground = environment.radiance(Vec3(0, -1, 0));
  EXPECT_EQ(ground.z(), 0);
  // Light that a level surface gets from the sky alone, over pi, by brute force.
  Vec3 received = Vec3::Zero();
  constexpr int kSteps = 400;
  for (int i = 0; i < kSteps; ++i) {
    for (int k = 0; k < 4 * kSteps; ++k) {
      const double theta = (i + 0.5) * pi / 2 / kSteps;
      const double phi = (k + 0.5) * pi / 2 / kSteps;
      const Vec3 d(std::sin(theta) * std::cos(phi), std::cos(theta),
                   std::sin(theta) * std::sin(phi));
      received += std::pow(pi / 2 / kSteps, 2) * std::sin(theta) * std::cos(theta) *
                  environment.radiance(d);
    }
  }
  EXPECT_NEAR(ground.x(), 0.5 * received.x() / pi, 1e-3 * ground.x());
  EXPECT_NEAR(ground.y(), 0.3 * received.y() / pi, 1e-3 * ground.y());
}

TEST(Environment, RejectsWhatIsWrong) {
  const auto message = [](const Environment& environment) {
    const auto result = environment.validate();
    return result.ok() ? std::string("accepted") : result.error().message();
  };
  Environment bad;
  bad.constant = Vec3(0, -1, 0);
  EXPECT_NE(message(bad).find("constant light"), std::string::npos);
  bad = {};
  bad.discs.push_back({Vec3::Zero(), 0.1, Vec3::Ones()});
  EXPECT_NE(message(bad).find("must not be zero"), std::string::npos);
  bad.discs = {{Vec3::UnitX(), 4, Vec3::Ones()}};
  EXPECT_NE(message(bad).find("angular radius"), std::string::npos);
  bad = {};
  bad.areas.push_back({Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(1, 0, 1), Vec3::Ones()});
  EXPECT_NE(message(bad).find("right angle"), std::string::npos);
  bad.areas = {{Vec3::Zero(), Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3::Ones()}};
  EXPECT_NE(message(bad).find("origin"), std::string::npos);
  bad = {};
  bad.map = RadianceMap{4, 4, std::vector<float>(48, 1)};
  EXPECT_NE(message(bad).find("twice as wide"), std::string::npos);
  bad.map = some_map(4);
  bad.map->rgb[3 * (8 * 2 + 5) + 1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(message(bad).find("row 3, column 6"), std::string::npos);
  bad.map->rgb[3 * (8 * 2 + 5) + 1] = -1;
  EXPECT_NE(message(bad).find("row 3, column 6"), std::string::npos);
  bad.map->rgb.pop_back();
  EXPECT_NE(message(bad).find("numbers instead of"), std::string::npos);
  SkySettings sky;
  sky.sun = Vec3(1, -0.1, 0);
  EXPECT_FALSE(ClearSky::make(sky).ok());
  sky = {};
  sky.turbidity = 1;
  EXPECT_FALSE(ClearSky::make(sky).ok());
}

}  // namespace
}  // namespace supple::light
