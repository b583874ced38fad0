// SPDX-License-Identifier: Apache-2.0
#include "supple/light/environment.hpp"

#include "light/quadrature.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <numbers>

namespace supple::light {
namespace {

using geometry::Vec3;
using std::numbers::pi;

bool is_radiance(const Vec3& value) {
  return value.allFinite() && (value.array() >= 0).all();
}

/// The integrals of the Legendre polynomials P_0 .. P_(order - 1) from cos(radius) to 1, by
/// (2 l + 1) P_l = P'_(l + 1) - P'_(l - 1).
Eigen::VectorXd cap_integrals(int order, double radius) {
  const double c = std::cos(radius);
  std::array<double, kMostOrder + 1> p{1, c};
  for (std::size_t l = 1; l < kMostOrder; ++l) {
    const auto n = static_cast<double>(l);
    p[l + 1] = ((2 * n + 1) * c * p[l] - n * p[l - 1]) / (n + 1);
  }
  Eigen::VectorXd integrals(order);
  integrals(0) = 2 * std::sin(radius / 2) * std::sin(radius / 2);
  for (int l = 1; l < order; ++l) {
    const auto at = static_cast<std::size_t>(l);
    integrals(l) = (p[at - 1] - p[at + 1]) / (2 * l + 1);
  }
  return integrals;
}

/// A zonal function turned towards d has the coefficients 2 pi int P_l Y_lm(d).
Coefficients disc_coefficients(int order, const Disc& disc) {
  const Eigen::VectorXd zonal = cap_integrals(order, disc.angular_radius);
  Eigen::VectorXd y = harmonics(order, disc.direction.normalized());
  for (int i = 0; i < coefficient_count(order); ++i) y(i) *= 2 * pi * zonal(degree(i));
  return y * disc.radiance.transpose();
}

Coefficients area_coefficients(int order, const AreaLight& light) {
  constexpr int kPoints = 32;
  const GaussRule rule = gauss_rule(kPoints);
  const Vec3 normal = light.half_u.cross(light.half_v);  // its length is a quarter of the area
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(coefficient_count(order));
  for (int i = 0; i < kPoints; ++i) {
    for (int j = 0; j < kPoints; ++j) {
      const Vec3 point = light.centre + rule.nodes(i) * light.half_u + rule.nodes(j) * light.half_v;
      const double distance = point.norm();
      const Vec3 direction = point / distance;
      const double solid_angle = rule.weights(i) * rule.weights(j) *
                                 std::abs(normal.dot(direction)) / (distance * distance);
      sum += solid_angle * harmonics(order, direction);
    }
  }
  return sum * light.radiance.transpose();
}

bool hits(const AreaLight& light, const Vec3& direction) {
  const Vec3 normal = light.half_u.cross(light.half_v);
  const double along = normal.dot(direction);
  const double distance = normal.dot(light.centre) / along;
  if (!(distance > 0) || !std::isfinite(distance)) return false;
  const Vec3 local = distance * direction - light.centre;
  return std::abs(local.dot(light.half_u)) <= light.half_u.squaredNorm() &&
         std::abs(local.dot(light.half_v)) <= light.half_v.squaredNorm();
}

Result<void> check_disc(const Disc& disc) {
  if (!disc.direction.allFinite() || !(disc.direction.norm() > 0)) {
    return bad_input("the direction towards a disc of light must not be zero");
  }
  if (!(disc.angular_radius > 0 && disc.angular_radius <= pi)) {
    return bad_input(fmt::format("the angular radius {} of a disc of light must be in (0, pi] rad",
                                 disc.angular_radius));
  }
  if (is_radiance(disc.radiance)) return {};
  return bad_input("the radiance of a disc of light must be finite and not negative");
}

Result<void> check_area(const AreaLight& light) {
  constexpr double kRightAngle = 1e-6;  // the cosine of what people write with seven digits
  const double u = light.half_u.norm();
  const double v = light.half_v.norm();
  if (!light.centre.allFinite() || !(u > 0 && v > 0 && std::isfinite(u) && std::isfinite(v))) {
    return bad_input("an area light needs a finite centre and two edges that are not zero");
  }
  if (std::abs(light.half_u.dot(light.half_v)) > kRightAngle * u * v) {
    return bad_input("the edges of an area light must be at a right angle");
  }
  if (!(light.centre.norm() > 1e-6 * (u + v))) {
    return bad_input("an area light lies at the origin, the place that it lights; move it away");
  }
  if (is_radiance(light.radiance)) return {};
  return bad_input("the radiance of an area light must be finite and not negative");
}

}  // namespace

Disc Disc::with_irradiance(const Vec3& direction, double angular_radius, const Vec3& irradiance) {
  const double sine = std::sin(angular_radius);
  return {direction, angular_radius, irradiance / (pi * sine * sine)};
}

Result<void> Environment::validate() const {
  if (!is_radiance(constant)) {
    return bad_input("constant light must be finite and not negative");
  }
  for (const Disc& disc : discs) SUPPLE_TRY_VOID(check_disc(disc));
  for (const AreaLight& area : areas) SUPPLE_TRY_VOID(check_area(area));
  return map ? map->validate() : Result<void>();
}

Vec3 Environment::radiance(const Vec3& direction) const {
  Vec3 sum = constant;
  if (sky) sum += sky->radiance(direction);
  if (map) sum += map->radiance(direction);
  for (const Disc& disc : discs) {
    const double cosine = direction.dot(disc.direction.normalized());
    if (cosine >= std::cos(disc.angular_radius)) sum += disc.radiance;
  }
  for (const AreaLight& area : areas) {
    if (hits(area, direction)) sum += area.radiance;
  }
  return sum;
}

Coefficients Environment::coefficients(int order) const {
  Coefficients c = Coefficients::Zero(coefficient_count(order), 3);
  c.row(0) = std::sqrt(4 * pi) * constant.transpose();
  if (sky) c += sky->coefficients(order);
  if (map) c += map->coefficients(order);
  for (const Disc& disc : discs) c += disc_coefficients(order, disc);
  for (const AreaLight& area : areas) c += area_coefficients(order, area);
  return c;
}

}  // namespace supple::light
