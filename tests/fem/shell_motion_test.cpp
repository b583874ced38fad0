// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/shell_motion.hpp"

#include "fem/shell_meshes.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace supple::fem {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const Vector3d kGravityVector(0, 0, -9.81);
const ShellMaterial kSoft{"soft", 20, 20, 2e-3, 0.3};

Equilibrium equilibrium(const DiscreteShell& shell, const VectorXd& load,
                        const EquilibriumSettings& settings = {}) {
  auto found = find_equilibrium(shell, load, settings);
  EXPECT_TRUE(found.ok()) << found.error().describe();
  return *std::move(found);
}

DiscreteShell strip(double length, double width, int nx, int ny, const ShellMaterial& material) {
  ShellModel model = shell_model(strip_mesh(length, width, nx, ny), material);
  clamp_up_to(model, 1.01 * length / nx);
  return make_shell(std::move(model));
}

/// A clamped strip whose Poisson's ratio is 0: a beam of stiffness 6 k_B per width.
struct Ribbon {
  int columns = 120;
  int across = 6;
  double length = 1;
  double bending = 1e-3;
  [[nodiscard]] double cell() const { return length / columns; }
  [[nodiscard]] DiscreteShell shell() const {
    geometry::TriMesh mesh = strip_mesh(length + cell(), across * cell(), columns + 1, across);
    for (auto& p : mesh.positions) p.x() -= cell();
    const double k = 40 * bending / cell();  // stiff enough not to show
    ShellModel model = shell_model(mesh, {"ribbon", 0, k, bending, 0.3});
    clamp_up_to(model, 0.01 * cell());
    return make_shell(std::move(model));
  }
  [[nodiscard]] double stiffness() const { return 6 * bending; }  // per width
};

/// Mean position of the free end.
Vector3d tip(const DiscreteShell& shell, const VectorXd& x) {
  double end = 0;
  for (const auto& p : shell.model().mesh.positions) end = std::max(end, p.x());
  Vector3d sum = Vector3d::Zero();
  int count = 0;
  for (std::size_t i = 0; i < shell.model().mesh.positions.size(); ++i) {
    if (shell.model().mesh.positions[i].x() < end - 1e-9) continue;
    sum += x.segment<3>(static_cast<Eigen::Index>(3 * i));
    ++count;
  }
  return sum / count;
}

/// The tip of a heavy elastica of length 1 clamped level: theta'' = -load (1 - s) cos theta with
/// theta(0) = 0 and theta'(1) = 0 by shooting; load = weight per length L^3 / EI.
std::pair<double, double> elastica_tip(double load) {
  const auto shoot = [&](double start, double& x, double& z) {
    constexpr int kSteps = 4000;
    const double h = 1.0 / kSteps;
    Eigen::Vector4d y(0, start, 0, 0);  // theta, theta', x, drop
    const auto slope = [&](double s, const Eigen::Vector4d& v) {
      return Eigen::Vector4d(v(1), -load * (1 - s) * std::cos(v(0)), std::cos(v(0)),
                             std::sin(v(0)));
    };
    for (int i = 0; i < kSteps; ++i) {
      const double s = i * h;
      const Eigen::Vector4d a = slope(s, y);
      const Eigen::Vector4d b = slope(s + h / 2, y + h / 2 * a);
      const Eigen::Vector4d c = slope(s + h / 2, y + h / 2 * b);
      const Eigen::Vector4d d = slope(s + h, y + h * c);
      y += h / 6 * (a + 2 * b + 2 * c + d);
    }
    x = y(2);
    z = y(3);
    return y(1);
  };
  double x = 0;
  double z = 0;
  double low = 0;
  double high = load / 2 + 1e-9;  // the linear answer is load / 2, and bending relieves it
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (shoot(middle, x, z) > 0 ? high : low) = middle;
  }
  return {x, z};
}

TEST(ShellMotion, WeightIsThatOfTheSheet) {
  const DiscreteShell shell = strip(2, 0.5, 8, 2, kSoft);
  const VectorXd force = weight(shell, kGravityVector);
  double total = 0;
  for (Eigen::Index i = 2; i < force.size(); i += 3) total += force(i);
  EXPECT_NEAR(total, -0.3 * 1.0 * 9.81, 1e-12);
}

TEST(ShellMotion, SmallLoadsBendAStripAsABeam) {
  const double gravity = 1e-3;  // sags by 0.7% of the length
  std::vector<double> ratios;
  for (const Ribbon& ribbon : {Ribbon{60, 3}, Ribbon{120, 6}}) {
    const DiscreteShell shell = ribbon.shell();
    const Equilibrium found = equilibrium(shell, weight(shell, {0, 0, -gravity}));
    const double beam = 0.3 * gravity / (8 * ribbon.stiffness());
    ratios.push_back(-tip(shell, found.x).z() / beam);
    RecordProperty("ratio_" + std::to_string(ribbon.columns), std::to_string(ratios.back()));
    EXPECT_LT(found.residual, 1e-5);  // what rounding leaves
  }
  EXPECT_NEAR(ratios[0], 1, 0.01);
  EXPECT_NEAR(ratios[1], 1, 0.005);
}

TEST(ShellMotion, HeavyStripsHangAsTheElastica) {
  for (const double load : {1.0, 5.0, 20.0, 100.0}) {
    const Ribbon ribbon;
    const DiscreteShell shell = ribbon.shell();
    const double gravity = load * ribbon.stiffness() / 0.3;
    const Equilibrium found = equilibrium(shell, weight(shell, {0, 0, -gravity}));
    const auto [x, drop] = elastica_tip(load);
    const Vector3d end = tip(shell, found.x);
    const std::string name = std::to_string(static_cast<int>(load));
    RecordProperty("x_error_" + name, std::to_string(end.x() - x));
    RecordProperty("drop_error_" + name, std::to_string(-end.z() - drop));
    RecordProperty("iterations_" + name, found.iterations);
    EXPECT_NEAR(end.x(), x, 0.005) << load;
    EXPECT_NEAR(-end.z(), drop, 0.005) << load;
  }
}

TEST(ShellMotion, LargeLoadsConvergeOnAnyMesh) {
  for (const double load : {1.0, 10.0, 100.0}) {
    ShellModel model = shell_model(v_mesh(1, 0.3, 24, 6), {"v", 200, 200, 1e-3, 0.3});
    clamp_up_to(model, 0.05);
    const DiscreteShell shell = make_shell(model);
    EquilibriumSettings settings;
    settings.load_steps = 4;
    const Equilibrium found = equilibrium(shell, weight(shell, load * kGravityVector), settings);
    RecordProperty("iterations_" + std::to_string(static_cast<int>(load)), found.iterations);
    // Balanced, and nothing near in a few random directions is lower.
    const VectorXd force = weight(shell, load * kGravityVector);
    const double lowest = shell.energy(found.x) - force.dot(found.x);
    Random random(9);
    for (int i = 0; i < 5; ++i) {
      VectorXd x = found.x;
      for (Eigen::Index k = 0; k < x.size(); ++k) {
        if (model.fixed[static_cast<std::size_t>(k / 3)] == 0) x(k) += 1e-4 * random.uniform(-1, 1);
      }
      EXPECT_GT(shell.energy(x) - force.dot(x), lowest);
    }
  }
}

TEST(ShellMotion, HopelessLoadsAreErrors) {
  const DiscreteShell free = make_shell(shell_model(strip_mesh(1, 1, 2, 2), kSoft));
  const auto falling = find_equilibrium(free, weight(free, kGravityVector));
  ASSERT_FALSE(falling.ok());
  EXPECT_NE(falling.error().message().find("nothing holds the shell in z"), std::string::npos);
  const DiscreteShell held = strip(1, 0.2, 10, 2, kSoft);
  EquilibriumSettings hasty;
  hasty.max_iterations = 1;
  const auto early = find_equilibrium(held, weight(held, kGravityVector), hasty);
  ASSERT_FALSE(early.ok());
  EXPECT_EQ(early.error().code(), ErrorCode::NotConverged);
  VectorXd wrong = weight(held, kGravityVector);
  wrong(5) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(find_equilibrium(held, wrong).ok());
}

double total_energy(const DiscreteShell& shell, const ShellState& state, const VectorXd& force) {
  double kinetic = 0;
  for (Eigen::Index i = 0; i < state.v.size(); ++i) {
    kinetic += 0.5 * shell.masses()(i / 3) * state.v(i) * state.v(i);
  }
  return kinetic + shell.energy(state.x) - force.dot(state.x);
}

ShellState at_rest(const DiscreteShell& shell) {
  return {shell.rest(), VectorXd::Zero(shell.rest().size()), 0};
}

ShellForces constant(const VectorXd& force) {
  return [force](const VectorXd&, const VectorXd&, double) { return force; };
}

TEST(ShellMotion, ExplicitStepsKeepTheEnergy) {
  const DiscreteShell shell = strip(1, 0.3, 10, 3, kSoft);
  const VectorXd force = weight(shell, kGravityVector);
  std::vector<double> wobble;
  for (const double h : {4e-4, 2e-4}) {
    ShellState state = at_rest(shell);
    const double start = total_energy(shell, state, force);
    double worst = 0;
    double scale = 0;
    for (int i = 0; i < static_cast<int>(1.0 / h); ++i) {
      step_explicit(shell, constant(force), {}, h, state);
      worst = std::max(worst, std::abs(total_energy(shell, state, force) - start));
      scale = std::max(scale, shell.energy(state.x));
    }
    wobble.push_back(worst / scale);
    RecordProperty("wobble", std::to_string(worst / scale));
  }
  EXPECT_LT(wobble[0], 0.05);
  EXPECT_LT(wobble[1], 0.65 * wobble[0]);  // of first order
}

TEST(ShellMotion, ImplicitAndExplicitStepsAgreeAsTheyShrink) {
  const DiscreteShell shell = strip(1, 0.3, 10, 3, kSoft);
  const VectorXd force = weight(shell, kGravityVector);
  const ShellDamping damping{0.5, 1e-4};
  const double time = 0.1;
  ShellState reference = at_rest(shell);
  const double small = 2.5e-5;
  while (reference.time < time - 0.5 * small) {
    step_explicit(shell, constant(force), damping, small, reference);
  }
  std::vector<double> errors;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    ShellState state = at_rest(shell);
    while (state.time < time - 0.5 * h) {
      const auto stepped = step_implicit(shell, constant(force), damping, h, state);
      ASSERT_TRUE(stepped.ok()) << stepped.error().describe();
    }
    errors.push_back((state.x - reference.x).norm() / (reference.x - shell.rest()).norm());
    RecordProperty("error", std::to_string(errors.back()));
  }
  EXPECT_LT(errors[2], 0.02);
  EXPECT_LT(errors[1], 0.65 * errors[0]);
  EXPECT_LT(errors[2], 0.65 * errors[1]);
}

TEST(ShellMotion, DampedMotionEndsInTheEquilibrium) {
  const DiscreteShell shell = strip(1, 0.3, 10, 3, kSoft);
  const VectorXd force = weight(shell, kGravityVector);
  const Equilibrium found = equilibrium(shell, force);
  ShellState state = at_rest(shell);
  for (int i = 0; i < 200; ++i) {
    const auto stepped = step_implicit(shell, constant(force), {4, 0}, 0.1, state);
    ASSERT_TRUE(stepped.ok()) << stepped.error().describe();
  }
  EXPECT_LT((state.x - found.x).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(state.v.norm(), 1e-5);
  for (std::size_t i = 0; i < shell.model().fixed.size(); ++i) {
    if (shell.model().fixed[i] == 0) continue;
    const auto row = static_cast<Eigen::Index>(3 * i);
    EXPECT_EQ(state.x.segment<3>(row), shell.rest().segment<3>(row));
  }
}

TEST(ShellMotion, FreeShellsFallAsStones) {
  const DiscreteShell shell = make_shell(shell_model(bumpy_mesh(1, 0.5, 6, 3), kSoft));
  const VectorXd force = weight(shell, kGravityVector);
  ShellState state = at_rest(shell);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(step_implicit(shell, constant(force), {}, 0.05, state).ok());
  }
  // Implicit Euler: n (n + 1) / 2 h^2 g exactly.
  VectorXd expected = shell.rest();
  for (Eigen::Index i = 2; i < expected.size(); i += 3) expected(i) -= 9.81 * 210 * 0.0025;
  EXPECT_LT((state.x - expected).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace supple::fem
