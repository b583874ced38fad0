// SPDX-License-Identifier: Apache-2.0
#include "fem/solid_laws.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <cmath>

namespace supple::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// dJ/dF.
Matrix3d cofactors(const Matrix3d& f) {
  Matrix3d result;
  result << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  return result;
}

/// With rotations U and V: a reflection goes into the sign of the last stretch.
Vector3d signed_stretches(const Matrix3d& f, Matrix3d& u, Matrix3d& v) {
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

void neo_hookean(const Lame& lame, const Vector3d& s, PrincipalCurvature& result) {
  const double volume = lame.lambda + lame.mu;
  const Vector3d by_s(s(1) * s(2), s(2) * s(0), s(0) * s(1));  // dJ/ds
  const double slope = volume * (s.prod() - 1) - lame.mu;      // of the energy by J
  result.stretch = volume * by_s * by_s.transpose();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    result.stretch(k, k) += lame.mu;
    result.stretch(i, j) += slope * s(k);
    result.stretch(j, i) += slope * s(k);
    result.turn(k) = lame.mu + slope * s(k);
    result.shear(k) = lame.mu - slope * s(k);
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

}  // namespace

EnergyValue energy_density(SolidLaw law, const Lame& lame, const Matrix3d& f) {
  if (law == SolidLaw::StableNeoHookean) {
    const double growth = f.determinant() - 1;
    const double energy = 0.5 * lame.mu * (f.squaredNorm() - 3) - lame.mu * growth +
                          0.5 * (lame.lambda + lame.mu) * growth * growth;
    return {energy, std::abs(energy) + lame.mu * (f.squaredNorm() + 3)};
  }
  const Matrix3d strain = 0.5 * (f.transpose() * f - Matrix3d::Identity());
  const double energy =
      lame.mu * strain.squaredNorm() + 0.5 * lame.lambda * strain.trace() * strain.trace();
  return {energy, energy};
}

Matrix3d stress(SolidLaw law, const Lame& lame, const Matrix3d& f) {
  if (law == SolidLaw::StableNeoHookean) {
    const double growth = f.determinant() - 1;
    return lame.mu * f + ((lame.lambda + lame.mu) * growth - lame.mu) * cofactors(f);
  }
  const Matrix3d strain = 0.5 * (f.transpose() * f - Matrix3d::Identity());
  return 2 * lame.mu * f * strain + lame.lambda * strain.trace() * f;
}

PrincipalCurvature principal_curvature(SolidLaw law, const Lame& lame, const Matrix3d& f) {
  PrincipalCurvature result;
  const Vector3d s = signed_stretches(f, result.u, result.v);
  if (law == SolidLaw::StableNeoHookean) {
    neo_hookean(lame, s, result);
  } else {
    st_venant_kirchhoff(lame, s, result);
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
