// SPDX-License-Identifier: Apache-2.0
#include "shell/follow.hpp"

#include "shell/largest_vector.hpp"
#include "shell/warping.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/units.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace supple::shell {
namespace {

constexpr double kAreaChange = 0.05;
constexpr double kFurthestTurn = std::numbers::pi;

/// Loads that turn the shell by less than this fraction of the strongest load's turn stretch it
/// rather than bend it, and are ignored.
constexpr double kBends = 0.1;

/// q under 1 g along each axis, a column each; zero for modes before `first`.
Eigen::MatrixX3d static_response(const ShellObject& object, Eigen::Index first) {
  const auto count = static_cast<Eigen::Index>(object.modes.size());
  Eigen::MatrixX3d q = Eigen::MatrixX3d::Zero(count, 3);
  for (Eigen::Index k = first; k < count; ++k) {
    const soft::Vibration& mode = object.modes[k];
    for (int axis = 0; axis < 3; ++axis) {
      q(k, axis) = -kGravity * mode.transfer[3 + axis] / (mode.omega * mode.omega);
    }
  }
  return q;
}

/// The turn at which the area of a growing shape is off.
double turn_where_area_is_off(const fem::DiscreteShell& shell, const Eigen::VectorXd& p,
                              const Eigen::VectorXd& w) {
  const double unit = largest_vector(w);
  const double rest = shell.area(shell.rest());
  const auto off = [&](double turn) {
    const double scale = turn / unit;
    const double area = shell.area(warped(shell.rest(), scale * p, scale * w));
    return !(std::abs(area - rest) <= kAreaChange * rest);
  };
  constexpr int kSteps = 32;
  int step = 1;
  while (step <= kSteps && !off(kFurthestTurn * step / kSteps)) ++step;
  if (step > kSteps) return kFurthestTurn;
  double low = kFurthestTurn * (step - 1) / kSteps;
  double high = kFurthestTurn * step / kSteps;
  for (int i = 0; i < 8; ++i) {
    const double middle = 0.5 * (low + high);
    (off(middle) ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

double follow_turn(const fem::DiscreteShell& shell, const ShellObject& object,
                   Eigen::Index first_elastic) {
  Eigen::MatrixXd q = static_response(object, first_elastic);
  const auto count = static_cast<Eigen::Index>(object.modes.size());
  double strongest = largest_vector((object.turns * q).reshaped());
  // Uniform accelerations do not excite a free shell's elastic modes: test these one by one.
  constexpr double kNothing = 1e-9;
  if (strongest < kNothing) {
    q = Eigen::MatrixXd::Identity(count, count).rightCols(count - first_elastic);
    for (Eigen::Index k = 0; k < q.cols(); ++k) {
      const double turn = largest_vector(object.turns * q.col(k));
      if (turn > 0) q.col(k) /= turn;
    }
    strongest = q.cols() > 0 ? 1 : 0;
  }
  if (!(strongest > 0)) return kFurthestTurn;
  // A curved shell opens differently from how it closes: test both signs.
  std::vector<double> turns(static_cast<std::size_t>(2 * q.cols()), kFurthestTurn);
  parallel_for(turns.size(), 1, [&](std::size_t i) {
    const Eigen::VectorXd direction =
        (i % 2 == 0 ? 1.0 : -1.0) * q.col(static_cast<Eigen::Index>(i / 2));
    const Eigen::VectorXd w = object.turns * direction;
    if (largest_vector(w) < kBends * strongest) return;
    turns[i] = turn_where_area_is_off(shell, object.displacements * direction, w);
  });
  return *std::min_element(turns.begin(), turns.end());
}

Sag sag_under_gravity(const ShellObject& object, Eigen::Index first_mode) {
  const Eigen::MatrixX3d q = static_response(object, first_mode);
  const Eigen::MatrixX3d moved = object.displacements * q;
  const Eigen::MatrixX3d turned = object.turns * q;
  Sag sag;
  for (Eigen::Index i = 0; i < moved.rows(); i += 3) {
    const geometry::Mat3 by = moved.middleRows<3>(i);
    const geometry::Mat3 turn = turned.middleRows<3>(i);
    sag.length = std::max(sag.length, by.operatorNorm());
    sag.turn = std::max(sag.turn, turn.operatorNorm());
  }
  return sag;
}

}  // namespace supple::shell
