// SPDX-License-Identifier: Apache-2.0
#include "supple/light/harmonics.hpp"

#include "light/quadrature.hpp"
#include "supple/core/check.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace supple::light {
namespace {

using geometry::Mat3;
using geometry::Vec3;

/// sqrt((2 l + 1) / 4 pi (l - m)! / (l + m)!), times sqrt(2) for m > 0.
double normalisation(int l, int m) {
  double ratio = 1;
  for (int k = l - m + 1; k <= l + m; ++k) ratio /= k;
  const double sides = m > 0 ? 2 : 1;
  return std::sqrt(sides * (2 * l + 1) / (4 * std::numbers::pi) * ratio);
}

/// normalisation(l, m) for 0 <= m <= l.
const Eigen::MatrixXd& normalisations() {
  static const Eigen::MatrixXd kTable = [] {
    Eigen::MatrixXd table = Eigen::MatrixXd::Zero(kMostOrder, kMostOrder);
    for (int l = 0; l < kMostOrder; ++l) {
      for (int m = 0; m <= l; ++m) table(l, m) = normalisation(l, m);
    }
    return table;
  }();
  return kTable;
}

int order_of(Eigen::Index coefficients) {
  const int order = static_cast<int>(std::lround(std::sqrt(static_cast<double>(coefficients))));
  SUPPLE_CHECK_OP(coefficient_count(order), ==, static_cast<int>(coefficients));
  return order;
}

/// Calls use(direction, weight) for the product of Gauss' rule in z and equal angles.
template <class Use>
void for_each_direction(int points, const Use& use) {
  const GaussRule rule = gauss_rule(points);
  const int turns = 2 * points;
  for (int i = 0; i < points; ++i) {
    const double z = rule.nodes(i);
    const double r = std::sqrt(1 - z * z);
    for (int k = 0; k < turns; ++k) {
      const double phi = 2 * std::numbers::pi * (k + 0.5) / turns;
      use(Vec3(r * std::cos(phi), r * std::sin(phi), z),
          rule.weights(i) * 2 * std::numbers::pi / turns);
    }
  }
}

double window_factor(int l, double lambda) {
  const double laplacian = l * (l + 1.0);
  return 1 / (1 + lambda * laplacian * laplacian);
}

}  // namespace

int degree(int coefficient) {
  int l = 0;
  while ((l + 1) * (l + 1) <= coefficient) ++l;
  return l;
}

/// Y_lm = K_lm Q_lm(z) Re or Im (x + i y)^m, where Q_lm is the associated Legendre function over
/// sin^m theta, from Q_mm = (2 m - 1)!! upwards by [Slo08]'s three-term recurrence.
Eigen::VectorXd harmonics(int order, const Vec3& direction) {
  SUPPLE_CHECK(order >= 1 && order <= kMostOrder);
  Eigen::VectorXd y(coefficient_count(order));
  const double z = direction.z();
  std::complex<double> power = 1;
  double diagonal = 1;
  for (int m = 0; m < order; ++m) {
    double before = 0;
    double q = diagonal;
    for (int l = m; l < order; ++l) {
      const double scaled = normalisations()(l, m) * q;
      y(l * (l + 1) + m) = scaled * power.real();
      if (m > 0) y(l * (l + 1) - m) = scaled * power.imag();
      const double next = ((2 * l + 1) * z * q - (l + m) * before) / (l + 1 - m);
      before = q;
      q = next;
    }
    power *= std::complex<double>(direction.x(), direction.y());
    diagonal *= 2 * m + 1;
  }
  return y;
}

Vec3 evaluate(const Coefficients& c, const Vec3& direction) {
  return c.transpose() * harmonics(order_of(c.rows()), direction);
}

Eigen::MatrixXd rotation_matrix(int order, const Mat3& rotation) {
  // D_ij = int Y_i(d) Y_j(R^T d), a polynomial of degree 2 (order - 1); harmonics of different
  // degrees stay orthogonal.
  const int count = coefficient_count(order);
  Eigen::MatrixXd d = Eigen::MatrixXd::Zero(count, count);
  for_each_direction(order, [&](const Vec3& direction, double weight) {
    d += weight * harmonics(order, direction) *
         harmonics(order, rotation.transpose() * direction).transpose();
  });
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      if (degree(i) != degree(j)) d(i, j) = 0;
    }
  }
  return d;
}

Coefficients rotated(const Coefficients& c, const Mat3& rotation) {
  return rotation_matrix(order_of(c.rows()), rotation) * c;
}

double cosine_lobe(int l) {
  if (l == 1) return 2 * std::numbers::pi / 3;
  if (l % 2 == 1) return 0;
  // 2 pi (-1)^(l/2 - 1) / ((l + 2) (l - 1)) l! / (2^l (l/2)!^2); the last factor is a product.
  double ratio = 1;
  for (int k = 1; k <= l / 2; ++k) ratio *= (2.0 * k - 1) / (2.0 * k);
  const double sign = l % 4 == 0 ? -1 : 1;
  return 2 * std::numbers::pi * sign / ((l + 2.0) * (l - 1.0)) * ratio;
}

Coefficients project(int order, int points, const std::function<Vec3(const Vec3&)>& radiance) {
  Coefficients c = Coefficients::Zero(coefficient_count(order), 3);
  for_each_direction(points, [&](const Vec3& direction, double weight) {
    c += weight * harmonics(order, direction) * radiance(direction).transpose();
  });
  return c;
}

Coefficients windowed(const Coefficients& light, double lambda) {
  Coefficients c = light;
  for (Eigen::Index i = 0; i < c.rows(); ++i) {
    c.row(i) *= window_factor(degree(static_cast<int>(i)), lambda);
  }
  return c;
}

double window_against_ringing(const Coefficients& light) {
  const int order = order_of(light.rows());
  SUPPLE_CHECK(light.row(0).minCoeff() >= 0);
  // What each degree contributes, on a grid that is fine for polynomials of degree five.
  constexpr int kGrid = 64;
  std::vector<Eigen::MatrixXd> parts;
  for_each_direction(kGrid, [&](const Vec3& direction, double) {
    const Eigen::VectorXd y = harmonics(order, direction);
    Eigen::MatrixXd part(3, order);
    for (int l = 0; l < order; ++l) {
      part.col(l) = light.middleRows(l * l, 2 * l + 1).transpose() * y.segment(l * l, 2 * l + 1);
    }
    parts.push_back(part);
  });
  const double rounding = 1e-12 * light.cwiseAbs().maxCoeff();
  const auto nowhere_negative = [&](double lambda) {
    Eigen::VectorXd factors(order);
    for (int l = 0; l < order; ++l) factors(l) = window_factor(l, lambda);
    return std::all_of(parts.begin(), parts.end(), [&](const Eigen::MatrixXd& part) {
      return (part * factors).minCoeff() >= -rounding;
    });
  };
  if (nowhere_negative(0)) return 0;
  constexpr double kLeastLambda = 1e-6;
  constexpr double kMostLambda = 1e6;  // leaves the mean alone, up to rounding
  double high = kLeastLambda;
  while (high < kMostLambda && !nowhere_negative(high)) high *= 2;
  double low = high / 2;
  while (high > 1.001 * low) {
    const double middle = 0.5 * (low + high);
    (nowhere_negative(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace supple::light
