// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/shell_modes.hpp"

#include "fem/rest_strains.hpp"
#include "fem/shell_system.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/random.hpp"
#include "supple/core/resources.hpp"
#include "supple/reduction/cholesky.hpp"
#include "supple/reduction/lowest_modes.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <optional>

namespace supple::fem {
namespace {

using reduction::Cholesky;
using reduction::EigenPairs;
using reduction::MultiVector;

/// Up to the first number of unknowns a dense solver is faster. Up to the second it is used where
/// it is the only one that works: a sheet without bending stiffness has a null space of half the
/// problem's size.
constexpr Eigen::Index kDenseShellBelow = 400;
constexpr Eigen::Index kDenseShellForMany = 3000;

/// Relative to the largest eigenvalue. Motions below this cost no energy: rounding errors of a sum
/// of squares leave about 1e-18, while a sheet with a thickness of 1e-4 of its length and a
/// thousand elements along it has its lowest mode near 1e-15.
constexpr double kNoEnergy = 1e-16;

/// Relative to the largest eigenvalue: makes K + shift M definite for free shells and mechanisms,
/// but is small enough for the lowest modes to stand out.
constexpr double kShift = 1e-13;

/// More mechanisms than this are not searched for one by one.
constexpr Eigen::Index kMostMechanisms = 256;

class ShellAnalysis {
 public:
  ShellAnalysis(const DiscreteShell& shell, int count, double tolerance, bool fewer)
      : m_shell(shell), m_count(count), m_tolerance(tolerance), m_fewer(fewer) {}

  Result<ShellModes> run() {
    reduction::EigenSettings settings;
    settings.count = m_count;
    settings.tolerance = m_tolerance;
    SUPPLE_TRY_VOID(settings.validate());
    m_system = &shell_system(m_shell);
    if (m_system->free_dofs() == 0) {
      return bad_input(
          "every vertex of the shell is fixed, so nothing can move; fix fewer vertices");
    }
    if (m_system->failure) return Error(*m_system->failure);
    lap("ordering");
    m_strains.emplace(m_shell, *m_system);
    measure_masses();
    const Eigen::Index available =
        static_cast<Eigen::Index>(m_system->free_dofs()) - m_system->rigid.cols();
    if (m_fewer) m_count = static_cast<int>(std::min<Eigen::Index>(m_count, available));
    if (m_count > available || m_count < 1) {
      return bad_input(fmt::format(
          "{} modes requested, but this shell has only {} ({} unknowns, {} rigid motions); {}",
          settings.count, available, m_system->free_dofs(), m_system->rigid.cols(),
          remedy(available)));
    }
    settings.count = m_count;
    lap("assembling");
    if (unknowns() <= kDenseShellBelow || 4 * m_count > unknowns()) return dense();
    return sparse(settings);
  }

 private:
  [[nodiscard]] Eigen::Index unknowns() const {
    return static_cast<Eigen::Index>(3 * m_system->free_nodes.size());
  }

  void measure_masses() {
    const reduction::BlockMatrix& k = m_shell.rest_stiffness();
    m_root_mass = Eigen::VectorXd::Zero(unknowns());
    for (std::size_t row = 0; row < m_system->free_nodes.size(); ++row) {
      const geometry::Index node = m_system->free_nodes[row];
      const double mass = m_shell.masses()(node);
      m_root_mass.segment<3>(static_cast<Eigen::Index>(3 * row)).setConstant(std::sqrt(mass));
      const double* block = k.blocks.data() + 9 * k.graph->entry(node, node);
      m_largest = std::max(m_largest, (block[0] + block[4] + block[8]) / mass);
    }
    for (const std::int64_t row : m_system->mass.fixed) m_root_mass(row) = 0;
  }

  [[nodiscard]] static std::string remedy(Eigen::Index available) {
    if (available < 1) return "fix fewer vertices, or give it more triangles";
    return fmt::format("request {}, omit the number, or give it more triangles",
                       available == 1 ? "1" : fmt::format("at most {}", available));
  }

  [[nodiscard]] bool costs_nothing(double value) const { return value < kNoEnergy * m_largest; }

  [[nodiscard]] Error too_few(Eigen::Index elastic, Eigen::Index mechanisms) const {
    return bad_input(
        fmt::format("{} modes requested, but only {} of this shell's motions cost energy, and {} "
                    "do not; give it bending and length stiffness everywhere",
                    std::max(m_count, 1), elastic, mechanisms));
  }

  Result<ShellModes> dense() {
    const reduction::EigenProblem problem{*m_strains, m_system->mass, *m_strains, unknowns(), {},
                                          {}};
    const Eigen::Index rigid = m_system->rigid.cols();
    SUPPLE_TRY(const EigenPairs pairs,
               lowest_modes_dense(problem, static_cast<int>(m_system->free_dofs())));
    const Eigen::VectorXd energies = m_strains->products(pairs.vectors).diagonal();
    Eigen::Index first = rigid;
    while (first < energies.size() && costs_nothing(energies(first))) ++first;
    m_mechanisms = first - rigid;
    const Eigen::Index elastic = energies.size() - first;
    if (m_fewer) m_count = static_cast<int>(std::min<Eigen::Index>(m_count, elastic));
    if (elastic < m_count || m_count < 1) return too_few(elastic, m_mechanisms);
    lap("solving");
    return report(pairs.vectors.middleCols(first, m_count),
                  pairs.residuals.segment(first, m_count).maxCoeff());
  }

  Result<ShellModes> sparse(const reduction::EigenSettings& settings) {
    const reduction::BlockMatrix k = m_system->restrict_to_free(m_shell.rest_stiffness());
    SUPPLE_TRY(const auto factor, Cholesky<double>::factorise(m_system->symbolic, k,
                                                              &m_system->mass, kShift * m_largest));
    lap("factorising");
    Eigen::Index block = 12;
    MultiVector start;
    for (;; block *= 2) {
      if (block > kMostMechanisms) return too_many();
      start = inverse_iteration(*factor, std::min(block, unknowns() / 4));
      SUPPLE_TRY_VOID(check_interrupt());
      if (m_mechanisms < start.cols()) break;
    }
    MultiVector deflated(unknowns(), m_system->rigid.cols() + m_mechanisms);
    deflated << m_system->rigid, start.leftCols(m_mechanisms);
    lap("looking for mechanisms");
    const reduction::EigenProblem problem{*m_strains, m_system->mass,
                                          *factor,    unknowns(),
                                          deflated,   start.rightCols(start.cols() - m_mechanisms)};
    SUPPLE_TRY(const EigenPairs pairs, lowest_modes(problem, settings));
    lap("iterating");
    return report(pairs.vectors, pairs.residuals.maxCoeff());
  }

  Result<ShellModes> too_many() {
    if (unknowns() <= kDenseShellForMany) return dense();
    const auto& materials = m_shell.model().materials;
    const bool limp = std::any_of(materials.begin(), materials.end(),
                                  [](const ShellMaterial& m) { return m.bending_stiffness == 0; });
    return Error(ErrorCode::NotConverged,
                 fmt::format("more than {} motions of this shell cost no energy{}; give it bending "
                             "and length stiffness",
                             kMostMechanisms, limp ? ": its bending stiffness is zero" : ""));
  }

  /// A few steps of subspace iteration from noise, until the lowest pair that costs energy is known
  /// roughly: the pairs below it are the mechanisms, and the rest are a good initial guess.
  MultiVector inverse_iteration(const reduction::LinearOperator& inverse, Eigen::Index columns) {
    constexpr int kMostSteps = 60;
    constexpr double kSettled = 0.02;
    Random random(7);
    MultiVector x(unknowns(), columns);
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = random.uniform(-1, 1);
    const MultiVector rigid = m_root_mass.asDiagonal() * m_system->rigid;
    const Eigen::VectorXd inverse_root =
        (m_root_mass.array() > 0).select(m_root_mass.array().inverse(), 0.0);
    double before = 0;
    for (int step = 0; step < kMostSteps; ++step) {
      x = m_root_mass.cwiseAbs2().asDiagonal() * x;
      inverse.apply(x, x);
      Eigen::MatrixXd y = m_root_mass.asDiagonal() * x;
      y -= rigid * (rigid.transpose() * y);
      const Eigen::HouseholderQR<Eigen::MatrixXd> qr(y);
      y = qr.householderQ() * Eigen::MatrixXd::Identity(y.rows(), columns);
      y -= rigid * (rigid.transpose() * y);
      x = inverse_root.asDiagonal() * y;
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(m_strains->products(x));
      reduction::combine_in_place(x, eigen.eigenvectors());
      m_mechanisms = 0;
      while (m_mechanisms < columns && costs_nothing(eigen.eigenvalues()(m_mechanisms))) {
        ++m_mechanisms;
      }
      if (m_mechanisms == columns) break;
      const double lowest = eigen.eigenvalues()(m_mechanisms);
      if (std::abs(lowest - before) <= kSettled * lowest) break;
      before = lowest;
    }
    return x;
  }

  Result<ShellModes> report(const MultiVector& vectors, double residual) {
    ShellModes modes;
    modes.omega_squared = m_strains->products(vectors).diagonal();
    modes.shapes = m_system->spread(vectors);
    modes.rigid = m_system->spread(m_system->rigid);
    modes.mechanisms = static_cast<int>(m_mechanisms);
    modes.residual_max = residual;
    lap("reporting");
    modes.seconds = std::move(m_seconds);
    return modes;
  }

  void lap(const char* stage) { m_seconds.emplace_back(stage, m_watch.lap()); }

  const DiscreteShell& m_shell;
  int m_count;
  double m_tolerance;
  bool m_fewer;
  const ShellSystem* m_system = nullptr;
  std::optional<RestStrains> m_strains;
  Eigen::VectorXd m_root_mass;  ///< per unknown; zero where fixed
  double m_largest = 0;         ///< estimate of the largest eigenvalue
  Eigen::Index m_mechanisms = 0;
  Stopwatch m_watch;
  std::vector<std::pair<std::string, double>> m_seconds;
};

}  // namespace

Result<ShellModes> solve_shell_modes(const DiscreteShell& shell, int count, double tolerance,
                                     bool fewer) {
  return ShellAnalysis(shell, count, tolerance, fewer).run();
}

}  // namespace supple::fem
