// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fem/energy_checks.hpp"
#include "fem/shell_meshes.hpp"
#include "supple/fem/motion.hpp"
#include "supple/fem/sheet_model.hpp"

#include <Eigen/Geometry>

#include <utility>

namespace supple::fem {

/// Soft, so that small forces stretch it.
inline SheetMaterial rubber_sheet(StretchLimit limit = StretchLimit::None) {
  SheetMaterial material;
  material.name = "rubber";
  material.youngs_modulus = 1e5;
  material.poisson_ratio = 0.3;
  material.density = 1000;
  material.thickness = 1e-3;
  material.limit = limit;
  return material;
}

inline SheetModel sheet_model(geometry::TriMesh mesh, SheetMaterial material) {
  SheetModel model;
  model.mesh = std::move(mesh);
  model.materials = {std::move(material)};
  return model;
}

template <class Points>
Eigen::VectorXd interleaved(const Points& points) {
  Eigen::VectorXd x(static_cast<Eigen::Index>(3 * points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    x.segment<3>(static_cast<Eigen::Index>(3 * i)) = points[i];
  }
  return x;
}

inline MotionState at_rest(Eigen::VectorXd x) {
  MotionState state;
  state.v = Eigen::VectorXd::Zero(x.size());
  state.x = std::move(x);
  return state;
}

/// All vertices turned and moved.
inline Eigen::VectorXd moved(const Eigen::VectorXd& x, const Eigen::Matrix3d& turn,
                             const Eigen::Vector3d& by) {
  const Eigen::Matrix3Xd all = (turn * x.reshaped(3, x.size() / 3)).colwise() + by;
  return all.reshaped();
}

inline Eigen::Matrix3d some_turn(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
}

/// Force and torque of a gradient on the whole.
inline double resultant(const Eigen::VectorXd& x, const Eigen::VectorXd& gradient) {
  Eigen::Vector3d total = Eigen::Vector3d::Zero();
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();
  for (Eigen::Index i = 0; i < x.size(); i += 3) {
    total += gradient.segment<3>(i);
    torque += Eigen::Vector3d(x.segment<3>(i)).cross(Eigen::Vector3d(gradient.segment<3>(i)));
  }
  return total.norm() + torque.norm();
}

}  // namespace supple::fem
