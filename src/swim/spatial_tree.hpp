// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/water.hpp"
#include "swim/mujoco_model.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace supple::swim {

/// The tree of segments at one moment, in spatial vectors (turning part first) about the centre of
/// mass of the whole, in world axes: MuJoCo's "com-based" frame, so that its motion axes (cdof) and
/// inertias (cinert) can be used directly. Body numbers are MuJoCo's: segment + 1.
class SpatialTree {
 public:
  SpatialTree(const mjModel& model, mjData& data) : m_model(model), m_data(data) {}

  [[nodiscard]] int bodies() const { return m_model.nbody; }
  [[nodiscard]] Eigen::Map<const Eigen::Vector3d> centre() const {
    return Eigen::Map<const Eigen::Vector3d>(m_data.subtree_com + 3);
  }
  [[nodiscard]] Eigen::Map<const Eigen::Vector3d> origin(int body) const {
    return Eigen::Map<const Eigen::Vector3d>(m_data.xpos + 3 * body);
  }
  /// MuJoCo's matrices are row-major.
  [[nodiscard]] Eigen::Matrix3d axes(int body) const {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(m_data.xmat + 9 * body);
  }
  [[nodiscard]] Eigen::Map<const Vector6d> axis(int dof) const {
    return Eigen::Map<const Vector6d>(m_data.cdof + 6 * dof);
  }

  /// Transforms a force or torque on a body, about its origin in its own axes, to the common frame;
  /// the transpose transforms motions the other way.
  [[nodiscard]] Matrix6d from_body(int body) const;
  /// MuJoCo's inertia of one body as a matrix.
  [[nodiscard]] Matrix6d inertia(int body) const;
  /// The motion of every body for rates (or accelerations) of the degrees of freedom.
  void motions(const double* rates, std::vector<Vector6d>& motion) const;
  /// Velocity-product part of the accelerations of every body.
  void bias_accelerations(const double* rates, std::vector<Vector6d>& acceleration) const;
  /// Adds the values of bodies to their parents, in place: entry b is then the sum over b and all
  /// its descendants.
  template <class T>
  void sum_to_root(std::vector<T>& values) const {
    for (int body = bodies() - 1; body > 1; --body) {
      values[static_cast<std::size_t>(m_model.body_parentid[body])] +=
          values[static_cast<std::size_t>(body)];
    }
  }
  /// Adds J^T B J, summed over bodies, to a matrix stored as MuJoCo's qM; `composite` are the B of
  /// the bodies after sum_to_root. It has the tree's sparsity: bodies on different branches share
  /// only the axes of their common ancestors.
  void add_to_mass(const std::vector<Matrix6d>& composite, double* mass) const;
  /// Adds J^T f; `composite` forces after sum_to_root.
  void add_forces(const std::vector<Vector6d>& composite, double* forces) const;

 private:
  const mjModel& m_model;
  mjData& m_data;
};

/// The rate of change of a force-like vector that moves with a motion.
[[nodiscard]] Vector6d carried(const Vector6d& motion, const Vector6d& force);

}  // namespace supple::swim
