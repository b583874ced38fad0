// SPDX-License-Identifier: Apache-2.0
#include "light/quadrature.hpp"
#include "supple/light/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::light {
namespace {

using geometry::Mat3;
using geometry::Vec3;

/// [PSS99 appendix A.2]: A to E of Perez' formula are linear in the turbidity; rows Y, x, y.
Eigen::Matrix<double, 3, 5> perez_shape(double turbidity) {
  Eigen::Matrix<double, 3, 5> slope;
  slope << 0.1787, -0.3554, -0.0227, 0.1206, -0.0670,  //
      -0.0193, -0.0665, -0.0004, -0.0641, -0.0033,     //
      -0.0167, -0.0950, -0.0079, -0.0441, -0.0109;
  Eigen::Matrix<double, 3, 5> constant;
  constant << -1.4630, 0.4275, 5.3251, -2.5771, 0.3703,  //
      -0.2592, 0.0008, 0.2125, -0.8989, 0.0452,          //
      -0.2608, 0.0092, 0.2102, -1.6537, 0.0529;
  return slope * turbidity + constant;
}

/// [PSS99 appendix A.2]: Y in thousands of cd/m^2, x and y of the zenith.
Vec3 zenith_colour(double turbidity, double sun) {
  const double chi = (4.0 / 9 - turbidity / 120) * (std::numbers::pi - 2 * sun);
  const double luminance =
      (4.0453 * turbidity - 4.9710) * std::tan(chi) - 0.2155 * turbidity + 2.4192;
  Eigen::Matrix<double, 3, 4> of_x;
  of_x << 0.00166, -0.00375, 0.00209, 0,     //
      -0.02903, 0.06377, -0.03202, 0.00394,  //
      0.11693, -0.21196, 0.06052, 0.25886;
  Eigen::Matrix<double, 3, 4> of_y;
  of_y << 0.00275, -0.00610, 0.00317, 0,     //
      -0.04214, 0.08970, -0.04153, 0.00516,  //
      0.15346, -0.26756, 0.06670, 0.26688;
  const Eigen::RowVector3d powers(turbidity * turbidity, turbidity, 1);
  const Eigen::Vector4d angles(sun * sun * sun, sun * sun, sun, 1);
  return {luminance, powers * of_x * angles, powers * of_y * angles};
}

/// Perez' sky [PSS99 eq. 3] at the angle theta from the zenith and gamma from the sun.
Vec3 perez(const Eigen::Matrix<double, 3, 5>& shape, double cos_theta, double gamma) {
  const double cos_gamma = std::cos(gamma);
  Vec3 result;
  for (int i = 0; i < 3; ++i) {
    const auto c = shape.row(i);
    result(i) = (1 + c(0) * std::exp(c(1) / cos_theta)) *
                (1 + c(2) * std::exp(c(3) * gamma) + c(4) * cos_gamma * cos_gamma);
  }
  return result;
}

/// Linear sRGB of a colour Y, x, y [IEC 61966-2-1]; what lies outside of the gamut is cut.
Vec3 rgb_of(const Vec3& colour) {
  const double luminance = colour(0);
  const double x = colour(1);
  const double y = colour(2);
  Mat3 to_rgb;
  to_rgb << 3.2406, -1.5372, -0.4986,  //
      -0.9689, 1.8758, 0.0415,         //
      0.0557, -0.2040, 1.0570;
  const Vec3 xyz(x / y * luminance, luminance, (1 - x - y) / y * luminance);
  return (to_rgb * xyz).cwiseMax(0);
}

/// The sum of use(direction) weight over the upper (side 1) or lower half (side -1). The glow
/// around the sun is the finest detail; with so many points a doubling changes the fifth digit.
template <class Use>
void over_half(double side, const Use& use) {
  constexpr int kHeights = 64;
  constexpr int kTurns = 256;
  const GaussRule rule = gauss_rule(kHeights);
  for (int i = 0; i < kHeights; ++i) {
    const double y = 0.5 * (1 + rule.nodes(i));
    const double r = std::sqrt(1 - y * y);
    for (int k = 0; k < kTurns; ++k) {
      const double phi = 2 * std::numbers::pi * (k + 0.5) / kTurns;
      use(Vec3(r * std::cos(phi), side * y, r * std::sin(phi)),
          0.5 * rule.weights(i) * 2 * std::numbers::pi / kTurns);
    }
  }
}

}  // namespace

Result<void> SkySettings::validate() const {
  if (!sun.allFinite() || !(sun.y() > 0)) {
    return bad_input("the sun of the sky must stand above the horizon (y > 0)");
  }
  if (!(turbidity >= 2 && turbidity <= 10)) {
    return bad_input(fmt::format("the turbidity {} of the sky must be from 2 to 10", turbidity));
  }
  if (!(scale >= 0 && std::isfinite(scale))) {
    return bad_input(fmt::format("the scale {} of the sky must be 0 or more", scale));
  }
  if (!((ground_albedo.array() >= 0).all() && (ground_albedo.array() <= 1).all())) {
    return bad_input("the albedo of the ground below the sky must be from 0 to 1");
  }
  return {};
}

Result<ClearSky> ClearSky::make(const SkySettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  ClearSky sky;
  sky.m_sun = settings.sun.normalized();
  sky.m_scale = settings.scale;
  sky.m_shape = perez_shape(settings.turbidity);
  const double sun = std::acos(std::min(1.0, sky.m_sun.y()));
  sky.m_zenith = zenith_colour(settings.turbidity, sun).cwiseQuotient(perez(sky.m_shape, 1, sun));
  Vec3 irradiance = Vec3::Zero();
  over_half(1, [&](const Vec3& direction, double weight) {
    irradiance += weight * direction.y() * sky.above(direction);
  });
  sky.m_ground = settings.ground_albedo.cwiseProduct(irradiance) / std::numbers::pi;
  return sky;
}

Vec3 ClearSky::above(const Vec3& direction) const {
  constexpr double kHorizon = 1e-3;  // the formula has no value at the horizon itself
  const double gamma = std::acos(std::clamp(direction.dot(m_sun), -1.0, 1.0));
  const Vec3 shape = perez(m_shape, std::max(direction.y(), kHorizon), gamma);
  return m_scale * rgb_of(m_zenith.cwiseProduct(shape));
}

Vec3 ClearSky::radiance(const Vec3& direction) const {
  return direction.y() >= 0 ? above(direction) : m_ground;
}

Coefficients ClearSky::coefficients(int order) const {
  Coefficients c = Coefficients::Zero(coefficient_count(order), 3);
  const auto add = [&](const Vec3& direction, double weight) {
    c += weight * harmonics(order, direction) * radiance(direction).transpose();
  };
  over_half(1, add);
  over_half(-1, add);
  return c;
}

}  // namespace supple::light
