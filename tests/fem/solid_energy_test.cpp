// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/solid_energy.hpp"

#include "fem/energy_checks.hpp"
#include "supple/fem/motion.hpp"
#include "supple/fem/newton.hpp"
#include "supple/fem/quadratic_energies.hpp"
#include "supple/fem/tet_element.hpp"
#include "supple/geometry/shapes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <gtest/gtest.h>

#include <cmath>

namespace supple::fem {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::TetOrder;

constexpr std::array kLaws{SolidLaw::StableNeoHookean, SolidLaw::StVenantKirchhoff,
                           SolidLaw::NeoHookean};
constexpr std::array kOrders{TetOrder::Linear, TetOrder::Quadratic};

SolidModel solid(geometry::TetMesh mesh, TetOrder order, const Material& material) {
  SolidModel model;
  model.mesh = order == TetOrder::Linear ? std::move(mesh) : to_quadratic(mesh);
  model.materials = {material};
  return model;
}

/// A small box, 8 to 27 corners.
SolidModel small_box(TetOrder order) {
  geometry::Box box;
  box.add(Vector3d(0, 0, 0));
  box.add(Vector3d(0.3, 0.2, 0.1));
  return solid(geometry::box_mesh(box, 2, 1, 1), order, {"jelly", 2e4, 0.4, 1000});
}

VectorXd rest_of(const SolidModel& model) {
  VectorXd x(static_cast<Eigen::Index>(3 * model.mesh.nodes.size()));
  for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
    x.segment<3>(static_cast<Eigen::Index>(3 * i)) = model.mesh.nodes[i];
  }
  return x;
}

/// Elements turned inside out have an infinite energy by one law, and by no other.
bool defined_at(const SolidEnergy& energy, SolidLaw law, const VectorXd& x) {
  const bool finite = std::isfinite(energy.value(x).joules);
  EXPECT_TRUE(finite || law == SolidLaw::NeoHookean);
  return finite;
}

TEST(SolidEnergy, DerivativesMatchFiniteDifferences) {
  Random random(51);
  for (const TetOrder order : kOrders) {
    const SolidModel model = small_box(order);
    const VectorXd rest = rest_of(model);
    for (const SolidLaw law : kLaws) {
      const SolidEnergy energy(model, law);
      // From a slight deformation to elements turned inside out, where the law allows it.
      for (const double amplitude : {0.002, 0.01, 0.03, 0.15}) {
        const VectorXd x = rest + random_vector(random, rest.size(), amplitude);
        if (defined_at(energy, law, x)) expect_derivatives(energy, x, 1e-5, random);
      }
      if (law == SolidLaw::NeoHookean) continue;
      // A swollen mirror image: all elements are inverted, stretches are equal.
      VectorXd mirrored = 1.2 * rest;
      for (Eigen::Index i = 0; i < rest.size(); i += 3) mirrored(i) *= -1;
      expect_derivatives(energy, mirrored, 1e-5, random);
    }
  }
}

TEST(SolidEnergy, IsThatOfLinearElasticityForSmallStrains) {
  for (const TetOrder order : kOrders) {
    const SolidModel model = small_box(order);
    const VectorXd rest = rest_of(model);
    MatrixXd linear = MatrixXd::Zero(rest.size(), rest.size());
    for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
      const MatrixXd k = element_stiffness(order, element_nodes(model.mesh, e), model.materials[0]);
      const auto nodes = model.mesh.element(e);
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        for (std::size_t b = 0; b < nodes.size(); ++b) {
          linear.block<3, 3>(3 * nodes[a], 3 * nodes[b]) +=
              k.block<3, 3>(static_cast<Eigen::Index>(3 * a), static_cast<Eigen::Index>(3 * b));
        }
      }
    }
    for (const SolidLaw law : kLaws) {
      const SolidEnergy energy(model, law);
      EXPECT_NEAR(energy.value(rest).joules, 0, 1e-14 * energy.value(rest).magnitude + 1e-20);
      EXPECT_LT(gradient_of(energy, rest).norm(), 1e-13 * linear.norm());
      EXPECT_LT((dense_hessian(energy, rest, Curvature::Exact) - linear).norm(),
                1e-12 * linear.norm());
    }
  }
}

TEST(SolidEnergy, DefiniteHessiansHaveNoNegativeEigenvaluesAndChangeNothingElse) {
  Random random(52);
  int indefinite = 0;
  for (const TetOrder order : kOrders) {
    const SolidModel model = small_box(order);
    const VectorXd rest = rest_of(model);
    for (const SolidLaw law : kLaws) {
      const SolidEnergy energy(model, law);
      for (const double amplitude : {0.03, 0.15}) {
        const VectorXd x = rest + random_vector(random, rest.size(), amplitude);
        if (!defined_at(energy, law, x)) continue;
        const MatrixXd exact = dense_hessian(energy, x, Curvature::Exact);
        const MatrixXd definite = dense_hessian(energy, x, Curvature::Definite);
        const auto lowest = [](const MatrixXd& k) {
          return Eigen::SelfAdjointEigenSolver<MatrixXd>(k, Eigen::EigenvaluesOnly)
              .eigenvalues()(0);
        };
        const double rounding = 1e-12 * exact.norm();
        EXPECT_GT(lowest(definite), -rounding);
        EXPECT_GT(lowest(definite - exact), -rounding);
        indefinite += lowest(exact) < -rounding ? 1 : 0;
      }
      // Stretched evenly, there is nothing to remove.
      const VectorXd stretched = 1.05 * rest;
      const MatrixXd exact = dense_hessian(energy, stretched, Curvature::Exact);
      EXPECT_LT((dense_hessian(energy, stretched, Curvature::Definite) - exact).norm(),
                1e-12 * exact.norm());
    }
  }
  EXPECT_GT(indefinite, 4);
}

TEST(SolidEnergy, DefiniteHessiansAreExactOnesWithClampedEigenvalues) {
  Random random(55);
  for (const SolidLaw law : kLaws) {
    int indefinite = 0;
    for (int round = 0; round < 80; ++round) {
      SolidModel model;
      model.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      for (auto& p : model.mesh.nodes) p += random_vector(random, 3, 0.1);
      model.mesh.connectivity = {0, 1, 2, 3};
      model.materials = {{"jelly", 1, random.uniform(-0.3, 0.49), 1}};
      const SolidEnergy energy(model, law);
      const VectorXd rest = rest_of(model);
      const VectorXd x = random.uniform(0.3, 1.5) * rest + random_vector(random, 12, 0.3);
      if (!defined_at(energy, law, x)) continue;
      // The Hessian by F, from that by positions: H_x = V B^T H_F B with x = B^T F on gradients.
      Eigen::Matrix3d edges;
      for (int k = 0; k < 3; ++k) edges.col(k) = model.mesh.nodes[k + 1] - model.mesh.nodes[0];
      const Eigen::Matrix3d inverse = edges.inverse();
      MatrixXd map = MatrixXd::Zero(9, 12);
      for (int column = 0; column < 3; ++column) {
        for (int node = 0; node < 4; ++node) {
          const double slope = node > 0 ? inverse(node - 1, column) : -inverse.col(column).sum();
          map.block<3, 3>(3 * column, 3 * node) = slope * Eigen::Matrix3d::Identity();
        }
      }
      const MatrixXd back = map.transpose() * (map * map.transpose()).inverse();
      const auto by_deformation = [&](Curvature curvature) -> MatrixXd {
        return back.transpose() * dense_hessian(energy, x, curvature) * back;
      };
      const MatrixXd exact = by_deformation(Curvature::Exact);
      const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(exact);
      const MatrixXd clamped = solver.eigenvectors() *
                               solver.eigenvalues().cwiseMax(0.0).asDiagonal() *
                               solver.eigenvectors().transpose();
      indefinite += solver.eigenvalues()(0) < 0 ? 1 : 0;
      EXPECT_LT((by_deformation(Curvature::Definite) - clamped).norm(), 1e-10 * exact.norm());
    }
    EXPECT_GT(indefinite, 10);
  }
}

TEST(SolidEnergy, NoStepTurnsNeoHookeanElementsInsideOut) {
  Random random(56);
  const SolidModel model = small_box(TetOrder::Linear);
  const VectorXd rest = rest_of(model);
  SolidEnergy energy(model, SolidLaw::NeoHookean);
  int shortened = 0;
  for (int round = 0; round < 100; ++round) {
    const VectorXd leap = random_vector(random, rest.size(), std::pow(10, random.uniform(-3, 2)));
    const double share = energy.longest_share(rest, leap);
    ASSERT_GT(share, 0);
    EXPECT_TRUE(std::isfinite(energy.value(rest + share * leap).joules));
    shortened += share < 1 ? 1 : 0;
  }
  EXPECT_GT(shortened, 20);
  EXPECT_LT(shortened, 100);
}

TEST(SolidEnergy, DoesNotDependOnTheObserver) {
  Random random(53);
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(2, Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  for (const TetOrder order : kOrders) {
    const SolidModel model = small_box(order);
    const VectorXd rest = rest_of(model);
    for (const SolidLaw law : kLaws) {
      const SolidEnergy energy(model, law);
      const VectorXd x = rest + random_vector(random, rest.size(), 0.01);
      const auto moved = [&](const VectorXd& v, const Vector3d& by) {
        const Eigen::Matrix3Xd all = (turn * v.reshaped(3, v.size() / 3)).colwise() + by;
        return VectorXd(all.reshaped());
      };
      const VectorXd other = moved(x, Vector3d(3, -1, 2));
      const EnergyValue value = energy.value(x);
      EXPECT_NEAR(energy.value(other).joules, value.joules, 1e-13 * value.magnitude);
      const VectorXd force = gradient_of(energy, x);
      EXPECT_LT((gradient_of(energy, other) - moved(force, Vector3d::Zero())).norm(),
                1e-11 * force.norm());
      // Neither force nor torque on the whole.
      Vector3d total = Vector3d::Zero();
      Vector3d torque = Vector3d::Zero();
      for (Eigen::Index i = 0; i < x.size(); i += 3) {
        total += force.segment<3>(i);
        torque += Vector3d(x.segment<3>(i)).cross(Vector3d(force.segment<3>(i)));
      }
      EXPECT_LT(total.norm(), 1e-12 * force.norm());
      EXPECT_LT(torque.norm(), 1e-12 * force.norm());
    }
  }
}

/// A slender cantilever of length 1 under a dead load at its end: how far the end sinks.
double sunk(SolidLaw law, double load) {
  constexpr double kSide = 0.02;
  constexpr double kModulus = 1e6;
  SolidModel model = solid(geometry::beam_mesh(1, kSide, kSide, 40, 1, 1), TetOrder::Quadratic,
                           {"beam", kModulus, 0, 1000});
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (const auto node : model.mesh.node_sets.at("x_min")) model.fixed[node] = kFixAll;
  const VectorXd masses = lumped_masses(model);
  VectorXd x = rest_of(model);
  const auto& end = model.mesh.node_sets.at("x_max");
  const double bending = kModulus * kSide * kSide * kSide * kSide / 12;
  VectorXd force = VectorXd::Zero(x.size());
  for (const auto node : end) {
    force(3 * node + 1) = -load * bending / static_cast<double>(end.size());
  }
  SolidEnergy elastic(model, law);
  DeadLoad applied(force);
  EnergySum energy({&elastic, &applied});
  Newton newton(FreeVertices(model.fixed, masses), masses);
  const auto report =
      newton.minimise(energy, x, {.force = 1e-8 * force.norm(), .max_iterations = 500});
  EXPECT_TRUE(report.ok() && report->converged);
  double sum = 0;
  for (const auto node : end) sum += model.mesh.nodes[node].y() - x(3 * node + 1);
  return sum / static_cast<double>(end.size());
}

TEST(SolidEnergy, CantileversBendAsTheElastica) {
  // Shear adds 0.6 (side / length)^2 = 2.4e-4 of the deflection, the mesh about as much.
  constexpr double kSlender = 1e-3;
  const std::array<std::pair<double, double>, 4> table{
      {{1, 0.3017}, {2, 0.4935}, {5, 0.7138}, {10, 0.8106}}};
  for (const SolidLaw law : kLaws) {
    for (const auto& [load, expected] : table) {
      const double found = sunk(law, load);
      RecordProperty("sunk_" + std::to_string(static_cast<int>(load)), std::to_string(found));
      EXPECT_NEAR(found, expected, kSlender * expected) << load;
    }
  }
}

/// A deformed cube that is in balance under a load which its stress determines.
struct BentCube {
  static Vector3d place(const Vector3d& p) {
    return p + 0.2 * Vector3d(std::sin(2 * p.y()), p.x() * p.z() * p.z(), std::cos(p.x() + p.y()));
  }
  static Eigen::Matrix3d slope(const Vector3d& p) {
    const double sine = std::sin(p.x() + p.y());
    Eigen::Matrix3d f;
    f << 0, 2 * std::cos(2 * p.y()), 0, p.z() * p.z(), 0, 2 * p.x() * p.z(), -sine, -sine, 0;
    return Eigen::Matrix3d::Identity() + 0.2 * f;
  }
  double lambda, mu;

  /// dJ/dF = J F^-T.
  [[nodiscard]] Eigen::Matrix3d stress(const Vector3d& p) const {
    const Eigen::Matrix3d f = slope(p);
    const double j = f.determinant();
    return mu * f + ((lambda + mu) * (j - 1) - mu) * j * f.inverse().transpose();
  }
  /// Per volume, by differences of the stress.
  [[nodiscard]] Vector3d load(const Vector3d& p) const {
    constexpr double kStep = 1e-4;
    Vector3d sum = Vector3d::Zero();
    for (int c = 0; c < 3; ++c) {
      const Vector3d step = kStep * Vector3d::Unit(c);
      sum -= (stress(p + step).col(c) - stress(p - step).col(c)) / (2 * kStep);
    }
    return sum;
  }
};

/// Largest distance of a node from where it should be, with `cells` along each edge.
double error_of_bent_cube(TetOrder order, int cells) {
  geometry::Box box;
  box.add(Vector3d(0, 0, 0));
  box.add(Vector3d(1, 1, 1));
  const Material material{"jelly", 1, 0.3, 1};
  const BentCube exact{0.3 / (1.3 * 0.4), 1 / 2.6};
  SolidModel model = solid(geometry::box_mesh(box, cells, cells, cells), order, material);
  VectorXd x = rest_of(model);
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (std::size_t i = 0; i < model.fixed.size(); ++i) {
    const Vector3d p = model.mesh.nodes[i];
    if (std::min(p.minCoeff(), 1 - p.maxCoeff()) < 1e-9) model.fixed[i] = kFixAll;
    x.segment<3>(static_cast<Eigen::Index>(3 * i)) = BentCube::place(p);
  }
  VectorXd force = VectorXd::Zero(x.size());
  for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
    const ElementNodes nodes = element_nodes(model.mesh, e);
    const auto vertices = model.mesh.element(e);
    for (const auto& point : four_point_rule()) {
      const ShapeValues shape = shape_values(order, point.barycentric);
      Vector3d at = Vector3d::Zero();
      for (std::size_t a = 0; a < vertices.size(); ++a) {
        at += shape[a] * nodes.col(static_cast<Eigen::Index>(a));
      }
      const double volume =
          point.weight * point_geometry(order, nodes, point.barycentric).determinant / 6;
      for (std::size_t a = 0; a < vertices.size(); ++a) {
        force.segment<3>(3 * Eigen::Index{vertices[a]}) += volume * shape[a] * exact.load(at);
      }
    }
  }
  const VectorXd expected = x;
  const VectorXd masses = lumped_masses(model);
  SolidEnergy elastic(model, SolidLaw::StableNeoHookean);
  DeadLoad load(force);
  EnergySum energy({&elastic, &load});
  Newton newton(FreeVertices(model.fixed, masses), masses);
  const auto report = newton.minimise(energy, x, {.force = 1e-12});
  EXPECT_TRUE(report.ok() && report->converged);
  return (x - expected).cwiseAbs().maxCoeff();
}

TEST(SolidEnergy, ConvergesInTheOrderOfItsElements) {
  const double linear =
      std::log2(error_of_bent_cube(TetOrder::Linear, 5) / error_of_bent_cube(TetOrder::Linear, 10));
  const double quadratic = std::log2(error_of_bent_cube(TetOrder::Quadratic, 2) /
                                     error_of_bent_cube(TetOrder::Quadratic, 4));
  RecordProperty("linear", std::to_string(linear));
  RecordProperty("quadratic", std::to_string(quadratic));
  EXPECT_NEAR(linear, 2, 0.4);
  EXPECT_GT(quadratic, 2.7);
}

struct Body {
  SolidModel model;
  VectorXd masses;
  MotionState start;
};

/// A free box with random velocities, or one held at x = 0.
Body moving_box(bool held) {
  Body body{small_box(TetOrder::Linear), {}, {}};
  body.masses = lumped_masses(body.model);
  body.start.x = rest_of(body.model);
  Random random(54);
  body.start.v =
      held ? VectorXd::Zero(body.start.x.size()) : random_vector(random, body.start.x.size(), 1);
  if (held) {
    body.model.fixed.assign(body.model.mesh.nodes.size(), 0);
    for (const auto node : body.model.mesh.node_sets.at("x_min")) body.model.fixed[node] = kFixAll;
  }
  return body;
}

struct Momentum {
  Vector3d linear = Vector3d::Zero();
  Vector3d angular = Vector3d::Zero();
};
Momentum momentum(const Body& body, const MotionState& state) {
  Momentum sum;
  for (Eigen::Index i = 0; i < body.masses.size(); ++i) {
    const Vector3d p = body.masses(i) * state.v.segment<3>(3 * i);
    sum.linear += p;
    sum.angular += Vector3d(state.x.segment<3>(3 * i)).cross(p);
  }
  return sum;
}

MotionState simulate(const Body& body, const std::vector<Energy*>& energies, StepSettings settings,
                     double seconds) {
  MotionState state = body.start;
  Newton newton(FreeVertices(body.model.fixed, body.masses), body.masses);
  const auto steps = static_cast<int>(std::lround(seconds / settings.h));
  for (int i = 0; i < steps; ++i) {
    const auto report = step(newton, energies, settings, state);
    EXPECT_TRUE(report.ok()) << report.error().describe();
    if (!report.ok()) break;
  }
  return state;
}

TEST(Motion, KeepsMomentum) {
  const Body body = moving_box(false);
  const Momentum before = momentum(body, body.start);
  SolidEnergy elastic(body.model, SolidLaw::StableNeoHookean);
  const reduction::BlockMatrix k = hessian(elastic, body.start.x, Curvature::Definite);
  const double size = body.masses.sum();
  for (const TimeScheme scheme : {TimeScheme::ImplicitEuler, TimeScheme::Bdf2}) {
    std::vector<double> lost;
    for (const double h : {1e-3, 5e-4, 2.5e-4}) {
      StepSettings settings;
      settings.scheme = scheme;
      settings.h = h;
      settings.relative_force = 1e-11;
      const Momentum after = momentum(body, simulate(body, {&elastic}, settings, 0.02));
      EXPECT_LT((after.linear - before.linear).norm(), 1e-11 * size);
      lost.push_back((after.angular - before.angular).norm() / before.angular.norm());
      RecordProperty("angular_lost", std::to_string(lost.back()));
    }
    // Of the order of the scheme.
    const double order = scheme == TimeScheme::Bdf2 ? 2 : 1;
    EXPECT_GT(std::log2(lost[1] / lost[2]), 0.8 * order);
    // Damping by stiffness acts within the body.
    StepSettings damped;
    damped.scheme = scheme;
    damped.h = 1e-3;
    damped.stiffness_damping = 0.01;
    damped.k = &k;
    const Momentum after = momentum(body, simulate(body, {&elastic}, damped, 0.02));
    EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * size);
  }
}

TEST(Motion, ConvergesInTheOrderOfItsScheme) {
  const Body body = moving_box(true);
  SolidEnergy elastic(body.model, SolidLaw::StableNeoHookean);
  DeadLoad gravity(weight(body.masses, {0, 0, -9.81}));
  const auto end = [&](TimeScheme scheme, double h) {
    StepSettings settings;
    settings.scheme = scheme;
    settings.h = h;
    settings.mass_damping = 1;
    return simulate(body, {&elastic, &gravity}, settings, 0.08).x;
  };
  const VectorXd exact = end(TimeScheme::Bdf2, 1e-4);
  for (const TimeScheme scheme : {TimeScheme::ImplicitEuler, TimeScheme::Bdf2}) {
    const double coarse = (end(scheme, 2e-3) - exact).norm();
    const double fine = (end(scheme, 1e-3) - exact).norm();
    const double order = std::log2(coarse / fine);
    RecordProperty("order", std::to_string(order));
    EXPECT_NEAR(order, scheme == TimeScheme::Bdf2 ? 2 : 1, 0.25);
  }
}

TEST(Motion, MassDampingSlowsAFreeBodyExponentially) {
  Body body = moving_box(false);
  for (Eigen::Index i = 0; i < body.start.v.size(); i += 3) body.start.v.segment<3>(i) << 1, 2, 3;
  SolidEnergy elastic(body.model, SolidLaw::StVenantKirchhoff);
  StepSettings settings;
  settings.h = 0.01;
  settings.mass_damping = 5;
  const MotionState after = simulate(body, {&elastic}, settings, 0.2);
  // Implicit Euler: 1 / (1 + h a) per step.
  EXPECT_LT((after.v - std::pow(1.05, -20) * body.start.v).norm(), 1e-9);
}

}  // namespace
}  // namespace supple::fem
