// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/lowest_modes.hpp"

#include "reduction/blas.hpp"
#include "supple/core/check.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/random.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace supple::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Directions with less than this share of a block's squared norm are rounding errors.
constexpr double kDependent = 1e-14;

/// The loss of orthonormality is proportional to the inverse of the weakest share: below this,
/// repeat.
constexpr double kWeak = 1e-3;

/// Vectors added between restarts when memory is plentiful.
constexpr Index kGrowth = 112;

/// Combinations that make a block with Gram matrix G orthonormal, without its dependent directions
/// ("SVQB"): eigenvectors of D^-1/2 G D^-1/2, D = diag G, which are well scaled.
struct Orthonormaliser {
  MatrixXd mix;
  double weakest = 1;  // smallest share kept
};
Orthonormaliser orthonormaliser(const MatrixXd& gram) {
  VectorXd scale(gram.rows());
  for (Index i = 0; i < gram.rows(); ++i) {
    scale(i) = gram(i, i) > 0 ? 1 / std::sqrt(gram(i, i)) : 0.0;
  }
  const MatrixXd scaled = scale.asDiagonal() * gram * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (scaled + scaled.transpose()));
  const VectorXd share = eigen.eigenvalues() / std::max(eigen.eigenvalues().maxCoeff(), 1e-300);
  Index first = 0;
  while (first < share.size() && !(share(first) > kDependent)) ++first;
  const Index kept = share.size() - first;
  Orthonormaliser result;
  result.mix = scale.asDiagonal() * eigen.eigenvectors().rightCols(kept) *
               eigen.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  if (kept > 0) result.weakest = share(first);
  return result;
}

MultiVector random_block(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  MultiVector block(rows, columns);
  for (Index i = 0; i < block.size(); ++i) block.data()[i] = random.uniform(-1, 1);
  return block;
}

/// The lowest pairs of a dense symmetric matrix, by LAPACK: it computes only the requested ones.
void lowest_pairs(MatrixXd matrix, Index count, VectorXd& values, MatrixXd& vectors) {
  const int n = static_cast<int>(matrix.rows());
  const int first = 1;
  const int last = static_cast<int>(count);
  const double unused = 0;
  int found = 0;
  int info = 0;
  values.resize(n);
  vectors.resize(n, count);
  std::vector<int> support(2 * static_cast<std::size_t>(n));
  const int lwork = 40 * n;
  const int liwork = 10 * n;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  blas::dsyevr_("V", "I", "U", &n, matrix.data(), &n, &unused, &unused, &first, &last, &unused,
                &found, values.data(), vectors.data(), &n, support.data(), work.data(), &lwork,
                iwork.data(), &liwork, &info);
  SUPPLE_CHECK_OP(info, ==, 0);
  values.conservativeResize(count);
}

/// Sums over rows of one number per column, in a fixed order.
template <class Row>
VectorXd sum_over_rows(Index rows, Index columns, const Row& add_row) {
  return parallel_reduce(
      static_cast<std::size_t>(rows), 4096, VectorXd(VectorXd::Zero(columns)),
      [&](std::size_t begin, std::size_t end) {
        VectorXd sum = VectorXd::Zero(columns);
        for (std::size_t i = begin; i < end; ++i) add_row(static_cast<Index>(i), sum);
        return sum;
      },
      [](VectorXd total, const VectorXd& part) {
        total += part;
        return total;
      });
}

/// r <- K x - (M x) diag(values) given K x and r = M x.
void subtract_scaled(const MultiVector& kx, const VectorXd& values, MultiVector& r) {
  parallel_for(static_cast<std::size_t>(r.rows()), 4096, [&](std::size_t row) {
    const auto i = static_cast<Index>(row);
    r.row(i) = kx.row(i) - r.row(i).cwiseProduct(values.transpose());
  });
}

void scale_columns(const VectorXd& factors, MultiVector& x) {
  parallel_for(static_cast<std::size_t>(x.rows()), 4096, [&](std::size_t row) {
    const auto i = static_cast<Index>(row);
    x.row(i) = x.row(i).cwiseProduct(factors.transpose());
  });
}

VectorXd column_dots(const MultiVector& a, const MultiVector& b) {
  return sum_over_rows(a.rows(), a.cols(), [&](Index i, VectorXd& sum) {
    sum += a.row(i).cwiseProduct(b.row(i)).transpose();
  });
}

VectorXd relative_residuals(const VectorXd& residual_norms, const MultiVector& kx) {
  const VectorXd norms = column_dots(kx, kx).cwiseSqrt();
  return residual_norms.cwiseQuotient(norms.cwiseMax(std::numeric_limits<double>::min()));
}

/// The search space and its projections.
class Davidson {
 public:
  Davidson(const EigenProblem& problem, const EigenSettings& settings)
      : m_problem(problem), m_settings(settings) {
    const Index available = problem.unknowns - problem.deflated.cols();
    const int block = settings.block > 0 ? settings.block : std::clamp(settings.count / 4, 8, 32);
    m_block = std::min<Index>(block, available);
    m_max_iterations =
        settings.max_iterations > 0 ? settings.max_iterations : 200 + 10 * settings.count;
    m_kept =
        std::min<Index>(settings.count + std::max<Index>(m_block, settings.count / 2), available);
    // Restarts cost iterations, long bases cost memory: restart late, but at two gigabytes at most.
    const auto affordable = static_cast<Index>(2e9 / (8.0 * static_cast<double>(problem.unknowns)));
    const Index growth = std::max<Index>(
        {2 * m_block, std::min<Index>(kGrowth, affordable - m_kept), settings.count});
    m_largest = std::max<Index>(m_kept + growth, problem.guess.cols());
    m_largest = std::min<Index>(m_largest, available);
    m_basis.resize(problem.unknowns, m_largest);
    m_projected = MatrixXd::Zero(m_largest, m_largest);
  }

  Result<EigenPairs> run() {
    Progress progress("finding modes", m_settings.count);
    MultiVector directions = start();
    int iteration = 1;
    for (; iteration <= m_max_iterations; ++iteration) {
      SUPPLE_TRY_VOID(check_interrupt());
      if (!extend(directions) && !refresh(iteration)) break;
      rayleigh_ritz();
      examine_next(directions);
      progress.set(static_cast<double>(m_found));
      log::debug("iteration {}: space {}, {} of {} pairs, error {:.2e}", iteration, m_size, m_found,
                 m_settings.count, m_worst);
      if (m_found >= m_settings.count && verify(directions)) return finish(iteration);
    }
    return not_converged(failure(iteration));
  }

 private:
  [[nodiscard]] std::string failure(int iteration) const {
    if (iteration == 1) {
      return fmt::format(
          "the eigensolver could not start on its {} modes: the matrices have entries that are not "
          "finite, or differ by too many orders of magnitude; check units, moduli and densities",
          m_settings.count);
    }
    const bool gave_up = iteration <= m_max_iterations;
    return fmt::format(
        "the eigensolver found {} of {} modes to {:.1e} and {} after {} iterations, at an error of "
        "{:.1e}; request fewer modes, or check the mesh for slivers and the materials for moduli "
        "that differ by many orders of magnitude",
        m_found, m_settings.count, m_settings.tolerance, gave_up ? "makes no headway" : "stopped",
        iteration - 1, m_worst);
  }

  [[nodiscard]] MultiVector inverse_of_noise(Index columns, std::uint64_t seed) const {
    // One application of K^-1 M turns noise into a fair guess.
    MultiVector noise = random_block(m_problem.unknowns, columns, seed);
    MultiVector block;
    m_problem.m.apply(noise, block);
    m_problem.approximate_inverse.apply(block, noise);
    return noise;
  }

  /// The initial guess, padded with noise to a full block.
  [[nodiscard]] MultiVector start() const {
    const Index missing = m_block - m_problem.guess.cols();
    if (missing <= 0) return m_problem.guess;
    MultiVector block = inverse_of_noise(missing, m_settings.seed);
    if (m_problem.guess.cols() == 0) return block;
    MultiVector both(block.rows(), m_block);
    both << m_problem.guess, block;
    return both;
  }

  /// w <- w - (deflated and basis) h with h their M-inner products with w.
  void project_out(MultiVector& w, const MultiVector& mw) const {
    if (m_problem.deflated.cols() > 0) {
      add_combination(-1, m_problem.deflated, m_problem.deflated.cols(),
                      inner_products(m_problem.deflated, mw), w);
    }
    if (m_size > 0) add_combination(-1, m_basis, m_size, inner_products(m_basis, m_size, mw), w);
  }

  /// Makes w M-orthonormal and M-orthogonal to the space. The first pass leaves rounding errors as
  /// large as the part it removed, the second removes them; weak combinations need a third.
  void orthonormalise(MultiVector& w) const {
    MultiVector mw;
    m_problem.m.apply(w, mw);
    project_out(w, mw);
    for (int pass = 0; pass < 2 && w.cols() > 0; ++pass) {
      m_problem.m.apply(w, mw);
      const Orthonormaliser block = orthonormaliser(inner_products(w, mw));
      project_out(w, mw);
      combine_in_place(w, block.mix);
      w.conservativeResize(Eigen::NoChange, block.mix.cols());
      if (block.weakest > kWeak) break;
    }
  }

  /// Adds directions to the space; false if they contain nothing new.
  bool extend(MultiVector& w) {
    if (w.cols() == 0) return false;
    if (m_size + w.cols() > m_largest) restart();
    if (m_size + w.cols() > m_largest) w.conservativeResize(Eigen::NoChange, m_largest - m_size);
    orthonormalise(w);
    if (w.cols() == 0) return false;
    parallel_for(static_cast<std::size_t>(w.rows()), 4096, [&](std::size_t row) {
      const auto i = static_cast<Index>(row);
      m_basis.row(i).segment(m_size, w.cols()) = w.row(i);
    });
    MultiVector kw;
    m_problem.k.apply(w, kw);
    const Index size = m_size + w.cols();
    const MatrixXd column = inner_products(m_basis, size, kw);
    m_projected.block(0, m_size, size, w.cols()) = column;
    m_projected.block(m_size, 0, w.cols(), size) = column.transpose();
    m_size = size;
    return true;
  }

  /// Injects noise if residuals add nothing new before all pairs are found.
  bool refresh(int iteration) {
    MultiVector noise =
        inverse_of_noise(m_block, m_settings.seed + static_cast<unsigned>(iteration));
    return extend(noise);
  }

  void rayleigh_ritz() {
    lowest_pairs(m_projected.topLeftCorner(m_size, m_size), std::min(m_size, m_kept), m_ritz_values,
                 m_ritz);
  }

  /// Keeps the lowest Ritz pairs: the requested ones and some more.
  void restart() {
    const Index kept = std::min(m_size, m_kept);
    combine_in_place(m_basis, m_ritz.leftCols(kept));
    m_projected.setZero();
    m_projected.diagonal().head(kept) = m_ritz_values.head(kept);
    m_size = kept;
  }

  /// Ritz vectors [first, first + count), their residuals r, T r, and their errors.
  struct Examined {
    MultiVector x;
    MultiVector directions;
    VectorXd errors;
    VectorXd residuals;
  };
  [[nodiscard]] Examined examine(Index first, Index count) const {
    Examined result;
    combine(m_basis, m_size, m_ritz.middleCols(first, count), result.x);
    const VectorXd values = m_ritz_values.segment(first, count);
    MultiVector kx;
    MultiVector r;
    m_problem.k.apply(result.x, kx);
    m_problem.m.apply(result.x, r);
    subtract_scaled(kx, values, r);
    const VectorXd norms = column_dots(r, r).cwiseSqrt();
    result.residuals = relative_residuals(norms, kx);
    // Unit columns keep single precision in its range.
    scale_columns(norms.cwiseMax(std::numeric_limits<double>::min()).cwiseInverse(), r);
    m_problem.approximate_inverse.apply(r, result.directions);
    const VectorXd energy = column_dots(r, result.directions).cwiseMax(0);
    result.errors = norms.cwiseProduct(energy.cwiseQuotient(values.cwiseAbs()).cwiseSqrt());
    return result;
  }

  /// Checks the lowest pairs not yet found; their residuals give the next directions.
  void examine_next(MultiVector& directions) {
    const Index first = std::min(m_found, std::max<Index>(0, m_size - m_block));
    Examined next = examine(first, std::min(m_block, m_size - first));
    Index good = 0;
    while (good < next.errors.size() && next.errors(good) <= m_settings.tolerance) ++good;
    m_found = std::max(m_found, first + good);
    m_worst = good < next.errors.size() ? next.errors(good) : 0.0;
    directions = next.directions.rightCols(next.directions.cols() - good);
  }

  /// All requested pairs at once: a pair found late can have shifted those found earlier.
  bool verify(MultiVector& directions) {
    m_final = examine(0, m_settings.count);
    Index good = 0;
    while (good < m_settings.count && m_final.errors(good) <= m_settings.tolerance) ++good;
    m_found = good;
    if (good == m_settings.count) return true;
    m_worst = m_final.errors(good);
    directions =
        m_final.directions.middleCols(good, std::min<Index>(m_block, m_settings.count - good));
    return false;
  }

  [[nodiscard]] Result<EigenPairs> finish(int iterations) {
    EigenPairs pairs;
    pairs.values = m_ritz_values.head(m_settings.count);
    pairs.vectors = std::move(m_final.x);
    pairs.residuals = m_final.residuals;
    pairs.iterations = iterations;
    return pairs;
  }

  const EigenProblem& m_problem;
  const EigenSettings& m_settings;
  int m_max_iterations = 0;
  Index m_block = 0;    // directions added at a time
  Index m_kept = 0;     // size of the space after a restart
  Index m_largest = 0;  // size of the space before a restart
  Index m_size = 0;
  Index m_found = 0;  // leading pairs that had converged at the last check
  double m_worst = 0;
  MultiVector m_basis;   // M-orthonormal, first m_size columns in use
  MatrixXd m_projected;  // basis^T K basis
  VectorXd m_ritz_values;
  MatrixXd m_ritz;
  Examined m_final;
};

}  // namespace

Result<void> EigenSettings::validate() const {
  if (count < 1) return bad_input(fmt::format("{} modes requested; request at least one", count));
  if (!(tolerance > 0 && tolerance < 1)) {
    return bad_input(fmt::format("tolerance {} is not between 0 and 1", tolerance));
  }
  return {};
}

Result<EigenPairs> lowest_modes(const EigenProblem& problem, const EigenSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  if (settings.count > problem.unknowns - problem.deflated.cols()) {
    return bad_input(fmt::format("{} modes requested, but the problem has only {}", settings.count,
                                 problem.unknowns - problem.deflated.cols()));
  }
  return Davidson(problem, settings).run();
}

Result<EigenPairs> lowest_modes_dense(const EigenProblem& problem, int count) {
  const Index n = problem.unknowns;
  MultiVector k;
  MultiVector m;
  problem.k.apply(MultiVector::Identity(n, n), k);
  problem.m.apply(MultiVector::Identity(n, n), m);
  std::vector<Index> active;  // rows with mass; the others are excluded
  for (Index i = 0; i < n; ++i) {
    if (m(i, i) > 0) active.push_back(i);
  }
  const Index first = problem.deflated.cols();
  const Index available = static_cast<Index>(active.size()) - first;
  if (count > available) {
    return bad_input(
        fmt::format("{} modes requested, but the problem has only {}", count, available));
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(k(active, active),
                                                                 m(active, active));
  if (eigen.info() != Eigen::Success) {
    return not_converged(
        "the dense eigensolver failed: the mass matrix is not positive definite; check the "
        "densities and the mesh for flat elements");
  }
  EigenPairs pairs;
  pairs.values = eigen.eigenvalues().segment(first, count);
  pairs.vectors = MultiVector::Zero(n, count);
  pairs.vectors(active, Eigen::all) = eigen.eigenvectors().middleCols(first, count);
  MultiVector kx;
  MultiVector r;
  problem.k.apply(pairs.vectors, kx);
  problem.m.apply(pairs.vectors, r);
  subtract_scaled(kx, pairs.values, r);
  pairs.residuals = relative_residuals(column_dots(r, r).cwiseSqrt(), kx);
  pairs.iterations = 1;
  return pairs;
}

}  // namespace supple::reduction
