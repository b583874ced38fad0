// SPDX-License-Identifier: Apache-2.0
#include "shell/force_points.hpp"

#include "shell/largest_vector.hpp"
#include "shell/levers.hpp"
#include "shell/nonnegative.hpp"
#include "shell/warping.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/cross_matrix.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace supple::shell {
namespace {

using geometry::Index;
using geometry::Vec3;

constexpr std::size_t kAllBelow = 256;  ///< nodes: using all of them costs no more than choosing
constexpr std::size_t kDefaultPoints = 96;  ///< at most
constexpr std::size_t kLeastPoints = 48;  ///< fewer would do for inertia, but sample wind coarsely
constexpr std::size_t kCandidates =
    2048;  ///< the best of this many nodes are as good as the best of all
constexpr std::uint64_t kSeed = 0x5e11;
constexpr double kGoodFit = 0.002;       ///< more points than this requires would only cost time
constexpr double kFurthestSample = 1.5;  ///< largest turn of a sample, relative to follow_turn
constexpr Eigen::Index kTestSamples = 48;
constexpr double kRestWeight =
    0.1;                           ///< weight of forces at rest relative to those on turned shells
constexpr double kLeverRest = 10;  ///< weight of levers at rest relative to those on turned shells
constexpr double kLeverRidge = 1e-8;  ///< penalty on changes of levers, relative to their lengths
constexpr double kGoodError = 0.01;   ///< error of the forces; add points if the levers exceed it
constexpr double kTiny = 1e-300;

/// A state of the modes and a field of accelerations a + alpha x r.
struct Sample {
  Eigen::VectorXd q;
  Vec3 a, alpha;
};

class Chooser {
 public:
  Chooser(const fem::DiscreteShell& shell, const ShellObject& object)
      : m_shell(shell), m_object(object), m_modes(static_cast<Eigen::Index>(object.modes.size())) {
    m_weights.resize(m_modes);
    for (Eigen::Index k = 0; k < m_modes; ++k) m_weights(k) = 1 / object.modes[k].omega;
    for (Eigen::Index i = 0; i < shell.masses().size(); ++i) {
      const bool moves = object.displacements.middleRows<3>(3 * i).cwiseAbs().maxCoeff() > 0;
      if (moves && shell.masses()(i) > 0) m_moving.push_back(static_cast<Index>(i));
      m_reach = std::max(m_reach, shell.rest().segment<3>(3 * i).norm());
      m_centre += shell.masses()(i) / object.mass * shell.rest().segment<3>(3 * i);
    }
  }

  ForcePoints run(std::size_t wanted) {
    const std::size_t most = wanted > 0                     ? wanted
                             : m_moving.size() <= kAllBelow ? kAllBelow
                                                            : kDefaultPoints;
    ForcePoints result;
    if (m_moving.size() <= most) {
      result.points.reserve(m_moving.size());
      for (const Index node : m_moving) {
        result.points.push_back(
            {node, m_shell.masses()(node), m_object.levers.col(node), Vec3::Zero()});
      }
      share_area(result.points);
    } else {
      // Each mode gives an equation per sample; a few times more equations than points.
      const Eigen::Index training =
          std::clamp<Eigen::Index>(static_cast<Eigen::Index>(3 * most) / m_modes + 1, 24, 400);
      result.points = fit(draw_samples(training, 0), most);
      spread_levers(wanted > 0 ? wanted : kLeastPoints, training, result);
      if (wanted == 0 && result.error > kGoodError) spread_levers(most, training, result);
    }
    return result;
  }

 private:
  [[nodiscard]] std::vector<Sample> draw_samples(Eigen::Index count, std::uint64_t stream) const {
    Random random(kSeed, stream);
    const auto vector = [&] {
      Vec3 v;
      do {
        for (int k = 0; k < 3; ++k) v(k) = random.uniform(-1, 1);
      } while (v.squaredNorm() > 1 || v.squaredNorm() < 1e-4);
      return Vec3(v.normalized());
    };
    std::vector<Sample> samples(static_cast<std::size_t>(count));
    for (Sample& s : samples) {
      s.a = vector();
      s.alpha = vector() * random.uniform(0, 1) / std::max(m_reach, kTiny);
      // Shapes caused by loads, and shapes of motion that involve all modes.
      const Vec3 load = vector();
      const bool loaded = random.uniform() < 0.5;
      s.q.resize(m_modes);
      for (Eigen::Index k = 0; k < m_modes; ++k) {
        const soft::Vibration& mode = m_object.modes[k];
        const Vec3 transfer(mode.transfer[3], mode.transfer[4], mode.transfer[5]);
        const double fluctuation = random.uniform(-1, 1);
        s.q(k) = loaded ? transfer.dot(load) * (1 + 0.3 * fluctuation) / (mode.omega * mode.omega)
                        : fluctuation / mode.omega;
      }
      scale_turn(s.q, random.uniform(0.1, kFurthestSample) * m_object.follow_turn);
    }
    return samples;
  }

  void scale_turn(Eigen::VectorXd& q, double turn) const {
    const double most = largest_vector(m_object.turns * q);
    if (most > 0) q *= turn / most;
  }

  /// (R_i^T - I) a_i of all nodes; only the difference from the centre of mass if `apart`.
  [[nodiscard]] Eigen::VectorXd changes(const Sample& s, bool apart = false) const {
    const Eigen::VectorXd turns = m_object.turns * s.q;
    Eigen::VectorXd result(turns.size());
    for (Eigen::Index row = 0; row < turns.size(); row += 3) {
      const Vec3 w = turns.segment<3>(row);
      const Vec3 r = m_shell.rest().segment<3>(row);
      const Vec3 a = apart ? s.alpha.cross(r - m_centre) : Vec3(s.a + s.alpha.cross(r));
      const WarpFactors factors = warp_factors(w.norm());
      const Vec3 cross = w.cross(a);
      result.segment<3>(row) = factors.b * w.cross(cross) - factors.a * cross;
    }
    return result;
  }

  /// The scaled modal contribution of a kilogram at a node.
  [[nodiscard]] Eigen::VectorXd correction(const Eigen::VectorXd& changes, Index node) const {
    const Eigen::Index row = 3 * Eigen::Index{node};
    return (m_object.displacements.middleRows<3>(row).transpose() * changes.segment<3>(row))
        .cwiseProduct(m_weights);
  }

  /// The contribution of all nodes.
  [[nodiscard]] Eigen::VectorXd exact(const Eigen::VectorXd& changes) const {
    Eigen::VectorXd weighed(changes.size());
    for (Eigen::Index i = 0; i < m_shell.masses().size(); ++i) {
      weighed.segment<3>(3 * i) = m_shell.masses()(i) * changes.segment<3>(3 * i);
    }
    return (m_object.displacements.transpose() * weighed).cwiseProduct(m_weights);
  }

  /// The modal force before any turn: -H [alpha; a].
  [[nodiscard]] Eigen::VectorXd at_rest(const Sample& s) const {
    Eigen::VectorXd f(m_modes);
    for (Eigen::Index k = 0; k < m_modes; ++k) {
      const auto& h = m_object.modes[k].transfer;
      f(k) = -(Vec3(h[0], h[1], h[2]).dot(s.alpha) + Vec3(h[3], h[4], h[5]).dot(s.a));
    }
    return f.cwiseProduct(m_weights);
  }

  [[nodiscard]] std::vector<Index> candidates() const {
    std::vector<Index> nodes = m_moving;
    if (nodes.size() <= kCandidates) return nodes;
    Random random(kSeed, 3);
    for (std::size_t i = 0; i < kCandidates; ++i) {
      std::swap(nodes[i], nodes[i + random.below(nodes.size() - i)]);
    }
    nodes.resize(kCandidates);
    return nodes;
  }

  [[nodiscard]] std::vector<Point> fit(const std::vector<Sample>& samples, std::size_t most) const {
    const std::vector<Index> nodes = candidates();
    const auto count = static_cast<Eigen::Index>(samples.size());
    const Eigen::Index rows = m_modes * count;
    Eigen::MatrixXd a(rows + 6 * m_modes + 1, static_cast<Eigen::Index>(nodes.size()));
    Eigen::VectorXd b(a.rows());
    parallel_for(samples.size(), 1, [&](std::size_t s) {
      const Eigen::VectorXd change = changes(samples[s]);
      const Eigen::VectorXd target = exact(change);
      // Samples have equal weight regardless of their size.
      const double size = (target + at_rest(samples[s])).norm();
      const double scale = size > 0 ? 1 / size : 0;
      const Eigen::Index row = static_cast<Eigen::Index>(s) * m_modes;
      b.segment(row, m_modes) = scale * target;
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        a.block(row, static_cast<Eigen::Index>(j), m_modes, 1) =
            scale * correction(change, nodes[j]);
      }
    });
    add_rest_rows(nodes, rows, kRestWeight * std::sqrt(static_cast<double>(count)), a, b);
    // Our tolerance is relative to f, the fit's to its right-hand side.
    const double tolerance = kGoodFit * std::sqrt(static_cast<double>(count)) / b.norm();
    const NonnegativeFit weights = fit_nonnegative(a, b, most, tolerance);
    std::vector<Point> points;
    points.reserve(weights.columns.size());
    for (std::size_t i = 0; i < weights.columns.size(); ++i) {
      points.push_back({nodes[weights.columns[i]], weights.weights[i], Vec3::Zero(), Vec3::Zero()});
    }
    return points;
  }

  /// The player has H for forces at rest. The caller's force fields act only through the points, so
  /// these should represent the whole mass and respond to accelerations at rest nearly as H does.
  void add_rest_rows(const std::vector<Index>& nodes, Eigen::Index row, double weight,
                     Eigen::MatrixXd& a, Eigen::VectorXd& b) const {
    std::array<Sample, 6> units;
    for (int axis = 0; axis < 3; ++axis) {
      units[axis] = {{}, Vec3::Unit(axis), Vec3::Zero()};
      units[3 + axis] = {{}, Vec3::Zero(), Vec3::Unit(axis) / std::max(m_reach, kTiny)};
    }
    double mass = 0;
    for (const Index node : m_moving) mass += m_shell.masses()(node);
    // An upper bound on the effect of uniform accelerations; a free shell's modes do not feel them
    // at all.
    double largest = 0.1 * std::sqrt(mass) * m_weights.maxCoeff();
    for (const Sample& unit : units) largest = std::max(largest, at_rest(unit).norm());
    for (const Sample& unit : units) {
      b.segment(row, m_modes) = weight / largest * at_rest(unit);
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        const Eigen::Index node = 3 * Eigen::Index{nodes[j]};
        const Vec3 field = unit.a + unit.alpha.cross(Vec3(m_shell.rest().segment<3>(node)));
        a.block(row, static_cast<Eigen::Index>(j), m_modes, 1) =
            weight / largest *
            (m_object.displacements.middleRows<3>(node).transpose() * field)
                .cwiseProduct(m_weights);
      }
      row += m_modes;
    }
    b(row) = weight;
    a.row(row).setConstant(weight / mass);
  }

  /// Adds massless points far from the others, one by one, until there are `count`: wind must be
  /// sampled everywhere, although inertia is already covered.
  void spread(std::vector<Point>& points, std::size_t count) const {
    const auto& x = m_shell.model().mesh.positions;
    std::vector<double> away(m_moving.size(), std::numeric_limits<double>::infinity());
    std::size_t seen = 0;
    for (;;) {
      for (; seen < points.size(); ++seen) {
        for (std::size_t i = 0; i < m_moving.size(); ++i) {
          away[i] = std::min(away[i], (x[m_moving[i]] - x[points[seen].node]).squaredNorm());
        }
      }
      if (points.size() >= count) break;
      const auto furthest = std::max_element(away.begin(), away.end());
      if (!(*furthest > 0)) break;
      points.push_back({m_moving[furthest - away.begin()], 0, Vec3::Zero(), Vec3::Zero()});
    }
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.node < b.node; });
  }

  /// The scaled modal contribution of levers at some nodes as they turn.
  [[nodiscard]] Eigen::VectorXd moments(const Sample& s, const std::vector<Point>& points) const {
    Eigen::VectorXd f = Eigen::VectorXd::Zero(m_modes);
    const Vec3 a = s.a + s.alpha.cross(m_centre);
    for (const Point& point : points) {
      const auto psi = m_object.turns.middleRows<3>(3 * Eigen::Index{point.node});
      f += psi.transpose() * moment_change(psi * s.q, point.lever, a);
    }
    return f.cwiseProduct(m_weights);
  }

  [[nodiscard]] Eigen::VectorXd all_moments(const Sample& s) const {
    std::vector<Point> all;
    all.reserve(m_moving.size());
    for (const Index node : m_moving) {
      all.push_back({node, 0, m_object.levers.col(node), Vec3::Zero()});
    }
    return moments(s, all);
  }

  /// Levers of the points, starting from those of the nodes around them: least squares over
  /// samples, weighted towards the state at rest, with the least change relative to their lengths.
  void fit_levers(const std::vector<Sample>& samples, std::vector<Point>& points) const {
    const auto count = static_cast<Eigen::Index>(3 * points.size());
    Eigen::VectorXd lengths(count);
    for (std::size_t p = 0; p < points.size(); ++p) {
      lengths.segment<3>(3 * static_cast<Eigen::Index>(p)).setConstant(points[p].lever.norm());
    }
    if (!(lengths.maxCoeff() > 0)) return;
    const Eigen::Index rows = m_modes * static_cast<Eigen::Index>(samples.size());
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(rows + 3 * m_modes, count);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(a.rows());
    parallel_for(samples.size(), 1, [&](std::size_t s) {
      const Eigen::VectorXd target = all_moments(samples[s]);
      const double size = (target + at_rest(samples[s])).norm();
      const double scale = size > 0 ? 1 / size : 0;
      const Eigen::Index row = static_cast<Eigen::Index>(s) * m_modes;
      b.segment(row, m_modes) = scale * (target - moments(samples[s], points));
      const Vec3 field = samples[s].a + samples[s].alpha.cross(m_centre);
      for (std::size_t p = 0; p < points.size(); ++p) {
        const auto psi = m_object.turns.middleRows<3>(3 * Eigen::Index{points[p].node});
        const Vec3 w = psi * samples[s].q;
        for (int axis = 0; axis < 3; ++axis) {
          const auto column = static_cast<Eigen::Index>(3 * p) + axis;
          a.block(row, column, m_modes, 1) =
              scale * lengths(column) *
              (psi.transpose() * moment_change(w, Vec3::Unit(axis), field)).cwiseProduct(m_weights);
        }
      }
    });
    add_lever_rest(points, lengths, rows, std::sqrt(static_cast<double>(samples.size())), a, b);
    Eigen::MatrixXd normal = a.transpose() * a;
    normal.diagonal().array() += kLeverRidge * normal.diagonal().maxCoeff();
    const Eigen::VectorXd change = normal.ldlt().solve(a.transpose() * b);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto at = static_cast<Eigen::Index>(3 * p);
      points[p].lever += lengths(at) * change.segment<3>(at);
    }
  }

  /// sum Psi x c over the points must equal the sum over all nodes.
  void add_lever_rest(const std::vector<Point>& points, const Eigen::VectorXd& lengths,
                      Eigen::Index row, double weight, Eigen::MatrixXd& a,
                      Eigen::VectorXd& b) const {
    double largest = kTiny;
    for (Eigen::Index k = 0; k < m_modes; ++k) {
      const auto& h = m_object.modes[k].transfer;
      largest = std::max(largest, m_weights(k) * Vec3(h[3], h[4], h[5]).norm());
    }
    const double scale = kLeverRest * weight / largest;
    for (Eigen::Index k = 0; k < m_modes; ++k, row += 3) {
      const double size = scale * m_weights(k);
      for (const Index node : m_moving) {
        const Vec3 turn = m_object.turns.block<3, 1>(3 * Eigen::Index{node}, k);
        b.segment<3>(row) += size * turn.cross(Vec3(m_object.levers.col(node)));
      }
      for (std::size_t p = 0; p < points.size(); ++p) {
        const Vec3 turn = m_object.turns.block<3, 1>(3 * Eigen::Index{points[p].node}, k);
        const auto at = static_cast<Eigen::Index>(3 * p);
        b.segment<3>(row) -= size * turn.cross(points[p].lever);
        a.block<3, 3>(row, at) = size * lengths(at) * geometry::cross_matrix(turn);
      }
    }
  }

  [[nodiscard]] double error_of(const std::vector<Point>& points,
                                const std::vector<Sample>& samples) const {
    double wrong = 0;
    double all = 0;
    for (const Sample& sample : samples) {
      const Eigen::VectorXd change = changes(sample, true);
      Eigen::VectorXd sum = moments(sample, points);
      for (const Point& point : points) sum += point.mass * correction(change, point.node);
      const Eigen::VectorXd target = all_moments(sample) + exact(change);
      wrong += (sum - target).squaredNorm();
      all += (target + at_rest(sample)).squaredNorm();
    }
    return all > 0 ? std::sqrt(wrong / all) : 0;
  }

  /// Points for wind and levers in addition to those chosen for their masses.
  void spread_levers(std::size_t count, Eigen::Index training, ForcePoints& result) const {
    for (Point& point : result.points) point.lever = point.area_vector = Vec3::Zero();
    spread(result.points, count);
    share_area(result.points);
    fit_levers(draw_samples(3 * training, 2), result.points);  // three unknowns per point
    result.error = error_of(result.points, draw_samples(kTestSamples, 1));
  }

  /// Every moving node's area and lever go to the nearest point; fixed nodes feel no wind.
  void share_area(std::vector<Point>& points) const {
    if (points.empty()) return;
    const geometry::TriMesh& mesh = m_shell.model().mesh;
    std::vector<Vec3> area(mesh.positions.size(), Vec3::Zero());
    for (const geometry::Triangle& corner : mesh.triangles) {
      const Vec3& x = mesh.positions[corner[0]];
      const Vec3 third = (mesh.positions[corner[1]] - x).cross(mesh.positions[corner[2]] - x) / 6;
      for (const Index node : corner) area[node] += third;
    }
    std::vector<std::size_t> nearest(m_moving.size());
    const bool all = points.size() == m_moving.size();
    parallel_for(m_moving.size(), 256, [&](std::size_t i) {
      nearest[i] = i;
      if (all) return;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t p = 0; p < points.size(); ++p) {
        const double away =
            (mesh.positions[points[p].node] - mesh.positions[m_moving[i]]).squaredNorm();
        if (away < least) {
          least = away;
          nearest[i] = p;
        }
      }
    });
    for (std::size_t i = 0; i < m_moving.size(); ++i) {
      points[nearest[i]].area_vector += area[m_moving[i]];
      if (!all) points[nearest[i]].lever += m_object.levers.col(m_moving[i]);
    }
  }

  const fem::DiscreteShell& m_shell;
  const ShellObject& m_object;
  Eigen::Index m_modes;
  Eigen::VectorXd m_weights;     // per mode: 1 / omega
  std::vector<Index> m_moving;   // nodes moved by at least one mode
  double m_reach = 0;            // metres from the frame's origin
  Vec3 m_centre = Vec3::Zero();  // of mass
};

}  // namespace

ForcePoints choose_points(const fem::DiscreteShell& shell, const ShellObject& object,
                          std::size_t wanted) {
  return Chooser(shell, object).run(wanted);
}

}  // namespace supple::shell
