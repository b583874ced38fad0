// SPDX-License-Identifier: Apache-2.0
#include "supple/shell/modal_equilibrium.hpp"

#include "shell/largest_vector.hpp"
#include "supple/core/check.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

namespace supple::shell {
namespace {

using Eigen::VectorXd;

constexpr int kMostSteps = 60;
constexpr double kTolerance = 1e-11;    // of the modal load: a thousand times its rounding errors
constexpr double kGoodEnough = 1e-6;    // where rounding stops Newton's method before that
constexpr double kDifference = 1e-6;    // of the response: balances truncation and rounding
constexpr double kShortestStep = 1e-4;  // of Newton's

/// Newton's method with differences: m modes cost 2 m forces a step, and their derivatives by hand
/// would be no faster for the few modes that shells have.
class Balance {
 public:
  Balance(const ShellObject& object, const VectorXd& forces)
      : m_object(object),
        m_forces(forces),
        m_lambda(modal_stiffness(object)),
        m_scale(m_lambda.cwiseSqrt().cwiseInverse()) {
    VectorXd most = VectorXd::Zero(m_lambda.size());
    for (Eigen::Index i = 0; i < forces.size(); i += 3) {
      most += object.displacements.middleRows<3>(i).colwise().norm().transpose() *
              forces.segment<3>(i).norm();
    }
    m_whole = size(most);
  }

  Result<VectorXd> from(VectorXd q) const {
    if (m_whole == 0) return VectorXd(VectorXd::Zero(q.size()));
    VectorXd r = residual(q);
    for (int step = 0; step < kMostSteps; ++step) {
      const double before = size(r);
      if (before <= kTolerance * m_whole) return q;
      const VectorXd move = derivatives(q).fullPivLu().solve(r);
      double part = 1;
      while (part > kShortestStep && !(size(residual(q - part * move)) < before)) part *= 0.5;
      q -= part * move;
      r = residual(q);
    }
    if (size(r) <= kGoodEnough * m_whole) return q;
    return Error(ErrorCode::NotConverged,
                 fmt::format("shell '{}': its modes find no rest under this load, the residual "
                             "stays at {:.2g} of it; make the load smaller or the shell stiffer",
                             m_object.name, size(r) / m_whole));
  }

 private:
  [[nodiscard]] VectorXd residual(const VectorXd& q) const {
    return m_lambda.cwiseProduct(q) - modal_force(m_object, q, m_forces);
  }

  /// Modes differ in stiffness by orders of magnitude: forces compare in energy.
  [[nodiscard]] double size(const VectorXd& force) const {
    return force.cwiseProduct(m_scale).norm();
  }

  [[nodiscard]] Eigen::MatrixXd derivatives(const VectorXd& q) const {
    Eigen::MatrixXd jacobian(q.size(), q.size());
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      const double h = kDifference * m_whole * m_scale(k);
      VectorXd ahead = q;
      VectorXd behind = q;
      ahead(k) += h;
      behind(k) -= h;
      jacobian.col(k) = (residual(ahead) - residual(behind)) / (2 * h);
    }
    return jacobian;
  }

  const ShellObject& m_object;
  const VectorXd& m_forces;
  VectorXd m_lambda;
  VectorXd m_scale;    // 1 / omega
  double m_whole = 0;  // what the modes feel at most, however the shell turns
};

}  // namespace

VectorXd modal_stiffness(const ShellObject& object) {
  VectorXd result(static_cast<Eigen::Index>(object.modes.size()));
  for (Eigen::Index k = 0; k < result.size(); ++k) {
    result(k) = object.modes[k].omega * object.modes[k].omega;
  }
  return result;
}

VectorXd modal_force(const ShellObject& object, const VectorXd& q, const VectorXd& forces) {
  SUPPLE_CHECK_OP(forces.size(), ==, object.turns.rows());
  const VectorXd w = object.turns * q;
  VectorXd turned(forces.size());
  for (Eigen::Index i = 0; i < forces.size(); i += 3) {
    turned.segment<3>(i) = rotation(w.segment<3>(i)).transpose() * forces.segment<3>(i);
  }
  return object.displacements.transpose() * turned;
}

VectorXd linear_response(const ShellObject& object, const VectorXd& forces) {
  return (object.displacements.transpose() * forces).cwiseQuotient(modal_stiffness(object));
}

Result<VectorXd> modal_equilibrium(const ShellObject& object, const VectorXd& forces,
                                   const VectorXd& start) {
  const auto modes = static_cast<Eigen::Index>(object.modes.size());
  SUPPLE_CHECK(start.size() == 0 || start.size() == modes);
  return Balance(object, forces).from(start.size() == 0 ? VectorXd(VectorXd::Zero(modes)) : start);
}

double largest_turn(const ShellObject& object, const VectorXd& q) {
  return largest_vector(object.turns * q);
}

}  // namespace supple::shell
