// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/fem/shell_modes.hpp"
#include "supple/shell/settings.hpp"
#include "supple/soft/object.hpp"

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// From a discrete shell to the player's data, all in the shell's frame and in metres.
namespace supple::shell {

/// W of [CWK07 eq. 15]: W u are the rotation vectors of all nodes, each the mean over its triangles
/// of eq. 13. Exact on rigid rotations.
[[nodiscard]] Eigen::SparseMatrix<double> node_rotations(const geometry::TriMesh& mesh);

/// R = exp([w]) and Rt = integral_0^1 exp(s [w]) ds in closed form.
[[nodiscard]] Eigen::Matrix3d rotation(const Eigen::Vector3d& w);
[[nodiscard]] Eigen::Matrix3d mean_rotation(const Eigen::Vector3d& w);

/// A node at which distributed forces are sampled, and the share it represents. Only the change
/// caused by turning is sampled; H has the rest exactly. For an acceleration a of the whole shell,
/// f = -H a + sum_points Psi^T (Rt^T (R lever x a) - lever x a), whose sum is the derivative of a .
/// sum_points R(Psi q) lever: how the mass moves as the shell turns without stretching. For forces
/// F that differ from point to point, the sample is Phi^T (R^T - I) F [CWK07 eq. 17].
struct Point {
  geometry::Index node = 0;
  double mass = 0;                                        ///< kg
  Eigen::Vector3d lever = Eigen::Vector3d::Zero();        ///< kg m
  Eigen::Vector3d area_vector = Eigen::Vector3d::Zero();  ///< m^2 of the moving nodes around it
};

/// The prefactored solve of the rotation-strain reconstruction: L L^T is the cotangent Laplacian
/// over the nodes in `order`, by columns, the diagonal first in each. Nodes that are not in it are
/// positioned by warping: fixed ones (at rest), and one node of each piece without fixed nodes.
struct StrainFactor {
  std::vector<geometry::Index> order;             ///< placed nodes in elimination order
  std::vector<std::array<double, 3>> cotangents;  ///< of each triangle's corners, halved
  std::vector<std::uint32_t> column_start, rows;
  std::vector<double> values;
};

struct ShellObject {
  std::string name;
  std::vector<soft::Vibration> modes;
  Eigen::MatrixXd displacements;  ///< Phi: 3 nodes x modes
  Eigen::MatrixXd turns;          ///< Psi: 3 nodes x modes
  Eigen::Matrix3Xd levers;        ///< of all nodes, kg m
  std::vector<Point> points;
  std::optional<StrainFactor> strain;
  double mass = 0;         ///< kg, of the shell itself
  double size = 0;         ///< metres: diagonal of the box
  double follow_turn = 0;  ///< radians: beyond this, warping changes the area by more than 5%
  /// Relative error of sampled forces against all nodes, in the norm sum f_k^2 / omega_k^2.
  double point_error = 0;
  bool modelled_under_gravity = false;
  double medium_density = 0;  ///< kg/m^3; 0: none
  double weight = 1;          ///< share of the gravity on the modes' mass that acts in that medium
  double limit = 0;

  // For the report.
  double added_mass = 0;  ///< kg/m^2 of the medium carried along
  std::size_t fixed_nodes = 0;
  int mechanisms = 0;
  double sag = 0;         ///< metres under 1 g by the linear modes, in the worst direction
  double sag_turn = 0;    ///< the largest turn under that load, radians
  double stiffening = 1;  ///< factor on all moduli, from ObjectSettings::sag
  std::vector<std::string> warnings;  ///< mechanisms, sag beyond follow_turn with the measure, ...
  std::vector<std::pair<std::string, double>> seconds;
};

/// A shell without bending stiffness whose mesh is too large to remove the zero-energy motions one
/// by one gets the bending stiffness of thin silk of its weight, with a warning.
[[nodiscard]] Result<ShellObject> bake_shell(const fem::DiscreteShell& shell,
                                             const ObjectSettings& settings);

/// Shapes by the three methods based on rest modes, for comparison with fem::find_equilibrium; x y
/// z of all nodes. The player does the same in real time.
[[nodiscard]] Eigen::VectorXd linear_shape(const fem::DiscreteShell& shell,
                                           const ShellObject& object, const Eigen::VectorXd& q);
[[nodiscard]] Eigen::VectorXd warped_shape(const fem::DiscreteShell& shell,
                                           const ShellObject& object, const Eigen::VectorXd& q);
/// Each triangle turns by w = eq. 13 of its corners' linear displacements p, and the target of its
/// edge e is R(w) (e + dp - w x e). The result minimises
///   sum over triangles and their edges of (cot of the opposite angle) / 2 |x_j - x_i - target|^2.
/// Needs object.strain.
[[nodiscard]] Eigen::VectorXd rotation_strain_shape(const fem::DiscreteShell& shell,
                                                    const ShellObject& object,
                                                    const Eigen::VectorXd& q);

}  // namespace supple::shell
