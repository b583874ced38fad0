// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/inertia.hpp"

#include "supple/fem/solid_modes.hpp"
#include "supple/fem/tet_element.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace supple::flesh {
namespace {

using geometry::Vec3;

fem::SolidModel block() {
  fem::SolidModel model;
  model.mesh = geometry::to_quadratic(
      geometry::box_mesh({Vec3(0.1, -0.2, 0.3), Vec3(0.5, 0.2, 0.5)}, 4, 3, 2));
  model.materials = {{"flesh", 1e4, 0.45, 1000}};
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n) {
    if (model.mesh.nodes[n].x() < 0.1 + 1e-9) model.fixed[n] = fem::kFixAll;
  }
  return model;
}

/// rho times the integral of f over the body, by quadrature, independent of the assembly. f gets
/// the interpolation of nodal vectors to a point.
template <class Integrand>
double integrate(const fem::SolidModel& model, const Integrand& f) {
  double sum = 0;
  for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
    const auto nodes = model.mesh.element(e);
    for (const fem::QuadraturePoint& point : fem::exact_mass_rule()) {
      const auto shapes = fem::shape_values(model.mesh.order, point.barycentric);
      const auto geometry = fem::point_geometry(model.mesh.order, fem::element_nodes(model.mesh, e),
                                                point.barycentric);
      const auto at_point = [&](const auto& nodal) {
        Vec3 value = Vec3::Zero();
        for (std::size_t a = 0; a < nodes.size(); ++a) value += shapes[a] * nodal(nodes[a]);
        return value;
      };
      sum += point.weight * geometry.determinant / 6 * 1000 * f(at_point);
    }
  }
  return sum;
}

auto mode_shape(const fem::SolidModes& modes, Eigen::Index mode) {
  return [&modes, mode](geometry::Index node) {
    return Vec3(modes.shapes.col(mode).segment<3>(3 * Eigen::Index{node}));
  };
}

/// -rho times the integral of phi . acceleration(r).
template <class Acceleration>
double work(const fem::SolidModel& model, const fem::SolidModes& modes, Eigen::Index mode,
            const Acceleration& acceleration) {
  return -integrate(model, [&](const auto& at_point) {
    const Vec3 r = at_point([&](geometry::Index node) { return model.mesh.nodes[node]; });
    return at_point(mode_shape(modes, mode)).dot(acceleration(r));
  });
}

TEST(InertialTransfer, EqualsTheWorkOfInertialForces) {
  const fem::SolidModel model = block();
  const auto modes = fem::solve_modes(model, {.count = 4});
  ASSERT_TRUE(modes.ok()) << modes.error().describe();
  const InertialTransfer inertia = inertial_transfer(model, modes->shapes, true);
  EXPECT_NEAR(inertia.mass, 1000 * 0.4 * 0.4 * 0.2, 1e-9);
  const Vec3 a0(3, -2, 5);
  const Vec3 alpha(1.5, 4, -2);
  const Vec3 w(0.7, -3, 2);
  const Eigen::Matrix3d s = w * w.transpose() - w.squaredNorm() * Eigen::Matrix3d::Identity();
  Eigen::Matrix<double, 6, 1> accelerations;
  accelerations << alpha, a0;
  Eigen::Matrix<double, 6, 1> spin;
  spin << s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(0, 2), s(1, 2);
  const Eigen::VectorXd linear = inertia.transfer * accelerations;
  const Eigen::VectorXd centrifugal = -inertia.centrifugal * spin;
  for (Eigen::Index k = 0; k < 4; ++k) {
    const double expected =
        work(model, *modes, k, [&](const Vec3& r) { return Vec3(a0 + alpha.cross(r)); });
    EXPECT_NEAR(linear(k), expected, 1e-9 * linear.norm());
    const double outward =
        work(model, *modes, k, [&](const Vec3& r) { return w.cross(w.cross(r)); });
    EXPECT_NEAR(centrifugal(k), outward, 1e-9 * centrifugal.norm());
  }
}

TEST(InertialTransfer, CoriolisTakesNoPower) {
  // q'^T G q' = 0: the force is perpendicular to the velocity. And it is what quadrature says.
  const fem::SolidModel model = block();
  const auto modes = fem::solve_modes(model, {.count = 3});
  ASSERT_TRUE(modes.ok());
  const InertialTransfer inertia = inertial_transfer(model, modes->shapes, true);
  ASSERT_EQ(inertia.coriolis.size(), 3U);
  for (const Eigen::MatrixXd& g : inertia.coriolis) {
    EXPECT_LT((g + g.transpose()).norm(), 1e-10 * (1 + g.norm()));
  }
  // Mode 1 moving at unit speed under spin about z pushes mode 2 by -2 phi_2 . (e_z x phi_1).
  const double expected = integrate(model, [&](const auto& at_point) {
    const Vec3 first = at_point(mode_shape(*modes, 0));
    return 2 * at_point(mode_shape(*modes, 1)).dot(Vec3::UnitZ().cross(first));
  });
  EXPECT_NEAR(inertia.coriolis[2](1, 0), expected, 1e-9 * (1 + std::abs(expected)));
}

}  // namespace
}  // namespace supple::flesh
