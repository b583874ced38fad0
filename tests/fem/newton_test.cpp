// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/newton.hpp"

#include "fem/energy_checks.hpp"
#include "fem/shell_meshes.hpp"
#include "supple/core/parallel.hpp"
#include "supple/fem/quadratic_energies.hpp"
#include "supple/fem/shell_energy.hpp"

#include <Eigen/Cholesky>

#include <gtest/gtest.h>

#include <algorithm>

namespace supple::fem {
namespace {

using Eigen::VectorXd;

const ShellMaterial kPaper{"paper", 30, 20, 2e-3, 0.3};

TEST(Energy, DerivativesOfShellsAnchorsAndSumsMatchFiniteDifferences) {
  Random random(41);
  const DiscreteShell shell = make_shell(shell_model(bumpy_mesh(1, 0.5, 5, 3), kPaper));
  const Eigen::Index size = shell.rest().size();
  // The shell is not the first thing of its scene.
  const geometry::Index first = 2;
  VectorXd x = random_vector(random, size + 6, 1);
  x.tail(size) = shell.rest() + random_vector(random, size, 0.03);
  ShellEnergy elastic(shell, first);
  const VectorXd masses = random_vector(random, x.size() / 3, 1).cwiseAbs();
  MassAnchor inertia(masses, 30, random_vector(random, x.size(), 1));
  const reduction::BlockMatrix k = hessian(elastic, x, Curvature::Definite);
  StiffAnchor damping(k, 0.3, random_vector(random, x.size(), 1));
  DeadLoad load(random_vector(random, x.size(), 1));
  EnergySum sum({&elastic, &inertia, &damping, &load});
  for (const Energy* energy :
       std::initializer_list<const Energy*>{&elastic, &inertia, &damping, &sum}) {
    expect_derivatives(*energy, x, 1e-4, random);
  }
}

/// Springs of rest length 0 between vertices that are closer than `reach`: which ones depends on
/// where they are.
class Swarm final : public Energy {
 public:
  explicit Swarm(double reach) : m_reach(reach) {}
  [[nodiscard]] EnergyValue value(const VectorXd& x) const override {
    EnergyValue sum;
    for (const auto& [a, b] : m_pairs) {
      const double energy = 0.5 * (at(x, a) - at(x, b)).squaredNorm();
      sum += {energy, energy};
    }
    return sum;
  }
  void add_gradient(const VectorXd& x, VectorXd& gradient) const override {
    for (const auto& [a, b] : m_pairs) {
      gradient.segment<3>(3 * a) += at(x, a) - at(x, b);
      gradient.segment<3>(3 * b) += at(x, b) - at(x, a);
    }
  }
  [[nodiscard]] std::size_t coupling_count() const override { return 3 * m_pairs.size(); }
  void list_couplings(std::vector<Coupling>& list) const override {
    for (const auto& [a, b] : m_pairs) list.insert(list.end(), {{a, a}, {a, b}, {b, b}});
  }
  [[nodiscard]] std::uint64_t revision() const override { return m_revision; }
  void write_hessian(const VectorXd& /*x*/, Curvature /*curvature*/,
                     std::span<double> blocks) const override {
    std::fill(blocks.begin(), blocks.end(), 0.0);
    for (std::size_t i = 0; i < blocks.size() / 9; ++i) {
      for (std::size_t c = 0; c < 3; ++c) blocks[9 * i + 4 * c] = i % 3 == 1 ? -1 : 1;
    }
  }
  void follow(const VectorXd& x) override {
    for (geometry::Index a = 0; a < x.size() / 3; ++a) {
      for (geometry::Index b = 0; b < a; ++b) {
        const Coupling pair{a, b};
        if ((at(x, a) - at(x, b)).norm() > m_reach) continue;
        if (std::find(m_pairs.begin(), m_pairs.end(), pair) != m_pairs.end()) continue;
        m_pairs.push_back(pair);
        ++m_revision;
      }
    }
  }
  [[nodiscard]] const std::vector<Coupling>& pairs() const { return m_pairs; }

 private:
  static Eigen::Vector3d at(const VectorXd& x, geometry::Index vertex) {
    return x.segment<3>(3 * vertex);
  }
  double m_reach;
  std::uint64_t m_revision = 0;
  std::vector<Coupling> m_pairs;
};

TEST(Newton, FollowsCouplingsThatChangeOnTheWay) {
  Random random(42);
  constexpr Eigen::Index kCount = 30;
  const VectorXd masses = VectorXd::Ones(kCount);
  const VectorXd anchor = random_vector(random, 3 * kCount, 1);
  VectorXd x = anchor + random_vector(random, 3 * kCount, 0.3);
  Swarm swarm(0.8);
  MassAnchor held(masses, 2, anchor);
  EnergySum energy({&swarm, &held});
  Newton newton(FreeVertices({}, masses), masses);
  // The swarm contracts and catches more vertices, in several runs of one solver.
  std::size_t pairs = 0;
  for (int round = 0; round < 3; ++round) {
    const auto report = newton.minimise(energy, x, {.force = 1e-10});
    ASSERT_TRUE(report.ok()) << report.error().describe();
    EXPECT_TRUE(report->converged);
    EXPECT_TRUE(round > 0 || report->iterations > 1);
    EXPECT_GE(swarm.pairs().size(), pairs);
    pairs = swarm.pairs().size();
  }
  // By a dense solution: (2 I + L) x = 2 anchor.
  Eigen::MatrixXd laplacian = 2 * Eigen::MatrixXd::Identity(kCount, kCount);
  for (const auto& [a, b] : swarm.pairs()) {
    laplacian(a, a) += 1;
    laplacian(b, b) += 1;
    laplacian(a, b) -= 1;
    laplacian(b, a) -= 1;
  }
  const Eigen::MatrixXd by_vertex = anchor.reshaped(3, kCount).transpose();
  const Eigen::MatrixXd expected = laplacian.ldlt().solve(2 * by_vertex).transpose();
  EXPECT_LT((x - expected.reshaped()).norm(), 1e-9);
}

TEST(Newton, LeavesFixedComponentsAlone) {
  const VectorXd masses = VectorXd::Ones(3);
  VectorXd x(9);
  x << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  MassAnchor centre(masses, 1, VectorXd::Zero(9));
  Newton newton(FreeVertices({kFixAll, kFixY, 0}, masses), masses);
  const auto report = newton.minimise(centre, x, {.force = 1e-12});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->converged);
  VectorXd expected(9);
  expected << 1, 2, 3, 0, 5, 0, 0, 0, 0;
  EXPECT_LT((x - expected).norm(), 1e-12);
}

TEST(Newton, EndsInTheSameBitsForAnyNumberOfThreads) {
  ShellModel model = shell_model(bumpy_mesh(1, 0.5, 24, 12), kPaper);
  clamp_up_to(model, 0.05);
  const DiscreteShell shell = make_shell(model);
  std::vector<VectorXd> ends;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    ShellEnergy elastic(shell);
    DeadLoad load(weight(shell.masses(), {0, 0, -9.81}));
    EnergySum energy({&elastic, &load});
    Newton newton(FreeVertices(model.fixed, shell.masses()), shell.masses());
    ends.push_back(shell.rest());
    const auto report = newton.minimise(energy, ends.back(), {.force = 1e-7});
    ASSERT_TRUE(report.ok() && report->converged);
  }
  set_thread_count(0);
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

}  // namespace
}  // namespace supple::fem
