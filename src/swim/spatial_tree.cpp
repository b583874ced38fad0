// SPDX-License-Identifier: Apache-2.0
#include "swim/spatial_tree.hpp"

#include "supple/geometry/cross_matrix.hpp"

#include <Eigen/Geometry>

namespace supple::swim {

using geometry::cross_matrix;

Vector6d carried(const Vector6d& motion, const Vector6d& force) {
  const Eigen::Vector3d turn = motion.head<3>();
  const Eigen::Vector3d shift = motion.tail<3>();
  Vector6d rate;
  rate.head<3>() = turn.cross(force.head<3>()) + shift.cross(force.tail<3>());
  rate.tail<3>() = turn.cross(force.tail<3>());
  return rate;
}

Matrix6d SpatialTree::from_body(int body) const {
  const Eigen::Matrix3d rotation = axes(body);
  Matrix6d transform;
  transform.topLeftCorner<3, 3>() = rotation;
  transform.topRightCorner<3, 3>().noalias() = cross_matrix(origin(body) - centre()) * rotation;
  transform.bottomLeftCorner<3, 3>().setZero();
  transform.bottomRightCorner<3, 3>() = rotation;
  return transform;
}

Matrix6d SpatialTree::inertia(int body) const {
  // Ixx Iyy Izz Ixy Ixz Iyz, mass times offset, mass.
  const double* c = m_data.cinert + 10 * body;
  Matrix6d matrix;
  matrix.topLeftCorner<3, 3>() << c[0], c[3], c[4], c[3], c[1], c[5], c[4], c[5], c[2];
  const Eigen::Matrix3d offset = cross_matrix({c[6], c[7], c[8]});
  matrix.topRightCorner<3, 3>() = offset;
  matrix.bottomLeftCorner<3, 3>() = -offset;
  matrix.bottomRightCorner<3, 3>() = c[9] * Eigen::Matrix3d::Identity();
  return matrix;
}

void SpatialTree::motions(const double* rates, std::vector<Vector6d>& motion) const {
  motion[0].setZero();
  for (int body = 1; body < bodies(); ++body) {
    Vector6d sum = motion[static_cast<std::size_t>(m_model.body_parentid[body])];
    const int first = m_model.body_dofadr[body];
    for (int k = 0; k < m_model.body_dofnum[body]; ++k) sum += rates[first + k] * axis(first + k);
    motion[static_cast<std::size_t>(body)] = sum;
  }
}

void SpatialTree::bias_accelerations(const double* rates,
                                     std::vector<Vector6d>& acceleration) const {
  acceleration[0].setZero();
  for (int body = 1; body < bodies(); ++body) {
    Vector6d sum = acceleration[static_cast<std::size_t>(m_model.body_parentid[body])];
    const int first = m_model.body_dofadr[body];
    for (int k = 0; k < m_model.body_dofnum[body]; ++k) {
      sum += rates[first + k] * Eigen::Map<const Vector6d>(m_data.cdof_dot + 6 * (first + k));
    }
    acceleration[static_cast<std::size_t>(body)] = sum;
  }
}

void SpatialTree::add_to_mass(const std::vector<Matrix6d>& composite, double* mass) const {
  for (int i = 0; i < m_model.nv; ++i) {
    const Vector6d force =
        composite[static_cast<std::size_t>(m_model.dof_bodyid[i])] * Vector6d(axis(i));
    double* entry = mass + m_model.dof_Madr[i];
    for (int j = i; j >= 0; j = m_model.dof_parentid[j]) *entry++ += axis(j).dot(force);
  }
}

void SpatialTree::add_forces(const std::vector<Vector6d>& composite, double* forces) const {
  for (int i = 0; i < m_model.nv; ++i) {
    forces[i] += axis(i).dot(composite[static_cast<std::size_t>(m_model.dof_bodyid[i])]);
  }
}

}  // namespace supple::swim
