// SPDX-License-Identifier: Apache-2.0
#include "fem/solid_laws.hpp"

#include "fem/green_strain.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// F = U diag(s) V^T with rotations U and V: a reflection goes into the sign of the last stretch.
/// By the eigenvectors of F^T F, which are cheaper than Jacobi's method. That remains for
/// elements that are nearly flat: there F^T F has lost the small stretches to rounding.
Vector3d signed_stretches(const Matrix3d& f, Matrix3d& u, Matrix3d& v) {
  constexpr double kFlat = 1e-3;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> squares(f.transpose() * f);
  if (squares.eigenvalues()(0) > kFlat * kFlat * squares.eigenvalues()(2)) {
    v.col(0) = squares.eigenvectors().col(2);
    v.col(1) = squares.eigenvectors().col(1);
    v.col(2) = v.col(0).cross(v.col(1));
    u.col(0) = (f * v.col(0)).normalized();
    const Vector3d second = f * v.col(1);
    u.col(1) = (second - u.col(0).dot(second) * u.col(0)).normalized();
    u.col(2) = u.col(0).cross(u.col(1));
    return {u.col(0).dot(f * v.col(0)), u.col(1).dot(second), u.col(2).dot(f * v.col(2))};
  }
  const Eigen::JacobiSVD<Matrix3d> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  u = svd.matrixU();
  v = svd.matrixV();
  Vector3d s = svd.singularValues();
  for (Matrix3d* frame : {&u, &v}) {
    if (frame->determinant() > 0) continue;
    frame->col(2) *= -1;
    s(2) *= -1;
  }
  return s;
}

/// With psi_i = shape s_i + slope J / s_i.
void norm_and_volume(const NormAndVolume& at, const Vector3d& s, PrincipalCurvature& result) {
  const Vector3d by_s(s(1) * s(2), s(2) * s(0), s(0) * s(1));  // dJ/ds
  result.stretch = at.growth * by_s * by_s.transpose() -
                   at.mixed * (s * by_s.transpose() + by_s * s.transpose());
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    result.stretch(k, k) += at.shape;
    result.stretch(i, j) += at.slope * s(k);
    result.stretch(j, i) += at.slope * s(k);
    result.turn(k) = at.shape + at.slope * s(k);
    result.shear(k) = at.shape - at.slope * s(k);
  }
}

void st_venant_kirchhoff(const Lame& lame, const Vector3d& s, PrincipalCurvature& result) {
  const double spread = 0.5 * lame.lambda * (s.squaredNorm() - 3);
  result.stretch = lame.lambda * s * s.transpose();
  for (int k = 0; k < 3; ++k) {
    const double a = s((k + 1) % 3);
    const double b = s((k + 2) % 3);
    result.stretch(k, k) += lame.mu * (3 * s(k) * s(k) - 1) + spread;
    result.turn(k) = lame.mu * (a * a - a * b + b * b - 1) + spread;
    result.shear(k) = lame.mu * (a * a + a * b + b * b - 1) + spread;
  }
}

/// Derivatives of SolidLaw::NeoHookean are asked for only where J is positive.
double positive(double volume) {
  return std::max(volume, std::numeric_limits<double>::min());
}

}  // namespace

NormAndVolume::NormAndVolume(SolidLaw law, const Lame& lame, double squared_norm, double volume) {
  if (law == SolidLaw::StableNeoHookean) {
    shape = lame.mu;
    growth = lame.lambda + lame.mu;
    slope = growth * (volume - 1) - lame.mu;
    return;
  }
  const double j = positive(volume);
  const double bulk = lame.lambda + 2.0 / 3 * lame.mu;
  shape = lame.mu / std::cbrt(j * j);
  slope = bulk * (j - 1) - shape * squared_norm / (3 * j);
  growth = bulk + 5.0 / 9 * shape * squared_norm / (j * j);
  mixed = 2.0 / 3 * shape / j;
}

Matrix3d cofactors(const Matrix3d& f) {
  Matrix3d result;
  result << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  return result;
}

EnergyValue energy_density(SolidLaw law, const Lame& lame, const Matrix3d& f) {
  if (law == SolidLaw::NeoHookean) {
    const double j = f.determinant();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (!(j > 0)) return {kInfinity, kInfinity};
    const double bulk = lame.lambda + 2.0 / 3 * lame.mu;
    const double shape = 0.5 * lame.mu / std::cbrt(j * j) * f.squaredNorm();
    const double energy = shape - 1.5 * lame.mu + 0.5 * bulk * (j - 1) * (j - 1);
    return {energy, std::abs(energy) + shape + 1.5 * lame.mu};
  }
  if (law == SolidLaw::StableNeoHookean) {
    const double growth = f.determinant() - 1;
    const double energy = 0.5 * lame.mu * (f.squaredNorm() - 3) - lame.mu * growth +
                          0.5 * (lame.lambda + lame.mu) * growth * growth;
    return {energy, std::abs(energy) + lame.mu * (f.squaredNorm() + 3)};
  }
  const Matrix3d strain = green_strain(f);
  const double energy =
      lame.mu * strain.squaredNorm() + 0.5 * lame.lambda * strain.trace() * strain.trace();
  return {energy, energy};
}

Matrix3d stress(SolidLaw law, const Lame& lame, const Matrix3d& f) {
  if (law == SolidLaw::StVenantKirchhoff) return f * linear_stress(lame, green_strain(f));
  const Matrix3d c = cofactors(f);
  const NormAndVolume at(law, lame, f.squaredNorm(), f.col(0).dot(c.col(0)));
  return at.shape * f + at.slope * c;
}

PrincipalCurvature principal_curvature(SolidLaw law, const Lame& lame, const Matrix3d& f) {
  PrincipalCurvature result;
  const Vector3d s = signed_stretches(f, result.u, result.v);
  if (law == SolidLaw::StVenantKirchhoff) {
    st_venant_kirchhoff(lame, s, result);
  } else {
    norm_and_volume(NormAndVolume(law, lame, s.squaredNorm(), s.prod()), s, result);
  }
  return result;
}

void PrincipalCurvature::make_definite() {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(stretch);
  if (solver.eigenvalues()(0) < 0) {
    stretch = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).asDiagonal() *
              solver.eigenvectors().transpose();
  }
  turn = turn.cwiseMax(0.0);
  shear = shear.cwiseMax(0.0);
}

}  // namespace supple::fem
