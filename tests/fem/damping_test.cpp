// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/damping.hpp"

#include "fem/sheet_meshes.hpp"
#include "supple/fem/membrane_energy.hpp"
#include "supple/fem/motion.hpp"
#include "supple/fem/shell_energy.hpp"
#include "supple/fem/solid_energy.hpp"
#include "supple/geometry/shapes.hpp"

#include <Eigen/Eigenvalues>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

namespace supple::fem {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kSeconds = 0.002;

SolidModel jelly(geometry::TetOrder order) {
  geometry::Box box;
  box.add(Vector3d(0, 0, 0));
  box.add(Vector3d(0.3, 0.2, 0.1));
  SolidModel model;
  model.mesh = geometry::box_mesh(box, 2, 1, 1);
  if (order == geometry::TetOrder::Quadratic) model.mesh = to_quadratic(model.mesh);
  model.materials = {{"jelly", 2e4, 0.4, 1000}};
  return model;
}

/// A body with all that acts within it.
struct DampedBody {
  VectorXd rest;
  VectorXd masses;
  std::vector<std::unique_ptr<Energy>> elastic;
  std::vector<std::unique_ptr<Energy>> damping;

  [[nodiscard]] std::vector<Energy*> all(bool damped) const {
    std::vector<Energy*> list;
    for (const auto& energy : elastic) list.push_back(energy.get());
    for (const auto& energy : damping) {
      if (damped) list.push_back(energy.get());
    }
    return list;
  }
};

DampedBody solid_body(geometry::TetOrder order) {
  const SolidModel model = jelly(order);
  DampedBody body{interleaved(model.mesh.nodes), lumped_masses(model), {}, {}};
  body.elastic.push_back(std::make_unique<SolidEnergy>(model, SolidLaw::StableNeoHookean));
  body.damping.push_back(std::make_unique<StrainDamping>(model, kSeconds));
  return body;
}

DampedBody sheet_body() {
  SheetMaterial material = rubber_sheet();
  material.thickness = 0.01;
  const SheetModel model = sheet_model(bumpy_mesh(1, 0.5, 5, 3), material);
  const DiscreteShell shell = *bending_shell(model);
  DampedBody body{interleaved(model.mesh.positions), lumped_masses(model), {}, {}};
  body.elastic.push_back(std::make_unique<MembraneEnergy>(model));
  body.elastic.push_back(std::make_unique<ShellEnergy>(shell));
  body.damping.push_back(std::make_unique<StrainDamping>(model, kSeconds));
  body.damping.push_back(std::make_unique<BendingDamping>(shell, kSeconds));
  return body;
}

std::vector<DampedBody> bodies() {
  std::vector<DampedBody> list;
  list.push_back(solid_body(geometry::TetOrder::Linear));
  list.push_back(solid_body(geometry::TetOrder::Quadratic));
  list.push_back(sheet_body());
  return list;
}

TEST(Damping, DerivativesMatchFiniteDifferences) {
  Random random(71);
  for (const DampedBody& body : bodies()) {
    for (const auto& energy : body.damping) {
      EXPECT_EQ(energy->value(body.rest).joules, 0);  // before the first step
      for (const bool bdf2 : {false, true}) {
        const VectorXd last = body.rest + random_vector(random, body.rest.size(), 0.02);
        const VectorXd before = last + random_vector(random, body.rest.size(), 0.01);
        const auto revision = energy->revision();
        energy->begin_step({0.01, 0, &last, bdf2 ? &before : nullptr});
        EXPECT_GT(energy->revision(), revision);
        const VectorXd x = last + random_vector(random, body.rest.size(), 0.02);
        expect_derivatives(*energy, x, 1e-5, random);
        // The definite Hessian has no negative eigenvalues.
        const Eigen::MatrixXd definite = dense_hessian(*energy, x, Curvature::Definite);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(definite,
                                                                    Eigen::EigenvaluesOnly);
        EXPECT_GT(solver.eigenvalues()(0), -1e-12 * definite.norm());
      }
    }
  }
}

TEST(Damping, LeavesRigidMotionsAlone) {
  Random random(72);
  for (const DampedBody& body : bodies()) {
    // Of a deformed body, in steps of half a radian.
    const VectorXd x = body.rest + random_vector(random, body.rest.size(), 0.02);
    const VectorXd before = moved(x, some_turn(-0.5), {0.2, 0, -0.1});
    const VectorXd after = moved(x, some_turn(0.5), {-0.2, 0.3, 0.1});
    const VectorXd bent = after + random_vector(random, x.size(), 0.01);
    for (const auto& energy : body.damping) {
      for (const VectorXd* earlier : {static_cast<const VectorXd*>(nullptr), &before}) {
        energy->begin_step({0.01, 0, &x, earlier});
        const double stiff = gradient_of(*energy, bent).norm();
        EXPECT_LT(gradient_of(*energy, after).norm(), 1e-10 * stiff);
        EXPECT_LT(energy->value(after).joules, 1e-18 * energy->value(bent).magnitude);
        // Neither force nor torque on the whole.
        EXPECT_LT(resultant(bent, gradient_of(*energy, bent)), 1e-11 * stiff);
      }
    }
  }
}

struct TotalMomentum {
  Vector3d linear = Vector3d::Zero();
  Vector3d angular = Vector3d::Zero();
};
TotalMomentum momentum_of(const DampedBody& body, const MotionState& state) {
  TotalMomentum sum;
  for (Eigen::Index i = 0; i < body.masses.size(); ++i) {
    const Vector3d p = body.masses(i) * state.v.segment<3>(3 * i);
    sum.linear += p;
    sum.angular += Vector3d(state.x.segment<3>(3 * i)).cross(p);
  }
  return sum;
}

double mechanical_energy(const DampedBody& body, const MotionState& state) {
  double sum = 0;
  for (const auto& energy : body.elastic) sum += energy->value(state.x).joules;
  for (Eigen::Index i = 0; i < body.masses.size(); ++i) {
    sum += 0.5 * body.masses(i) * state.v.segment<3>(3 * i).squaredNorm();
  }
  return sum;
}

using Watch = std::function<void(const MotionState&)>;

MotionState run(const DampedBody& body, bool damped, const MotionState& start, TimeScheme scheme,
                double h, double seconds, const Watch& watch = {}) {
  MotionState state = start;
  Newton newton(FreeVertices({}, body.masses), body.masses);
  StepSettings settings;
  settings.scheme = scheme;
  settings.h = h;
  settings.relative_force = 1e-11;
  const auto steps = static_cast<int>(std::lround(seconds / h));
  for (int i = 0; i < steps; ++i) {
    const auto report = step(newton, body.all(damped), settings, state);
    EXPECT_TRUE(report.ok()) << report.error().describe();
    if (!report.ok()) break;
    if (watch) watch(state);
  }
  return state;
}

MotionState kicked(const DampedBody& body) {
  Random random(73);
  MotionState state = at_rest(body.rest);
  state.v = random_vector(random, body.rest.size(), 0.5);
  return state;
}

TEST(Damping, KeepsMomentumAndLosesEnergy) {
  for (const DampedBody& body : bodies()) {
    const MotionState start = kicked(body);
    const TotalMomentum before = momentum_of(body, start);
    for (const TimeScheme scheme : {TimeScheme::ImplicitEuler, TimeScheme::Bdf2}) {
      std::vector<double> lost;
      for (const double h : {1e-3, 5e-4, 2.5e-4}) {
        double last = mechanical_energy(body, start);
        const MotionState end = run(body, true, start, scheme, h, 0.01, [&](const auto& state) {
          const double now = mechanical_energy(body, state);
          EXPECT_LE(now, last * (1 + 1e-9));
          last = now;
        });
        const TotalMomentum after = momentum_of(body, end);
        EXPECT_LT((after.linear - before.linear).norm(), 1e-10 * body.masses.sum());
        lost.push_back((after.angular - before.angular).norm() / before.angular.norm());
      }
      const double order = scheme == TimeScheme::Bdf2 ? 2 : 1;
      RecordProperty("order_of_angular_momentum", std::to_string(std::log2(lost[1] / lost[2])));
      EXPECT_GT(std::log2(lost[1] / lost[2]), 0.8 * order);
    }
  }
}

TEST(Damping, MotionConvergesInTheOrderOfItsScheme) {
  for (const DampedBody& body : bodies()) {
    const MotionState start = kicked(body);
    const auto end = [&](TimeScheme scheme, double h) {
      return run(body, true, start, scheme, h, 0.016).x;
    };
    const VectorXd exact = end(TimeScheme::Bdf2, 3.125e-5);
    for (const TimeScheme scheme : {TimeScheme::ImplicitEuler, TimeScheme::Bdf2}) {
      const double coarse = (end(scheme, 5e-4) - exact).norm();
      const double fine = (end(scheme, 2.5e-4) - exact).norm();
      const double order = std::log2(coarse / fine);
      RecordProperty("order", std::to_string(order));
      EXPECT_NEAR(order, scheme == TimeScheme::Bdf2 ? 2 : 1, 0.3);
    }
  }
}

TEST(Damping, VibrationsDecayByHalfSecondsTimesTheirFrequency) {
  // One triangle that breathes: the same strain everywhere, one frequency.
  SheetMaterial material = rubber_sheet();
  const SheetModel model = sheet_model(equilateral_mesh(0.1, 1, 1), material);
  geometry::TriMesh one = model.mesh;
  one.triangles.resize(1);
  one.positions.resize(3);
  one.triangles[0] = {0, 1, 2};
  const SheetModel triangle = sheet_model(one, material);
  DampedBody body{interleaved(one.positions), lumped_masses(triangle), {}, {}};
  body.elastic.push_back(std::make_unique<MembraneEnergy>(triangle));
  body.damping.push_back(std::make_unique<StrainDamping>(triangle, 1e-4));
  const Vector3d centre = (one.positions[0] + one.positions[1] + one.positions[2]) / 3;
  VectorXd shape(9);
  for (int i = 0; i < 3; ++i) shape.segment<3>(3 * i) = one.positions[i] - centre;
  // w^2 = shape K shape / shape M shape.
  const Eigen::MatrixXd k = dense_hessian(*body.elastic[0], body.rest, Curvature::Exact);
  const double w = std::sqrt(shape.dot(k * shape) / (body.masses(0) * shape.squaredNorm()));
  MotionState start = at_rest(body.rest);
  start.v = 1e-4 * w * shape;
  const double ratio = 0.5 * 1e-4 * w;  // 0.05
  EXPECT_GT(ratio, 0.01);
  // Over ten periods the energy falls by exp(-2 ratio w t).
  const double seconds = 10 * 2 * std::numbers::pi / w;
  const double before = mechanical_energy(body, start);
  const auto left = [&](bool damped) {
    return mechanical_energy(body,
                             run(body, damped, start, TimeScheme::Bdf2, seconds / 4000, seconds)) /
           before;
  };
  // The scheme's own loss is divided out.
  EXPECT_NEAR(std::log(left(true) / left(false)), -2 * ratio * w * seconds,
              0.01 * 2 * ratio * w * seconds);
}

}  // namespace
}  // namespace supple::fem
