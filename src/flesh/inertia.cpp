// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/inertia.hpp"

#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"
#include "supple/fem/tet_element.hpp"
#include "supple/geometry/cross_matrix.hpp"

#include <Eigen/Geometry>

#include <algorithm>

namespace supple::flesh {
namespace {

using geometry::Vec3;

/// Columns that M is applied to: Gamma (6), S r for unit s (6), and the shapes themselves.
constexpr Eigen::Index kInputs = 12;
using NodeInputs = Eigen::Matrix<double, 3, kInputs>;

NodeInputs node_inputs(const Vec3& r) {
  NodeInputs inputs = NodeInputs::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    inputs.col(axis) = Vec3::Unit(axis).cross(r);  // unit angular acceleration
    inputs(axis, 3 + axis) = 1;                    // unit acceleration
    inputs(axis, 6 + axis) = r(axis);              // s = xx, yy, zz
  }
  inputs.col(9) = Vec3(r.y(), r.x(), 0);   // xy
  inputs.col(10) = Vec3(r.z(), 0, r.x());  // xz
  inputs.col(11) = Vec3(0, r.z(), r.y());  // yz
  return inputs;
}

/// The contribution of one chunk of elements.
struct Sums {
  Eigen::MatrixXd inputs;                 // m x 12: Phi^T M X
  std::vector<Eigen::MatrixXd> coriolis;  // per axis m x m: Phi^T M [e] Phi
  double mass = 0;
};

void add_element(const fem::SolidModel& model, const Eigen::MatrixXd& shapes, std::size_t e,
                 Sums& sums) {
  const auto& mesh = model.mesh;
  const auto nodes = mesh.element(e);
  const double density = model.materials[mesh.region(e)].density;
  const Eigen::MatrixXd mass =
      fem::element_mass(mesh.order, fem::element_nodes(mesh, e), density, model.mass_rule);
  const auto count = static_cast<Eigen::Index>(nodes.size());
  Eigen::MatrixXd phi(3 * count, shapes.cols());
  Eigen::MatrixXd inputs(3 * count, kInputs);
  for (Eigen::Index a = 0; a < count; ++a) {
    phi.middleRows<3>(3 * a) = shapes.middleRows<3>(3 * Eigen::Index{nodes[a]});
    inputs.middleRows<3>(3 * a) = node_inputs(mesh.nodes[nodes[a]]);
  }
  Eigen::MatrixXd mass_phi = Eigen::MatrixXd::Zero(3 * count, shapes.cols());
  for (Eigen::Index a = 0; a < count; ++a) {
    for (Eigen::Index b = 0; b < count; ++b) {
      mass_phi.middleRows<3>(3 * a) += mass(a, b) * phi.middleRows<3>(3 * b);
    }
  }
  sums.inputs += mass_phi.transpose() * inputs;
  sums.mass += mass.sum();
  for (int axis = 0; axis < static_cast<int>(sums.coriolis.size()); ++axis) {
    const Eigen::Matrix3d cross = geometry::cross_matrix(Vec3::Unit(axis));
    for (Eigen::Index a = 0; a < count; ++a) {
      sums.coriolis[axis] +=
          mass_phi.middleRows<3>(3 * a).transpose() * (cross * phi.middleRows<3>(3 * a));
    }
  }
}

}  // namespace

InertialTransfer inertial_transfer(const fem::SolidModel& model, const Eigen::MatrixXd& shapes,
                                   bool coriolis) {
  SUPPLE_CHECK_OP(static_cast<std::size_t>(shapes.rows()), ==, 3 * model.mesh.nodes.size());
  const Eigen::Index m = shapes.cols();
  const Sums zero{Eigen::MatrixXd::Zero(m, kInputs),
                  std::vector<Eigen::MatrixXd>(coriolis ? 3 : 0, Eigen::MatrixXd::Zero(m, m)), 0};
  // Partial sums with Coriolis terms have 3 m^2 numbers each, so use few of them.
  const std::size_t grain =
      coriolis ? std::max<std::size_t>(256, model.mesh.element_count() / 16) : 256;
  const Sums sums = parallel_reduce(
      model.mesh.element_count(), grain, zero,
      [&](std::size_t begin, std::size_t end) {
        Sums part = zero;
        for (std::size_t e = begin; e < end; ++e) add_element(model, shapes, e, part);
        return part;
      },
      [](Sums total, const Sums& part) {
        total.inputs += part.inputs;
        total.mass += part.mass;
        for (std::size_t axis = 0; axis < total.coriolis.size(); ++axis) {
          total.coriolis[axis] += part.coriolis[axis];
        }
        return total;
      });
  InertialTransfer result;
  result.transfer = -sums.inputs.leftCols<6>();
  result.centrifugal = sums.inputs.rightCols<6>();
  for (const Eigen::MatrixXd& matrix : sums.coriolis) result.coriolis.emplace_back(2 * matrix);
  result.mass = sums.mass;
  return result;
}

}  // namespace supple::flesh
