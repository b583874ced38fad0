// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fem/element_kernels.hpp"
#include "supple/fem/energy.hpp"
#include "supple/fem/sheet_model.hpp"

#include <Eigen/Core>

namespace supple::fem {

using Matrix32d = Eigen::Matrix<double, 3, 2>;

/// What a stretch costs beyond the elastic energy, per volume.
struct LimitOfStretch {
  StretchLimit kind = StretchLimit::None;
  double stretch = 0;    ///< L
  double start = 0;      ///< l: where the cost begins
  double stiffness = 0;  ///< Pa

  LimitOfStretch() = default;
  explicit LimitOfStretch(const SheetMaterial& material);

  /// Infinite at a hard limit and beyond.
  [[nodiscard]] double value(double s) const;
  [[nodiscard]] double slope(double s) const;
  [[nodiscard]] double curvature(double s) const;
};

/// F = U diag(s) V^T of a 3 x 2 matrix in closed form, s1 >= s2 >= 0.
struct Stretches {
  double s1 = 0, s2 = 0;
  double difference = 0;  ///< s1 - s2, without cancellation
  double area = 0;        ///< J = s1 s2
  Eigen::Matrix3d u;      ///< a rotation; its third column is the normal
  Eigen::Matrix2d v;      ///< a rotation

  explicit Stretches(const Matrix32d& f);
};
/// s1 alone.
[[nodiscard]] double largest_stretch(const Matrix32d& f);

/// MembraneEnergy's law: energy per volume in Pa, and its derivative by F.
[[nodiscard]] EnergyValue membrane_density(const Lame& lame, const LimitOfStretch& limit,
                                           const Matrix32d& f);
[[nodiscard]] Matrix32d membrane_stress(const Lame& lame, const LimitOfStretch& limit,
                                        const Matrix32d& f);

/// The second derivative in the frames of F, as PrincipalCurvature has it for solids: stretches
/// among themselves, the turn and the shear in the plane, and for each stretch the tilt out of the
/// plane, n v_i^T.
struct MembraneCurvature {
  Eigen::Matrix3d u;
  Eigen::Matrix2d v;
  Eigen::Matrix2d stretch;
  double turn = 0;
  double shear = 0;
  Eigen::Vector2d tilt = Eigen::Vector2d::Zero();

  MembraneCurvature(const Lame& lame, const LimitOfStretch& limit, const Matrix32d& f);
  /// Removes negative eigenvalues.
  void make_definite();
  /// Block (a, b) of the second derivatives by positions; `a` and `b` are shape gradients in the
  /// frame V.
  [[nodiscard]] Eigen::Matrix3d block(const Eigen::Vector2d& a, const Eigen::Vector2d& b) const;
};

}  // namespace supple::fem
