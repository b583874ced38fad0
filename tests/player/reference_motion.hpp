// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/supple_file.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <cstddef>
#include <vector>

/// A bone that moves by formulas, and what flesh on it does according to equations.md, integrated
/// with small Runge-Kutta steps: shares nothing with the player.
namespace supple::player::testing {

/// Begins smoothly from rest: sin^4 has three vanishing derivatives at 0.
struct SmoothMotion {
  static inline double pace = 1;  ///< how many times faster

  static double hump(double x) { return std::pow(std::sin(pace * x), 4); }

  static Eigen::Vector3d position(double t) {
    return {0.3 * hump(2 * t), 0.2 * hump(3 * t), 0.25 * hump(1.5 * t)};
  }
  static Eigen::Quaterniond rotation(double t) {
    using Eigen::AngleAxisd;
    using Eigen::Vector3d;
    return Eigen::Quaterniond(AngleAxisd(1.2 * hump(1.7 * t), Vector3d::UnitZ()) *
                              AngleAxisd(0.9 * hump(2.3 * t), Vector3d::UnitX()) *
                              AngleAxisd(0.5 * hump(1.1 * t), Vector3d::UnitY()));
  }
};

/// Derivatives by central differences of sixth order: 1e-10 here.
template <class F>
auto derivative(F&& f, double t) {
  constexpr double h = 2e-3;
  return ((45 * (f(t + h) - f(t - h)) - 9 * (f(t + 2 * h) - f(t - 2 * h)) +
           (f(t + 3 * h) - f(t - 3 * h))) /
          (60 * h))
      .eval();
}

/// rad/s, in the bone's axes: R^T R' is the cross product with it.
inline Eigen::Vector3d spin_at(double t) {
  const auto matrix = [](double s) { return SmoothMotion::rotation(s).toRotationMatrix(); };
  const Eigen::Matrix3d w = matrix(t).transpose() * derivative(matrix, t);
  return {w(2, 1), w(0, 2), w(1, 0)};
}

inline Eigen::Vector3d acceleration_at(double t) {
  const auto velocity = [](double s) { return derivative(SmoothMotion::position, s); };
  return SmoothMotion::rotation(t).toRotationMatrix().transpose() * derivative(velocity, t);
}

/// H [alpha; a - (g - g_rest)] - C s, and W, for an object whose rest rotation is the identity.
struct ModalForce {
  Eigen::VectorXd force;
  Eigen::MatrixXd turning;
};

/// From spin, angular acceleration and acceleration in the bone's axes, turned so.
inline ModalForce force_of(const soft::Object& object, const Eigen::Quaterniond& rotation,
                           const Eigen::Vector3d& w, const Eigen::Vector3d& alpha,
                           const Eigen::Vector3d& acceleration) {
  const Eigen::Vector3d g(0, -9.81, 0);
  const Eigen::Vector3d a = acceleration - (rotation.toRotationMatrix().transpose() * g - g);
  const Eigen::Matrix3d S = w * w.transpose() - w.squaredNorm() * Eigen::Matrix3d::Identity();
  const double s[6] = {S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(0, 2), S(1, 2)};
  const auto m = static_cast<Eigen::Index>(object.modes.size());
  ModalForce result{Eigen::VectorXd::Zero(m), Eigen::MatrixXd::Zero(m, m)};
  for (Eigen::Index k = 0; k < m; ++k) {
    const soft::Mode& mode = object.modes[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < 3; ++i) {
      const auto axis = static_cast<Eigen::Index>(i);
      result.force[k] += mode.transfer[i] * alpha[axis] + mode.transfer[3 + i] * a[axis];
    }
    for (std::size_t i = 0; i < 6; ++i) result.force[k] -= mode.centrifugal[i] * s[i];
  }
  for (std::size_t axis = 0; axis < object.coriolis.size(); ++axis) {
    result.turning += w[static_cast<Eigen::Index>(axis)] * object.coriolis[axis];
  }
  return result;
}

inline ModalForce force_at(const soft::Object& object, double t) {
  return force_of(object, SmoothMotion::rotation(t), spin_at(t), derivative(spin_at, t),
                  acceleration_at(t));
}

/// What the frames at t - h, t and t + h say of the force at t.
inline ModalForce force_seen(const soft::Object& object, double t, double h) {
  const auto velocity = [h](double s) -> Eigen::Vector3d {
    return (SmoothMotion::position(s + h) - SmoothMotion::position(s)) / h;
  };
  const auto spin = [h](double s) -> Eigen::Vector3d {
    const Eigen::AngleAxisd turn(SmoothMotion::rotation(s).conjugate() *
                                 SmoothMotion::rotation(s + h));
    return turn.angle() / h * turn.axis();
  };
  const Eigen::Quaterniond rotation = SmoothMotion::rotation(t);
  return force_of(object, rotation, (spin(t) + spin(t - h)) / 2, (spin(t) - spin(t - h)) / h,
                  rotation.conjugate() * ((velocity(t) - velocity(t - h)) / h));
}

/// q at equidistant times, with q' for interpolation between them.
class Reference {
 public:
  static constexpr double kStep = 1.0 / 2000;  // Runge-Kutta of order 4: errors near 1e-11

  Reference(const soft::Object& object, double seconds) : m_object(object) {
    const auto m = static_cast<Eigen::Index>(object.modes.size());
    Eigen::VectorXd q = Eigen::VectorXd::Zero(m);
    Eigen::VectorXd v = q;
    ModalForce here = force_at(object, 0);
    for (double t = 0; t < seconds; t = kStep * static_cast<double>(m_q.size())) {
      m_q.push_back(q);
      m_v.push_back(v);
      const ModalForce middle = force_at(object, t + kStep / 2);
      const ModalForce next = force_at(object, t + kStep);
      const Eigen::VectorXd a1 = rate(here, q, v);
      const Eigen::VectorXd v2 = v + kStep / 2 * a1;
      const Eigen::VectorXd a2 = rate(middle, q + kStep / 2 * v, v2);
      const Eigen::VectorXd v3 = v + kStep / 2 * a2;
      const Eigen::VectorXd a3 = rate(middle, q + kStep / 2 * v2, v3);
      const Eigen::VectorXd v4 = v + kStep * a3;
      const Eigen::VectorXd a4 = rate(next, q + kStep * v3, v4);
      q += kStep / 6 * (v + 2 * v2 + 2 * v3 + v4);
      v += kStep / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      here = next;
    }
  }

  [[nodiscard]] Eigen::VectorXd at(double t) const {
    const auto i = static_cast<std::size_t>(t / kStep);
    const double x = t / kStep - static_cast<double>(i);
    const double y = 1 - x;
    return (1 + 2 * x) * y * y * m_q[i] + x * x * (3 - 2 * x) * m_q[i + 1] +
           kStep * (x * y * y * m_v[i] - x * x * y * m_v[i + 1]);
  }

  /// Of each mode.
  [[nodiscard]] Eigen::VectorXd largest() const {
    Eigen::VectorXd most = m_q.front().cwiseAbs();
    for (const Eigen::VectorXd& q : m_q) most = most.cwiseMax(q.cwiseAbs());
    return most;
  }

 private:
  [[nodiscard]] Eigen::VectorXd rate(const ModalForce& f, const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& v) const {
    Eigen::VectorXd a = f.force - f.turning * v;
    for (Eigen::Index k = 0; k < a.size(); ++k) {
      const soft::Mode& mode = m_object.modes[static_cast<std::size_t>(k)];
      a[k] -= mode.omega * mode.omega * q[k] + 2 * mode.damping * mode.omega * v[k];
    }
    return a;
  }

  const soft::Object& m_object;
  std::vector<Eigen::VectorXd> m_q;
  std::vector<Eigen::VectorXd> m_v;
};

}  // namespace supple::player::testing
