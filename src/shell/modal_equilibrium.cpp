// SPDX-License-Identifier: Apache-2.0
#include "supple/shell/modal_equilibrium.hpp"

#include "shell/largest_vector.hpp"
#include "shell/levers.hpp"
#include "supple/core/check.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <cmath>

namespace supple::shell {
namespace {

using Eigen::VectorXd;
using geometry::Vec3;

constexpr int kMostSteps = 60;
constexpr double kTolerance = 1e-11;    // of the modal load: a thousand times its rounding errors
constexpr double kGoodEnough = 1e-6;    // accepted if rounding stops Newton's method earlier
constexpr double kDifference = 1e-6;    // of the response: balances truncation and rounding
constexpr double kShortestStep = 1e-4;  // of Newton's
constexpr double kSoftest = 1e-3;       // of a mode's own stiffness
constexpr double kRounding = 1e-13;     // of energies

/// Newton's method with finite differences: m modes cost 2 m force evaluations per step, and
/// analytic derivatives would be no faster for the few modes of a shell.
class Balance {
 public:
  Balance(const ShellObject& object, const Vec3& acceleration)
      : m_object(object),
        m_acceleration(acceleration),
        m_lambda(modal_stiffness(object)),
        m_scale(m_lambda.cwiseSqrt().cwiseInverse()) {
    VectorXd levers = VectorXd::Zero(m_lambda.size());
    for (Eigen::Index i = 0; i < object.levers.cols(); ++i) {
      levers += object.turns.middleRows<3>(3 * i).colwise().norm().transpose() *
                (object.levers.col(i).norm() * acceleration.norm());
    }
    const VectorXd at_rest = modal_force(object, VectorXd::Zero(m_lambda.size()), acceleration);
    m_whole = size(levers.cwiseMax(at_rest.cwiseAbs()));
  }

  Result<VectorXd> from(VectorXd q) const {
    if (m_whole == 0) return VectorXd(VectorXd::Zero(q.size()));
    VectorXd r = residual(q);
    for (int step = 0; step < kMostSteps; ++step) {
      const double before = size(r);
      if (before <= kTolerance * m_whole) return q;
      const VectorXd move = downhill(q, r);
      double part = 1;
      while (part > kShortestStep && !better(q, q - part * move, before)) part *= 0.5;
      q -= part * move;
      r = residual(q);
    }
    if (size(r) <= kGoodEnough * m_whole) return q;
    return Error(ErrorCode::NotConverged,
                 fmt::format("shell '{}': its modes found no equilibrium under this load, with a "
                             "residual of {:.2g} of it; reduce the load or stiffen the shell",
                             m_object.name, size(r) / m_whole));
  }

 private:
  /// Newton's step, but away from hilltops and saddles.
  [[nodiscard]] VectorXd downhill(const VectorXd& q, const VectorXd& r) const {
    const Eigen::MatrixXd slopes = derivatives(q);
    const Eigen::MatrixXd scaled =
        m_scale.asDiagonal() * (0.5 * (slopes + slopes.transpose())) * m_scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
    const VectorXd stiffness = eigen.eigenvalues().cwiseAbs().cwiseMax(kSoftest);
    const Eigen::MatrixXd& v = eigen.eigenvectors();
    const VectorXd along = v.transpose() * r.cwiseProduct(m_scale);
    return m_scale.cwiseProduct(v * along.cwiseQuotient(stiffness));
  }

  /// Lower, or equal within rounding and closer to balance.
  [[nodiscard]] bool better(const VectorXd& q, const VectorXd& then, double residual_now) const {
    const double change = energy(then) - energy(q);
    const double rounding = kRounding * (m_whole * m_whole + std::abs(energy(q)));
    return change < -rounding || (change <= rounding && size(residual(then)) < residual_now);
  }

  [[nodiscard]] double energy(const VectorXd& q) const {
    const VectorXd w = m_object.turns * q;
    const VectorXd rest = modal_force(m_object, VectorXd::Zero(q.size()), m_acceleration);
    double sum = 0.5 * m_lambda.dot(q.cwiseAbs2()) - rest.dot(q);
    for (Eigen::Index i = 0; i < m_object.levers.cols(); ++i) {
      const Vec3 turn = w.segment<3>(3 * i);
      const Vec3 lever = m_object.levers.col(i);
      sum -= m_acceleration.dot(rotation(turn) * lever - lever - turn.cross(lever));
    }
    return sum;
  }

  [[nodiscard]] VectorXd residual(const VectorXd& q) const {
    return m_lambda.cwiseProduct(q) - modal_force(m_object, q, m_acceleration);
  }

  /// Modes differ in stiffness by orders of magnitude, so forces are compared by energy.
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
  Vec3 m_acceleration;
  VectorXd m_lambda;
  VectorXd m_scale;    // 1 / omega
  double m_whole = 0;  // the largest possible modal force, for any turns of the shell
};

}  // namespace

VectorXd modal_stiffness(const ShellObject& object) {
  VectorXd result(static_cast<Eigen::Index>(object.modes.size()));
  for (Eigen::Index k = 0; k < result.size(); ++k) {
    result(k) = object.modes[k].omega * object.modes[k].omega;
  }
  return result;
}

VectorXd modal_force(const ShellObject& object, const VectorXd& q, const Vec3& acceleration) {
  SUPPLE_CHECK_OP(3 * object.levers.cols(), ==, object.turns.rows());
  VectorXd f(q.size());
  for (Eigen::Index k = 0; k < f.size(); ++k) {
    const auto& h = object.modes[k].transfer;
    f(k) = -Vec3(h[3], h[4], h[5]).dot(acceleration);
  }
  const VectorXd w = object.turns * q;
  VectorXd moments(w.size());
  for (Eigen::Index i = 0; i < object.levers.cols(); ++i) {
    moments.segment<3>(3 * i) =
        moment_change(w.segment<3>(3 * i), object.levers.col(i), acceleration);
  }
  return f + object.turns.transpose() * moments;
}

VectorXd linear_response(const ShellObject& object, const VectorXd& forces) {
  return (object.displacements.transpose() * forces).cwiseQuotient(modal_stiffness(object));
}

Result<VectorXd> modal_equilibrium(const ShellObject& object, const Vec3& acceleration,
                                   const VectorXd& start) {
  const auto modes = static_cast<Eigen::Index>(object.modes.size());
  SUPPLE_CHECK(start.size() == 0 || start.size() == modes);
  return Balance(object, acceleration)
      .from(start.size() == 0 ? VectorXd(VectorXd::Zero(modes)) : start);
}

double largest_turn(const ShellObject& object, const VectorXd& q) {
  return largest_vector(object.turns * q);
}

}  // namespace supple::shell
