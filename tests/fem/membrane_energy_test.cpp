// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/membrane_energy.hpp"

#include "fem/sheet_meshes.hpp"
#include "supple/fem/motion.hpp"
#include "supple/fem/newton.hpp"
#include "supple/fem/quadratic_energies.hpp"
#include "supple/fem/shell_energy.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace supple::fem {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr std::array kLimits{StretchLimit::None, StretchLimit::Penalty, StretchLimit::Hard};

struct PlaneStress {
  double lambda, mu;
  explicit PlaneStress(const SheetMaterial& m)
      : lambda(m.youngs_modulus * m.poisson_ratio / (1 - m.poisson_ratio * m.poisson_ratio)),
        mu(m.youngs_modulus / (2 * (1 + m.poisson_ratio))) {}
};

TEST(MembraneEnergy, DerivativesMatchFiniteDifferences) {
  Random random(61);
  for (const StretchLimit limit : kLimits) {
    SheetMaterial material = rubber_sheet(limit);
    material.stretch_limit = 0.8;
    const SheetModel model = sheet_model(bumpy_mesh(1, 0.5, 5, 3), material);
    const VectorXd rest = interleaved(model.mesh.positions);
    // The sheet is not the first thing of its scene.
    const geometry::Index first = 3;
    const MembraneEnergy energy(model, first);
    // Up to triangles that are stretched beyond a penalty's limit or near a hard one.
    for (const double amplitude : {0.002, 0.01, limit == StretchLimit::Hard ? 0.02 : 0.08}) {
      VectorXd x = random_vector(random, rest.size() + 9, 1);
      x.tail(rest.size()) = 1.03 * rest + random_vector(random, rest.size(), amplitude);
      ASSERT_EQ(energy.beyond_limit(x), -1);
      expect_derivatives(energy, x, 1e-6, random);
    }
    // Both stretches are equal.
    VectorXd x = VectorXd::Zero(rest.size() + 9);
    x.tail(rest.size()) = (limit == StretchLimit::Hard ? 1.6 : 2.0) * rest;
    expect_derivatives(energy, x, 1e-6, random);
  }
}

/// Shape gradients of one triangle in its own plane as the 6 x 9 matrix that maps positions to F.
MatrixXd deformation_map(const geometry::TriMesh& mesh) {
  const Vector3d a = mesh.positions[0];
  const Vector3d b = mesh.positions[1];
  const Vector3d c = mesh.positions[2];
  const Vector3d e1 = (b - a).normalized();
  const Vector3d e2 = (b - a).cross(c - a).cross(b - a).normalized();
  Eigen::Matrix2d edges;
  edges << e1.dot(b - a), e1.dot(c - a), e2.dot(b - a), e2.dot(c - a);
  const Eigen::Matrix2d inverse = edges.inverse();
  MatrixXd map = MatrixXd::Zero(6, 9);
  for (int column = 0; column < 2; ++column) {
    const std::array<double, 3> shape{-inverse(0, column) - inverse(1, column), inverse(0, column),
                                      inverse(1, column)};
    for (int node = 0; node < 3; ++node) {
      map.block<3, 3>(3 * column, 3 * node) = shape[node] * Eigen::Matrix3d::Identity();
    }
  }
  return map;
}

TEST(MembraneEnergy, DefiniteHessiansAreExactOnesWithClampedEigenvalues) {
  Random random(62);
  int indefinite = 0;
  for (const StretchLimit limit : kLimits) {
    for (int round = 0; round < 60; ++round) {
      SheetMaterial material = rubber_sheet(limit);
      material.poisson_ratio = random.uniform(-0.4, 0.49);
      material.stretch_limit = 2;
      geometry::TriMesh mesh;
      for (int i = 0; i < 3; ++i) mesh.positions.emplace_back(random_vector(random, 3, 1));
      mesh.triangles = {{0, 1, 2}};
      const SheetModel model = sheet_model(mesh, material);
      const MembraneEnergy energy(model);
      // From squeezed to a line to stretched threefold; some flat, some turned over.
      VectorXd x = random.uniform(0.2, 2.5) * interleaved(mesh.positions) +
                   random_vector(random, 9, random.uniform(0, 0.4));
      if (energy.beyond_limit(x) >= 0) continue;
      // The Hessian by F, from that by positions: H_x = V B^T H_F B.
      const MatrixXd map = deformation_map(mesh);
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
      constexpr double kRounding = 1e-9;  // of flat triangles' inverses, mostly
      EXPECT_LT((by_deformation(Curvature::Definite) - clamped).norm(), kRounding * exact.norm());
    }
  }
  EXPECT_GT(indefinite, 50);
}

TEST(MembraneEnergy, IsPlaneStressForSmallStrains) {
  for (const double nu : {-0.3, 0.0, 0.3, 0.45}) {
    SheetMaterial material = rubber_sheet(StretchLimit::Penalty);
    material.poisson_ratio = nu;
    const SheetModel model = sheet_model(strip_mesh(1, 0.6, 3, 2), material);
    const VectorXd rest = interleaved(model.mesh.positions);
    const MembraneEnergy energy(model);
    EXPECT_LT(energy.value(rest).joules, 1e-25);
    EXPECT_LT(gradient_of(energy, rest).norm(), 1e-12 * material.youngs_modulus);
    // A textbook's matrix for constant strain triangles, in the plane z = 0.
    Eigen::Matrix3d d;
    d << 1, nu, 0, nu, 1, 0, 0, 0, 0.5 * (1 - nu);
    d *= material.youngs_modulus / (1 - nu * nu);
    MatrixXd linear = MatrixXd::Zero(rest.size(), rest.size());
    for (const auto& triangle : model.mesh.triangles) {
      Eigen::Matrix3d ones = Eigen::Matrix3d::Ones();
      for (int i = 0; i < 3; ++i)
        ones.row(i).tail<2>() = model.mesh.positions[triangle[i]].head<2>();
      const Eigen::Matrix3d shape = ones.inverse();
      MatrixXd b = MatrixXd::Zero(3, rest.size());
      for (int i = 0; i < 3; ++i) {
        b(0, 3 * triangle[i]) = b(2, 3 * triangle[i] + 1) = shape(1, i);
        b(1, 3 * triangle[i] + 1) = b(2, 3 * triangle[i]) = shape(2, i);
      }
      linear += 0.5 * std::abs(ones.determinant()) * material.thickness * b.transpose() * d * b;
    }
    const MatrixXd found = dense_hessian(energy, rest, Curvature::Exact);
    EXPECT_LT((found - linear).norm(), 1e-12 * linear.norm());
  }
}

TEST(MembraneEnergy, DoesNotDependOnTheObserver) {
  Random random(63);
  for (const StretchLimit limit : kLimits) {
    SheetMaterial material = rubber_sheet(limit);
    material.stretch_limit = 0.8;
    const SheetModel model = sheet_model(bumpy_mesh(1, 0.5, 5, 3), material);
    const VectorXd rest = interleaved(model.mesh.positions);
    const MembraneEnergy energy(model);
    const VectorXd x = rest + random_vector(random, rest.size(), 0.03);
    const Eigen::Matrix3d turn = some_turn(2);
    const VectorXd other = moved(x, turn, {3, -1, 2});
    const EnergyValue value = energy.value(x);
    EXPECT_NEAR(energy.value(other).joules, value.joules, 1e-12 * value.joules);
    const VectorXd force = gradient_of(energy, x);
    EXPECT_LT((gradient_of(energy, other) - moved(force, turn, Vector3d::Zero())).norm(),
              1e-11 * force.norm());
    EXPECT_LT(resultant(x, force), 1e-12 * force.norm());
  }
}

/// Fixes all nodes across the plane and those at both ends, which are pulled apart.
VectorXd pull_apart(const SheetModel& model, double stretch, std::vector<std::uint8_t>& fixed) {
  VectorXd x = interleaved(model.mesh.positions);
  fixed.assign(model.mesh.positions.size(), kFixZ);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    const Vector3d& p = model.mesh.positions[i];
    if (p.x() < 1e-9 || p.x() > 1 - 1e-9) fixed[i] |= kFixX;
    if (std::abs(p.y()) < 1e-9) fixed[i] |= kFixY;
    x(static_cast<Eigen::Index>(3 * i)) *= stretch;
  }
  return x;
}

TEST(MembraneEnergy, StretchesAlongOneAxisByTheFormula) {
  for (const StretchLimit limit : {StretchLimit::None, StretchLimit::Penalty}) {
    for (const double nu : {0.0, 0.3, 0.45}) {
      SheetMaterial material = rubber_sheet(limit);
      material.poisson_ratio = nu;
      material.stretch_limit = 0.2;
      const SheetModel model = sheet_model(strip_mesh(1, 0.4, 6, 4), material);
      const VectorXd masses = lumped_masses(model);
      MembraneEnergy energy(model);
      for (const double s : {0.9, 1.001, 1.1, 1.5, 2.0}) {
        std::vector<std::uint8_t> fixed;
        VectorXd x = pull_apart(model, s, fixed);
        Newton newton(FreeVertices(fixed, masses), masses);
        const auto report = newton.minimise(energy, x, {.force = 1e-10});
        ASSERT_TRUE(report.ok() && report->converged);
        // psi_2 = mu (w - s) + (lambda + mu) (s w - 1) s = 0 gives the stretch w across.
        const PlaneStress c(material);
        const double w = (c.lambda + 2 * c.mu) * s / (c.mu + (c.lambda + c.mu) * s * s);
        const double beyond = limit == StretchLimit::Penalty ? std::max(s - 1.2, 0.0) : 0.0;
        const double stress =
            c.mu * (s - w) + (c.lambda + c.mu) * (s * w - 1) * w +
            0.5 * material.limit_stiffness * material.youngs_modulus / 0.2 * beyond * beyond;
        const VectorXd force = gradient_of(energy, x);
        double total = 0;
        for (std::size_t i = 0; i < fixed.size(); ++i) {
          const auto at = static_cast<Eigen::Index>(3 * i);
          EXPECT_NEAR(x(at + 1), w * model.mesh.positions[i].y(), 1e-9);
          if (model.mesh.positions[i].x() > 1 - 1e-9) total += force(at);
        }
        EXPECT_NEAR(total, stress * 0.4 * material.thickness, 1e-9 + 1e-8 * std::abs(total));
      }
    }
  }
}

TEST(MembraneEnergy, LimitsHoldAHeavyWeight) {
  std::array<double, 3> longest{};
  for (const StretchLimit limit : kLimits) {
    const SheetModel model = sheet_model(strip_mesh(1, 0.2, 8, 2), rubber_sheet(limit));
    VectorXd masses = lumped_masses(model);
    std::vector<std::uint8_t> fixed(model.mesh.positions.size(), 0);
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      if (model.mesh.positions[i].x() < 1e-9) fixed[i] = kFixAll;
      if (model.mesh.positions[i].x() > 1 - 1e-9) masses(static_cast<Eigen::Index>(i)) += 0.5;
    }
    MembraneEnergy energy(model);
    DeadLoad gravity(weight(masses, {9.81, 0, 0}));
    Newton newton(FreeVertices(fixed, masses), masses);
    MotionState state = at_rest(interleaved(model.mesh.positions));
    StepSettings settings;
    settings.h = 1.0 / 30;
    double& most = longest[static_cast<std::size_t>(limit)];
    for (int i = 0; i < 40; ++i) {
      const auto report = step(newton, {&energy, &gravity}, settings, state);
      ASSERT_TRUE(report.ok()) << report.error().describe();
      for (const double s : energy.stretches(state.x)) most = std::max(most, s);
    }
    EXPECT_TRUE(limit != StretchLimit::Hard || energy.beyond_limit(state.x) == -1);
  }
  // 15 N on 0.2 m of 100 N/m: it would stretch by three quarters, and swings further. The penalty
  // balances 15 N at 1.21, about which it swings; a hard limit is one.
  EXPECT_GT(longest[0], 1.7);
  EXPECT_GT(longest[1], 1.21);
  EXPECT_LT(longest[1], 1.32);
  EXPECT_GT(longest[2], 1.05);
  EXPECT_LT(longest[2], 1.1);
}

TEST(MembraneEnergy, NoStepCrossesAHardLimit) {
  Random random(64);
  const SheetModel model = sheet_model(bumpy_mesh(1, 0.5, 5, 3), rubber_sheet(StretchLimit::Hard));
  const VectorXd rest = interleaved(model.mesh.positions);
  MembraneEnergy energy(model);
  for (int round = 0; round < 200; ++round) {
    const VectorXd x = rest + random_vector(random, rest.size(), 0.001);
    const VectorXd leap = random_vector(random, rest.size(), std::pow(10, random.uniform(-4, 2)));
    const double share = energy.longest_share(x, leap);
    ASSERT_GT(share, 0);
    EXPECT_TRUE(std::isfinite(energy.value(x + share * leap).joules));
    // And it is not much shorter than it has to be.
    EXPECT_TRUE(share == 1 || energy.beyond_limit(x + 1.3 * share * leap) >= 0);
  }
  EXPECT_GE(energy.beyond_limit(1.2 * rest), 0);
  EXPECT_FALSE(std::isfinite(energy.value(1.2 * rest).joules));
}

/// y of a chain of length 1 that hangs between points `span` apart, its lowest point at 0.
struct Catenary {
  double a;
  explicit Catenary(double span) {
    double low = 1e-2;
    double high = 100;
    for (int i = 0; i < 200; ++i) {
      a = 0.5 * (low + high);
      (2 * a * std::sinh(span / (2 * a)) > 1 ? low : high) = a;
    }
  }
  [[nodiscard]] double height(double x) const { return a * (std::cosh(x / a) - 1); }
};

/// Half the angle of an arc of length 1 between points `span` apart: sin(a) / a = span.
double half_angle_of_arc(double span) {
  double low = 0;
  double high = std::numbers::pi;
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high);
    (std::sin(a) > span * a ? low : high) = a;
  }
  return low;
}

TEST(MembraneEnergy, SlackSheetsHangAsTheCatenary) {
  constexpr int kColumns = 48;
  SheetMaterial material = rubber_sheet();
  material.youngs_modulus = 1e9;
  material.thickness = 1e-4;
  material.poisson_ratio = 0;
  material.bending_factor = 0.01;
  const SheetModel model = sheet_model(strip_mesh(1, 4.0 / kColumns, kColumns, 4), material);
  const auto shell = bending_shell(model);
  ASSERT_TRUE(shell.ok()) << shell.error().describe();
  const VectorXd masses = lumped_masses(model);
  EXPECT_LT((masses - shell->masses()).norm(), 1e-12 * masses.norm());
  for (const double span : {0.5, 0.8}) {
    const Catenary exact(span);
    const double half_angle = half_angle_of_arc(span);
    std::vector<std::uint8_t> fixed(model.mesh.positions.size(), 0);
    VectorXd x = interleaved(model.mesh.positions);
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      const Vector3d& p = model.mesh.positions[i];
      if (p.x() < 1e-9 || p.x() > 1 - 1e-9) fixed[i] = kFixAll;
      // An arc of a circle as long as the sheet: one that is strained would fold on its way.
      const double angle = 2 * (p.x() - 0.5) * half_angle;
      x.segment<3>(static_cast<Eigen::Index>(3 * i)) =
          Vector3d(std::sin(angle), 2 * half_angle * p.y(),
                   std::cos(half_angle) - std::cos(angle)) /
          (2 * half_angle);
    }
    MembraneEnergy membrane(model);
    ShellEnergy bending(*shell);
    DeadLoad gravity(weight(masses, {0, 0, -9.81}));
    EnergySum energy({&membrane, &bending, &gravity});
    Newton newton(FreeVertices(fixed, masses), masses);
    const auto report = newton.minimise(energy, x, {.force = 1e-9, .max_iterations = 2000});
    ASSERT_TRUE(report.ok() && report->converged);
    // The chain of 48 links differs by about (1/48)^2 from a smooth one.
    constexpr double kLinks = 1e-3;
    // Means across the sheet: where the bend is sharpest a vertex may dimple either way.
    constexpr Eigen::Index kAcross = 5;
    constexpr Eigen::Index kAlong = kColumns + 1;
    double worst = 0;
    for (Eigen::Index column = 0; column < kAlong; ++column) {
      double off = 0;
      for (Eigen::Index row = 0; row < kAcross; ++row) {
        const auto p = x.segment<3>(3 * (row * kAlong + column));
        off += p.z() - exact.height(p.x()) + exact.height(0.5 * span);
      }
      worst = std::max(worst, std::abs(off) / kAcross);
    }
    RecordProperty("error", std::to_string(worst));
    EXPECT_LT(worst, kLinks) << span;
  }
}

/// A stretched and bent sheet that is in balance under a load which its stress determines.
struct BulgedSheet {
  static Vector3d place(double x, double y) {
    return {1.2 * x + 0.1 * y * y, 1.15 * y + 0.1 * x * x, 0.3 * std::sin(2 * x) * std::cos(y)};
  }
  static Eigen::Matrix<double, 3, 2> slope(double x, double y) {
    Eigen::Matrix<double, 3, 2> f;
    f << 1.2, 0.2 * y, 0.2 * x, 1.15, 0.6 * std::cos(2 * x) * std::cos(y),
        -0.3 * std::sin(2 * x) * std::sin(y);
    return f;
  }
  PlaneStress c;

  /// dJ/dF = J F (F^T F)^-1.
  [[nodiscard]] Eigen::Matrix<double, 3, 2> stress(double x, double y) const {
    const Eigen::Matrix<double, 3, 2> f = slope(x, y);
    const Eigen::Matrix2d square = f.transpose() * f;
    const double area = std::sqrt(square.determinant());
    return c.mu * f + ((c.lambda + c.mu) * (area - 1) - c.mu) * area * f * square.inverse();
  }
  /// Per volume, by differences of the stress.
  [[nodiscard]] Vector3d load(double x, double y) const {
    constexpr double kStep = 1e-4;
    return -(stress(x + kStep, y).col(0) - stress(x - kStep, y).col(0) +
             stress(x, y + kStep).col(1) - stress(x, y - kStep).col(1)) /
           (2 * kStep);
  }
};

TEST(MembraneEnergy, ConvergesWithTheSquareOfTheMeshSize) {
  const SheetMaterial material = rubber_sheet();
  const BulgedSheet exact{PlaneStress(material)};
  std::vector<double> errors;
  for (const int cells : {8, 16, 32}) {
    const SheetModel model = sheet_model(strip_mesh(1, 1, cells, cells), material);
    const VectorXd masses = lumped_masses(model);
    VectorXd x(3 * masses.size());
    VectorXd force(x.size());
    std::vector<std::uint8_t> fixed(model.mesh.positions.size(), 0);
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      const Vector3d& p = model.mesh.positions[i];
      if (std::min(p.x(), 1 - p.x()) < 1e-9 || std::abs(p.y()) > 0.5 - 1e-9) fixed[i] = kFixAll;
      const auto at = static_cast<Eigen::Index>(i);
      x.segment<3>(3 * at) = BulgedSheet::place(p.x(), p.y());
      force.segment<3>(3 * at) = masses(at) / material.density * exact.load(p.x(), p.y());
    }
    const VectorXd expected = x;
    MembraneEnergy membrane(model);
    DeadLoad load(force);
    EnergySum energy({&membrane, &load});
    Newton newton(FreeVertices(fixed, masses), masses);
    const auto report = newton.minimise(energy, x, {.force = 1e-11});
    ASSERT_TRUE(report.ok() && report->converged);
    errors.push_back((x - expected).cwiseAbs().maxCoeff());
  }
  const double order = std::log2(errors[1] / errors[2]);
  RecordProperty("order", std::to_string(order));
  EXPECT_NEAR(order, 2, 0.25);
  EXPECT_LT(errors[2], 1e-3);
}

TEST(SheetModel, BendingIsDefiniteByGaussAndNewton) {
  Random random(65);
  const SheetModel model = sheet_model(bumpy_mesh(1, 0.5, 5, 3), rubber_sheet());
  const auto shell = bending_shell(model);
  ASSERT_TRUE(shell.ok()) << shell.error().describe();
  EXPECT_TRUE(shell->only_bends());
  EXPECT_FALSE(make_shell(shell_model(model.mesh, kPlain)).only_bends());
  const ShellEnergy energy(*shell);
  const VectorXd rest = interleaved(model.mesh.positions);
  const VectorXd x = rest + random_vector(random, rest.size(), 0.03);
  expect_derivatives(energy, x, 1e-5, random);
  const MatrixXd definite = dense_hessian(energy, x, Curvature::Definite);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(definite, Eigen::EigenvaluesOnly);
  EXPECT_GT(solver.eigenvalues()(0), -1e-12 * definite.norm());
  // At rest there are no moments, and nothing is left out.
  const MatrixXd exact = dense_hessian(energy, rest, Curvature::Exact);
  EXPECT_LT((dense_hessian(energy, rest, Curvature::Definite) - exact).norm(),
            1e-12 * exact.norm());
}

TEST(SheetModel, RejectsValuesOutOfRange) {
  const auto message = [](auto change) {
    SheetModel model = sheet_model(strip_mesh(1, 1, 2, 2), rubber_sheet());
    change(model);
    const auto result = model.validate();
    return result.ok() ? std::string() : result.error().describe();
  };
  EXPECT_EQ(message([](SheetModel&) {}), "");
  EXPECT_NE(message([](SheetModel& m) { m.materials[0].thickness = 0; }).find("thickness"),
            std::string::npos);
  EXPECT_NE(message([](SheetModel& m) { m.materials[0].poisson_ratio = 0.5; }).find("poisson"),
            std::string::npos);
  EXPECT_NE(message([](SheetModel& m) { m.materials[0].stretch_limit = -1; }).find("stretch_limit"),
            std::string::npos);
  EXPECT_NE(message([](SheetModel& m) { m.materials.clear(); }).find("material"),
            std::string::npos);
  EXPECT_NE(message([](SheetModel& m) { m.regions = {0}; }).find("regions"), std::string::npos);
  EXPECT_NE(
      message([](SheetModel& m) { m.mesh.positions[0] = m.mesh.positions[1]; }).find("degenerate"),
      std::string::npos);
}

}  // namespace
}  // namespace supple::fem
