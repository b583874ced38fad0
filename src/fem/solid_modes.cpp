// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/solid_modes.hpp"

#include "fem/p_multigrid.hpp"
#include "supple/core/log.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/core/resources.hpp"
#include "supple/fem/assembly.hpp"
#include "supple/fem/rigid_modes.hpp"
#include "supple/reduction/cholesky.hpp"
#include "supple/reduction/lowest_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace supple::fem {
namespace {

using reduction::Cholesky;
using reduction::EigenPairs;
using reduction::MultiVector;
using reduction::SymbolicFactor;

/// Up to this many unknowns a dense solver is faster; for many modes the limit is higher.
constexpr Eigen::Index kDenseSolidBelow = 400;
constexpr Eigen::Index kDenseSolidForMany = 2000;

/// Beyond this many nodes a three-dimensional factor costs far more than iterating.
constexpr std::size_t kIterateAbove = 250'000;

/// A factor is unusable as an inverse if its solutions of smooth problems are off by more than
/// this.
constexpr double kFactorError = 0.1;
constexpr int kSmoothVectors = 8;
/// Rounding in K x moves pairs about as much as a double factor's solutions: no iteration gets
/// below. An eigenvalue is off by the square of its pair's error, here by 1e-6 at most.
constexpr double kRounding = 10;
constexpr double kLeastAccuracy = 1e-3;

Result<void> check_pieces(const std::vector<Piece>& pieces, bool allowed) {
  if (pieces.size() <= 1 || allowed) return {};
  std::string list;
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < std::min(pieces.size(), kShown); ++i) {
    const geometry::Vec3 c = pieces[i].bounds.centre();
    list += fmt::format("\n  piece {}: {} elements around ({:.4g}, {:.4g}, {:.4g})", i + 1,
                        pieces[i].elements, c.x(), c.y(), c.z());
  }
  if (pieces.size() > kShown) list += fmt::format("\n  and {} more", pieces.size() - kShown);
  return bad_input(
      fmt::format("the mesh consists of {} pieces that share no nodes; join them, keep only the "
                  "'largest piece', or accept 'all pieces':{}",
                  pieces.size(), list));
}

/// The scale of (rad/s)^2 on which this body vibrates: (shear wave speed / size)^2. As a shift it
/// makes K + shift M definite for free bodies, in any units.
double shift_for(const SolidModel& model, const std::vector<Piece>& pieces) {
  double speed = std::numeric_limits<double>::infinity();
  for (const Material& material : model.materials) {
    const double shear = material.youngs_modulus / (2 * (1 + material.poisson_ratio));
    speed = std::min(speed, shear / material.density);
  }
  double size = 0;
  for (const Piece& piece : pieces) size = std::max(size, piece.bounds.diagonal());
  return speed / (size * size);
}

class ModalAnalysis {
 public:
  ModalAnalysis(const SolidModel& model, const ModalSettings& settings)
      : m_model(model), m_settings(settings) {}

  Result<SolidModes> run() {
    SUPPLE_TRY_VOID(m_settings.validate());
    SUPPLE_TRY_VOID(m_model.validate());
    const std::vector<Piece> parts = pieces(m_model.mesh);
    SUPPLE_TRY_VOID(check_pieces(parts, m_settings.allow_pieces));
    lap("checking");
    SUPPLE_TRY(m_matrices, lay_out(m_model));
    SUPPLE_TRY_VOID(fill_and_order());
    m_rigid = rigid_modes(m_model, m_matrices, parts);
    m_shift = m_rigid.cols() > 0 ? shift_for(m_model, parts) : 0.0;
    lap("assembling, ordering");
    const auto modes = static_cast<Eigen::Index>(m_matrices.free_dofs()) - m_rigid.cols();
    if (m_settings.count > modes) {
      return bad_input(fmt::format(
          "{} modes requested, but this model has only {} ({} unknowns, {} rigid motions)",
          m_settings.count, modes, m_matrices.free_dofs(), m_rigid.cols()));
    }
    SUPPLE_TRY(const EigenPairs pairs, solve());
    return report(pairs);
  }

 private:
  [[nodiscard]] reduction::EigenProblem problem(const reduction::LinearOperator& inverse) const {
    return {m_matrices.stiffness,
            m_matrices.mass,
            inverse,
            static_cast<Eigen::Index>(3 * m_matrices.free_nodes.size()),
            m_rigid,
            {}};
  }

  [[nodiscard]] reduction::EigenSettings eigen_settings() const {
    reduction::EigenSettings settings;
    settings.count = m_settings.count;
    settings.tolerance = m_settings.tolerance;
    return settings;
  }

  [[nodiscard]] bool quadratic() const {
    return m_model.mesh.order == geometry::TetOrder::Quadratic;
  }

  /// Chooses a method as far as possible before the factor's size is known.
  [[nodiscard]] EigenMethod method() const {
    if (m_settings.method != EigenMethod::Automatic) return m_settings.method;
    if (quadratic() && m_matrices.free_nodes.size() > kIterateAbove) return EigenMethod::Iterative;
    return EigenMethod::Automatic;
  }

  [[nodiscard]] bool dense() const {
    const auto unknowns = static_cast<Eigen::Index>(3 * m_matrices.free_nodes.size());
    return m_settings.method == EigenMethod::Automatic &&
           (unknowns <= kDenseSolidBelow ||
            (unknowns <= kDenseSolidForMany && m_settings.count > unknowns / 8));
  }

  /// Ordering is serial and needs only the graph; meanwhile the values are computed.
  Result<void> fill_and_order() {
    if (dense() || method() == EigenMethod::Iterative) {
      fill(m_model, m_matrices);
      return {};
    }
    Result<void> ordered;
    parallel_for(2, 1, [&](std::size_t job) {
      if (job == 1) return fill(m_model, m_matrices);
      auto analysed = reduction::analyse(*m_matrices.stiffness.graph);
      if (analysed.ok()) {
        m_symbolic = std::make_shared<const SymbolicFactor>(*std::move(analysed));
      } else {
        ordered = std::move(analysed).error();
      }
    });
    return ordered;
  }

  Result<EigenPairs> solve() {
    if (dense()) return solve_dense();
    if (method() == EigenMethod::Iterative) return iterate();
    const double bytes = m_symbolic->entries * sizeof(float);
    const double limit =
        m_settings.memory_limit > 0 ? m_settings.memory_limit : 0.5 * physical_memory_bytes();
    log::debug("factor: {:.3g} entries, {:.3g} flops", m_symbolic->entries, m_symbolic->flops);
    if (bytes > limit && limit > 0) {
      if (method() == EigenMethod::Automatic && quadratic()) return iterate();
      return bad_input(
          fmt::format("the factor needs {:.1f} GB but only {:.1f} GB are allowed; use 10-node "
                      "elements with the iterative method, or a coarser mesh",
                      bytes * 1e-9, limit * 1e-9));
    }
    return factorise();
  }

  Result<EigenPairs> solve_dense() {
    m_method = "dense";
    auto pairs = lowest_modes_dense(problem(m_matrices.stiffness), m_settings.count);
    lap("iterating");
    if (m_settings.compliance && m_rigid.cols() == 0) {
      SUPPLE_TRY(SymbolicFactor symbolic, reduction::analyse(*m_matrices.stiffness.graph));
      SUPPLE_TRY(const auto factor, Cholesky<double>::factorise(
                                        std::make_shared<const SymbolicFactor>(std::move(symbolic)),
                                        m_matrices.stiffness, nullptr, 0));
      SUPPLE_TRY_VOID(measure_compliance(*factor));
    }
    return pairs;
  }

  /// Single precision first: as an approximate inverse it is just as good and twice as fast. A
  /// matrix too ill-conditioned for that gets a factor in double precision.
  Result<EigenPairs> factorise() {
    auto pairs = with_factor<float>();
    if (pairs.ok() || pairs.error().code() != ErrorCode::NotConverged) return pairs;
    log::info("single precision was not enough ({}); using double", pairs.error().message());
    return with_factor<double>();
  }

  template <class Scalar>
  Result<EigenPairs> with_factor() {
    SUPPLE_TRY(const auto factor, Cholesky<Scalar>::factorise(m_symbolic, m_matrices.stiffness,
                                                              &m_matrices.mass, m_shift));
    MultiVector smooth = smooth_vectors(*factor);
    const double error = inverse_error(*factor, smooth);
    log::debug("the factor's error on smooth vectors is {:.1e}", error);
    if (!(error < kFactorError)) {
      return not_converged(
          std::isfinite(error)
              ? fmt::format("the factor of the stiffness matrix has a relative error of {:.1e}; "
                            "check the mesh for slivers and the materials for moduli that differ "
                            "by many orders of magnitude",
                            error)
              : std::string("the stiffness matrix cannot be factorised: its entries overflow or "
                            "differ by too many orders of magnitude; check units, moduli and the "
                            "mesh"));
    }
    lap("factorising");
    m_method = sizeof(Scalar) == sizeof(float) ? "direct, single-precision factor"
                                               : "direct, double-precision factor";
    reduction::EigenProblem problem_here = problem(*factor);
    problem_here.guess = std::move(smooth);
    reduction::EigenSettings settings = eigen_settings();
    if constexpr (sizeof(Scalar) == sizeof(double)) {
      const double reachable = std::min(kRounding * error, kLeastAccuracy);
      settings.tolerance = std::max(settings.tolerance, reachable);
    }
    auto pairs = lowest_modes(problem_here, settings);
    lap("iterating");
    SUPPLE_TRY_VOID(measure_compliance(*factor));
    return pairs;
  }

  /// Conjugate gradients on K x = M Gamma, all six at once; a factor needs a handful of steps.
  Result<void> measure_compliance(const reduction::LinearOperator& inverse) {
    if (!m_settings.compliance || m_rigid.cols() > 0) return {};
    constexpr double kEnough =
        1e-6;  // relative to the energy; the shares are printed with four digits
    constexpr int kMostSteps = 300;
    MultiVector residual;
    m_matrices.mass.apply(unit_rigid_motions(m_model, m_matrices), residual);
    const MultiVector load = residual;
    MultiVector x = MultiVector::Zero(load.rows(), load.cols());
    MultiVector z;
    inverse.apply(residual, z);
    MultiVector direction = z;
    Eigen::RowVectorXd rz = (residual.cwiseProduct(z)).colwise().sum();
    const Eigen::RowVectorXd first = rz;
    for (int step = 0; (rz.array() > kEnough * kEnough * first.array()).any(); ++step) {
      if (step == kMostSteps) return not_converged("the static response did not converge");
      m_matrices.stiffness.apply(direction, z);
      const Eigen::RowVectorXd curvature = direction.cwiseProduct(z).colwise().sum();
      const Eigen::RowVectorXd length =
          (curvature.array() > 0).select(rz.array() / curvature.array(), 0.0);
      x += direction * length.asDiagonal();
      residual -= z * length.asDiagonal();
      inverse.apply(residual, z);
      const Eigen::RowVectorXd next = residual.cwiseProduct(z).colwise().sum();
      const Eigen::RowVectorXd turn = (rz.array() > 0).select(next.array() / rz.array(), 0.0);
      direction = z + direction * turn.asDiagonal();
      rz = next;
    }
    m_compliance = load.cwiseProduct(x).colwise().sum().transpose();
    lap("static response");
    return {};
  }

  /// T M noise: rich in the lowest modes, so also a good initial guess.
  [[nodiscard]] MultiVector smooth_vectors(const reduction::LinearOperator& inverse) const {
    MultiVector noise(static_cast<Eigen::Index>(3 * m_matrices.free_nodes.size()), kSmoothVectors);
    Random random(11);
    for (Eigen::Index i = 0; i < noise.size(); ++i) noise.data()[i] = random.uniform(-1, 1);
    MultiVector product;
    m_matrices.mass.apply(noise, product);
    product /= product.norm();  // keeps single precision in its range
    inverse.apply(product, noise);
    return noise;
  }

  /// |x - T (K + shift M) x| / |x| for smooth x, where an ill-conditioned factor goes wrong first.
  [[nodiscard]] double inverse_error(const reduction::LinearOperator& inverse,
                                     const MultiVector& x) const {
    MultiVector product;
    m_matrices.stiffness.apply(x, product);
    if (m_shift != 0) {
      MultiVector shifted;
      m_matrices.mass.apply(x, shifted);
      product += m_shift * shifted;
    }
    MultiVector again;
    inverse.apply(product, again);
    return (again - x).norm() / x.norm();
  }

  Result<EigenPairs> iterate() {
    SUPPLE_TRY(const auto cycle, PMultigrid::create(m_model, m_matrices, m_shift));
    lap("factorising");
    m_method = "iterative, two-level multigrid";
    // A rough inverse improves each pair by about the same factor, so process all at once and read
    // K once for all of them.
    reduction::EigenSettings settings = eigen_settings();
    settings.block = std::min(32, (m_settings.count + 11) / 8 * 8);
    auto pairs = lowest_modes(problem(*cycle), settings);
    lap("iterating");
    SUPPLE_TRY_VOID(measure_compliance(*cycle));
    return pairs;
  }

  Result<SolidModes> report(const EigenPairs& pairs) {
    SolidModes modes;
    modes.omega_squared = pairs.values;
    modes.rigid_modes = static_cast<int>(m_rigid.cols());
    modes.free_dofs = m_matrices.free_dofs();
    modes.residual_max = pairs.residuals.maxCoeff();
    modes.iterations = pairs.iterations;
    modes.method = m_method;
    const auto nodes = static_cast<Eigen::Index>(m_model.mesh.nodes.size());
    modes.shapes = Eigen::MatrixXd::Zero(3 * nodes, pairs.vectors.cols());
    for (std::size_t row = 0; row < m_matrices.free_nodes.size(); ++row) {
      modes.shapes.middleRows<3>(3 * Eigen::Index{m_matrices.free_nodes[row]}) =
          pairs.vectors.middleRows<3>(static_cast<Eigen::Index>(3 * row));
    }
    MultiVector mass_times;
    m_matrices.mass.apply(unit_rigid_motions(m_model, m_matrices), mass_times);
    modes.participation = reduction::inner_products(pairs.vectors, mass_times);
    modes.compliance = std::move(m_compliance);
    lap("reporting");
    modes.seconds = std::move(m_seconds);
    return modes;
  }

  void lap(const char* stage) { m_seconds.emplace_back(stage, m_watch.lap()); }

  const SolidModel& m_model;
  const ModalSettings& m_settings;
  SolidMatrices m_matrices;
  std::shared_ptr<const SymbolicFactor> m_symbolic;
  MultiVector m_rigid;
  double m_shift = 0;
  Eigen::VectorXd m_compliance;
  std::string m_method;
  Stopwatch m_watch;
  std::vector<std::pair<std::string, double>> m_seconds;
};

}  // namespace

Result<void> ModalSettings::validate() const {
  if (count < 1) return bad_input(fmt::format("{} modes requested; request at least one", count));
  if (!(tolerance > 0 && tolerance < 1)) {
    return bad_input(fmt::format("tolerance {} is not between 0 and 1", tolerance));
  }
  return {};
}

Eigen::VectorXd SolidModes::frequencies_hz() const {
  return omega_squared.cwiseMax(0).cwiseSqrt() / (2 * std::numbers::pi);
}

Result<SolidModes> solve_modes(const SolidModel& model, const ModalSettings& settings) {
  return ModalAnalysis(model, settings).run();
}

}  // namespace supple::fem
