// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fem/element_kernels.hpp"
#include "supple/fem/solid_energy.hpp"

namespace supple::fem {

/// Energy per volume in Pa as a function of the deformation gradient F, and the size of its terms.
[[nodiscard]] EnergyValue energy_density(SolidLaw law, const Lame& lame, const Eigen::Matrix3d& f);
/// Its derivative, the first Piola-Kirchhoff stress.
[[nodiscard]] Eigen::Matrix3d stress(SolidLaw law, const Lame& lame, const Eigen::Matrix3d& f);

/// Derivatives of an energy of |F|^2 and J alone, as the neo-Hookean ones are: with the cofactors C
/// of F the stress is shape F + slope C, and the second derivative is
///   shape 1 + slope d2J/dF2 + growth C C - mixed (F C + C F)   (products are dyadic).
struct NormAndVolume {
  double shape = 0;
  double slope = 0;
  double growth = 0;
  double mixed = 0;

  /// Not for St. Venant and Kirchhoff's law.
  NormAndVolume(SolidLaw law, const Lame& lame, double squared_norm, double volume);
};

/// dJ/dF.
[[nodiscard]] Eigen::Matrix3d cofactors(const Eigen::Matrix3d& f);

/// The second derivative of an isotropic energy in the frames of F = U diag(s) V^T, where it falls
/// apart [SGK19]: changes of the stretches s among themselves, and for each pair of axes i < j
/// (numbered by the third, k) the turn of both frames against each other, e_i e_j^T - e_j e_i^T,
/// and the shear e_i e_j^T + e_j e_i^T.
struct PrincipalCurvature {
  Eigen::Matrix3d u, v;     ///< rotations
  Eigen::Matrix3d stretch;  ///< of s_i with s_j
  Eigen::Vector3d turn;     ///< eigenvalues, by k
  Eigen::Vector3d shear;    ///< eigenvalues, by k

  /// Removes negative eigenvalues.
  void make_definite();
};
[[nodiscard]] PrincipalCurvature principal_curvature(SolidLaw law, const Lame& lame,
                                                     const Eigen::Matrix3d& f);

}  // namespace supple::fem
