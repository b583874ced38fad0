// SPDX-License-Identifier: Apache-2.0
#include "fem/membrane_law.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::fem {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

/// Half the trace and half the differences of F^T F: its eigenvalues are mean +- radius.
struct MohrOfSquares {
  double mean, along, diagonal, radius;

  explicit MohrOfSquares(const Matrix32d& f)
      : mean(0.5 * f.squaredNorm()),
        along(0.5 * (f.col(0) - f.col(1)).dot(f.col(0) + f.col(1))),
        diagonal(f.col(0).dot(f.col(1))),
        radius(std::hypot(along, diagonal)) {}
};

/// The direction of the larger eigenvalue, by the formula of the half angle that does not cancel.
Vector2d first_axis(const MohrOfSquares& m) {
  if (!(m.radius > 0)) return {1, 0};
  const double cosine = m.along / m.radius;
  const double larger = std::sqrt(0.5 * (1 + std::abs(cosine)));
  const double smaller = 0.5 * m.diagonal / (m.radius * larger);
  return cosine >= 0 ? Vector2d(larger, smaller) : Vector2d(smaller, larger);
}

/// A unit vector across another.
Vector3d any_across(const Vector3d& unit) {
  int least = 0;
  unit.cwiseAbs().minCoeff(&least);
  return unit.cross(Vector3d::Unit(least)).normalized();
}

/// Derivatives of a collapsed triangle do not exist; they are bounded as if it were this thick.
constexpr double kFlatTriangle = 1e-9;

Matrix2d positive_part_of_plane(const Matrix2d& m) {
  const double mean = 0.5 * (m(0, 0) + m(1, 1));
  const double along = 0.5 * (m(0, 0) - m(1, 1));
  const double radius = std::hypot(along, m(0, 1));
  if (mean >= radius) return m;
  if (mean <= -radius) return Matrix2d::Zero();
  // The larger eigenvalue times the projector on its axis, (1 + (m - mean) / radius) / 2.
  Matrix2d projector = m;
  projector.diagonal().array() -= mean;
  projector *= 0.5 / radius;
  projector.diagonal().array() += 0.5;
  return (mean + radius) * projector;
}

/// (l'(s1) - l'(s2)) / (s1 - s2), and its limit for equal stretches.
double slope_quotient(const LimitOfStretch& limit, const Stretches& s) {
  constexpr double kEqual = 1e-5;  // the error of either form is about 1e-10 there
  if (s.difference < kEqual) return limit.curvature(0.5 * (s.s1 + s.s2));
  return (limit.slope(s.s1) - limit.slope(s.s2)) / s.difference;
}

}  // namespace

LimitOfStretch::LimitOfStretch(const SheetMaterial& material)
    : kind(material.limit), stretch(1 + material.stretch_limit) {
  if (kind == StretchLimit::Penalty) {
    start = stretch;
    stiffness = material.limit_stiffness * material.youngs_modulus / material.stretch_limit;
  } else if (kind == StretchLimit::Hard) {
    start = 1 + 0.5 * material.stretch_limit;
    stiffness = material.youngs_modulus;
  }
}

double LimitOfStretch::value(double s) const {
  if (kind == StretchLimit::None || s <= start) return 0;
  const double excess = s - start;
  if (kind == StretchLimit::Penalty) return stiffness / 6 * excess * excess * excess;
  if (s >= stretch) return std::numeric_limits<double>::infinity();
  return -stiffness * excess * excess * std::log((stretch - s) / (stretch - start));
}

double LimitOfStretch::slope(double s) const {
  if (kind == StretchLimit::None || s <= start) return 0;
  const double excess = s - start;
  if (kind == StretchLimit::Penalty) return 0.5 * stiffness * excess * excess;
  const double gap = std::max(stretch - s, std::numeric_limits<double>::min());
  return stiffness * excess * (excess / gap - 2 * std::log(gap / (stretch - start)));
}

double LimitOfStretch::curvature(double s) const {
  if (kind == StretchLimit::None || s <= start) return 0;
  const double excess = s - start;
  if (kind == StretchLimit::Penalty) return stiffness * excess;
  const double gap = std::max(stretch - s, std::numeric_limits<double>::min());
  const double ratio = excess / gap;
  return stiffness * (ratio * (ratio + 4) - 2 * std::log(gap / (stretch - start)));
}

Stretches::Stretches(const Matrix32d& f) {
  const MohrOfSquares m(f);
  const Vector3d normal = Vector3d(f.col(0)).cross(Vector3d(f.col(1)));
  area = normal.norm();
  s1 = std::sqrt(m.mean + m.radius);
  s2 = s1 > 0 ? area / s1 : 0;
  difference = s1 > 0 ? 2 * m.radius / (s1 + s2) : 0;
  const Vector2d axis = first_axis(m);
  v << axis.x(), -axis.y(), axis.y(), axis.x();
  u.col(0) = s1 > 0 ? Vector3d(f * axis / s1) : Vector3d(Vector3d::UnitX());
  u.col(2) = area > 0 ? Vector3d(normal / area) : any_across(u.col(0));
  u.col(1) = Vector3d(u.col(2)).cross(Vector3d(u.col(0)));
}

double largest_stretch(const Matrix32d& f) {
  const MohrOfSquares m(f);
  return std::sqrt(m.mean + m.radius);
}

EnergyValue membrane_density(const Lame& lame, const LimitOfStretch& limit, const Matrix32d& f) {
  const Stretches s(f);
  const double growth = s.area - 1;
  const double bulk = lame.lambda + lame.mu;
  const double energy = 0.5 * lame.mu * s.difference * s.difference + 0.5 * bulk * growth * growth +
                        limit.value(s.s1) + limit.value(s.s2);
  // Rounding enters by the stretches, whose own size is 1.
  return {energy, energy + lame.mu * s.difference + std::abs(bulk * growth)};
}

Matrix32d membrane_stress(const Lame& lame, const LimitOfStretch& limit, const Matrix32d& f) {
  const Vector3d f1 = f.col(0);
  const Vector3d f2 = f.col(1);
  Vector3d normal = f1.cross(f2);
  const double area = normal.norm();
  normal /= std::max(area, kFlatTriangle);
  Matrix32d by_area;  // dJ/dF
  by_area << f2.cross(normal), normal.cross(f1);
  Matrix32d stress = lame.mu * f + ((lame.lambda + lame.mu) * (area - 1) - lame.mu) * by_area;
  if (largest_stretch(f) <= limit.start || limit.kind == StretchLimit::None) return stress;
  const Stretches s(f);
  stress += limit.slope(s.s1) * s.u.col(0) * s.v.col(0).transpose();
  stress += limit.slope(s.s2) * s.u.col(1) * s.v.col(1).transpose();
  return stress;
}

MembraneCurvature::MembraneCurvature(const Lame& lame, const LimitOfStretch& limit,
                                     const Matrix32d& f) {
  const Stretches s(f);
  u = s.u;
  v = s.v;
  const double bulk = lame.lambda + lame.mu;
  const double slope = bulk * (s.area - 1) - lame.mu;              // of the energy by J
  stretch << lame.mu + bulk * s.s2 * s.s2, slope + bulk * s.area,  //
      slope + bulk * s.area, lame.mu + bulk * s.s1 * s.s1;
  stretch(0, 0) += limit.curvature(s.s1);
  stretch(1, 1) += limit.curvature(s.s2);
  const double first = std::max(s.s1, kFlatTriangle);
  const double second = std::max(s.s2, kFlatTriangle);
  const double slope1 = limit.slope(s.s1);
  const double slope2 = limit.slope(s.s2);
  turn = lame.mu + slope + (slope1 + slope2) / (first + second);
  shear = lame.mu - slope + slope_quotient(limit, s);
  tilt << lame.mu + (slope * s.s2 + slope1) / first, lame.mu + (slope * s.s1 + slope2) / second;
}

void MembraneCurvature::make_definite() {
  stretch = positive_part_of_plane(stretch);
  turn = std::max(turn, 0.0);
  shear = std::max(shear, 0.0);
  tilt = tilt.cwiseMax(0.0);
}

Matrix3d MembraneCurvature::block(const Vector2d& a, const Vector2d& b) const {
  const double same = 0.5 * (turn + shear);
  const double crossed = 0.5 * (shear - turn);
  Matrix3d inner = Matrix3d::Zero();
  inner(0, 0) = stretch(0, 0) * a(0) * b(0) + same * a(1) * b(1);
  inner(1, 1) = stretch(1, 1) * a(1) * b(1) + same * a(0) * b(0);
  inner(0, 1) = stretch(0, 1) * a(0) * b(1) + crossed * a(1) * b(0);
  inner(1, 0) = stretch(0, 1) * a(1) * b(0) + crossed * a(0) * b(1);
  inner(2, 2) = tilt(0) * a(0) * b(0) + tilt(1) * a(1) * b(1);
  return u * inner * u.transpose();
}

}  // namespace supple::fem
