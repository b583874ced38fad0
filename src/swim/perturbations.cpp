// SPDX-License-Identifier: Apache-2.0
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/units.hpp"
#include "supple/swim/steering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace supple::swim {
namespace {

/// Desired rate at k = 1, rad/s; strokes that cannot reach it get as close as they can.
constexpr double kWantedRate = 20 * kDegree;
/// A perturbation slower than this at k = 1, or with more than this share of other turns, does not
/// count as a turn.
constexpr double kLeastRate = 1.5 * kDegree;
constexpr double kMostOther = 0.7;
/// A turn that at its largest costs more than this share of the speed, and more than this many m/s,
/// stalls the swimmer in a bend.
constexpr double kLostPart = 0.25;
constexpr double kLostSpeed = 0.15;
/// Disturbance of a joint for measuring its effect, and the largest bend at k = 1.
constexpr double kDisturbance = 6 * kDegree;
constexpr double kMostBend = 18 * kDegree;
/// Cycles before and during a measurement: transients decay in about two.
constexpr std::size_t kSettle = 2;
constexpr std::size_t kMeasured = 2;
constexpr double kStep = 1.0 / 60;
/// Weights of the fit: errors of this size count as one.
constexpr double kRateError = 0.5 * kDegree;
constexpr double kSpeedError = 0.02;  ///< m/s
constexpr double kBendCost = 8 * kDegree;
constexpr int kCorrections = 30;
/// The most that a correction bends a joint, at first and at the end of the search.
constexpr double kFirstReach = 4 * kDegree;
constexpr double kLeastReach = 0.05 * kDegree;
/// Smallest share of a joint in a turn, relative to the largest share.
constexpr double kWorthwhile = 0.06;

using Vector4 = Eigen::Vector4d;  ///< turn rates and speed

Vector4 weighted(const TurnMeasurement& m) {
  return {m.rate.x() / kRateError, m.rate.y() / kRateError, m.rate.z() / kRateError,
          m.speed / kSpeedError};
}

/// One number of a perturbation and the bounds that keep k = 2 within the joint's limits.
struct Knob {
  Eigen::Index pose = 0;
  Eigen::Index joint = 0;
  double low = 0;
  double high = 0;
};

std::vector<Knob> knobs_of(const PoseGraph& graph, const Body& body) {
  std::vector<Knob> knobs;
  const std::vector<std::size_t> cycle = graph.cycle();
  knobs.reserve(cycle.size() * body.joints.size());
  for (const std::size_t pose : cycle) {
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      const double angle = graph.poses[pose].angles[j];
      const double low = (body.joints[j].low - angle) / kMostTurn;
      const double high = (body.joints[j].high - angle) / kMostTurn;
      knobs.push_back({static_cast<Eigen::Index>(pose), static_cast<Eigen::Index>(j),
                       std::clamp(low, -kMostBend, 0.0), std::clamp(high, 0.0, kMostBend)});
    }
  }
  return knobs;
}

double sign_of(Turn turn) {
  return turn == Turn::PitchUp || turn == Turn::YawLeft || turn == Turn::RollRight ? 1 : -1;
}

Eigen::Index axis_of(Turn turn) {
  if (turn == Turn::RollLeft || turn == Turn::RollRight) return 0;
  return turn == Turn::YawLeft || turn == Turn::YawRight ? 1 : 2;
}

class BendSearch {
 public:
  BendSearch(PoseGraph graph, const Body& body, const WaterSettings& water, const StartState& start)
      : m_graph(std::move(graph)),
        m_body(body),
        m_water(water),
        m_start(start),
        m_knobs(knobs_of(m_graph, body)) {}

  Result<PoseGraph> run() &&;

 private:
  [[nodiscard]] Eigen::MatrixXd matrix_of(const Eigen::VectorXd& bends) const;
  [[nodiscard]] Result<TurnMeasurement> measure(const Eigen::VectorXd& bends, double k) const;
  [[nodiscard]] Result<void> measure_knobs();
  [[nodiscard]] Eigen::VectorXd fit(const Eigen::MatrixXd& slopes, const Eigen::VectorXd& around,
                                    const Vector4& missing) const;
  [[nodiscard]] Result<Eigen::VectorXd> correct(Turn turn) const;
  [[nodiscard]] bool grows(Turn turn, const Eigen::VectorXd& bends) const;

  PoseGraph m_graph;
  const Body& m_body;
  const WaterSettings& m_water;
  const StartState& m_start;
  std::vector<Knob> m_knobs;
  TurnMeasurement m_straight;
  Eigen::MatrixXd m_slopes;  ///< weighted measurements per radian of a knob
};

Eigen::MatrixXd BendSearch::matrix_of(const Eigen::VectorXd& bends) const {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(m_graph.poses.size()),
                                                 static_cast<Eigen::Index>(m_body.joints.size()));
  for (std::size_t i = 0; i < m_knobs.size(); ++i) {
    matrix(m_knobs[i].pose, m_knobs[i].joint) = bends[static_cast<Eigen::Index>(i)];
  }
  return matrix;
}

Result<TurnMeasurement> BendSearch::measure(const Eigen::VectorXd& bends, double k) const {
  PoseGraph bent = m_graph;
  bent.perturbations.front() = matrix_of(bends);
  return measure_turn(bent, m_body, m_water, m_start, Turn{}, k);
}

Result<void> BendSearch::measure_knobs() {
  const auto count = static_cast<Eigen::Index>(m_knobs.size());
  m_slopes = Eigen::MatrixXd::Zero(4, count);
  Progress progress("disturbing joints", static_cast<double>(count));
  parallel_for(m_knobs.size(), 1, [&](std::size_t i) {
    if (interrupted()) return;
    // Central differences if the limits leave room on both sides; a disturbance that throws the
    // swimmer out of bounds is not used.
    const auto column = static_cast<Eigen::Index>(i);
    Eigen::VectorXd bends = Eigen::VectorXd::Zero(count);
    const double up = std::min(kDisturbance, m_knobs[i].high);
    const double down = std::max(-kDisturbance, m_knobs[i].low);
    if (up - down < 0.1 * kDisturbance) return;
    bends[column] = up;
    const auto above = measure(bends, 1);
    bends[column] = down;
    const auto below = measure(bends, 1);
    if (above.ok() && below.ok()) {
      m_slopes.col(column) = (weighted(*above) - weighted(*below)) / (up - down);
    }
    progress.advance();
  });
  return check_interrupt();
}

/// Bounded least squares, one unknown after the other: bends whose linear response, starting from
/// the result of `around`, supplies the missing turn at the least cost of bending.
Eigen::VectorXd BendSearch::fit(const Eigen::MatrixXd& slopes, const Eigen::VectorXd& around,
                                const Vector4& missing) const {
  constexpr int kRounds = 300;
  constexpr double kCost = 1 / (kBendCost * kBendCost);
  Eigen::VectorXd bends = around;
  Vector4 rest = missing;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < m_knobs.size(); ++i) {
      const auto c = static_cast<Eigen::Index>(i);
      const Vector4 slope = slopes.col(c);
      const double square = slope.squaredNorm();
      const double best = (slope.dot(rest) + square * bends[c]) / (square + kCost);
      const double next = std::clamp(best, m_knobs[i].low, m_knobs[i].high);
      rest -= (next - bends[c]) * slope;
      bends[c] = next;
    }
  }
  return bends;
}

/// Newton's steps with Broyden's corrections of the slopes: the response to a bend of many degrees
/// is not linear, and the turn loses its purity. A step that makes it worse only updates the
/// slopes, and the next one is shorter.
Result<Eigen::VectorXd> BendSearch::correct(Turn turn) const {
  TurnMeasurement wanted = m_straight;
  wanted.rate[axis_of(turn)] += sign_of(turn) * kWantedRate;
  const Vector4 goal = weighted(wanted);
  Eigen::MatrixXd slopes = m_slopes;
  Eigen::VectorXd bends = Eigen::VectorXd::Zero(slopes.cols());
  Vector4 now = weighted(m_straight);
  double reach = kFirstReach;
  for (int i = 0; i < kCorrections && reach > kLeastReach; ++i) {
    SUPPLE_TRY_VOID(check_interrupt());
    Eigen::VectorXd change = fit(slopes, bends, goal - now) - bends;
    if (i == 0) {  // drop negligible bends, so that stroke files stay readable
      const double small = kWorthwhile * change.cwiseAbs().maxCoeff();
      for (Eigen::Index c = 0; c < change.size(); ++c) {
        if (std::abs(change[c]) < small) slopes.col(c).setZero();
      }
      change = fit(slopes, bends, goal - now) - bends;
    }
    change *= std::min(1.0, reach / std::max(change.cwiseAbs().maxCoeff(), 1e-12));
    if (change.squaredNorm() < 1e-12) break;
    const auto measured = measure(bends + change, 1);
    if (!measured.ok()) {
      reach /= 2;
      continue;
    }
    const Vector4 then = weighted(*measured);
    slopes += (then - now - slopes * change) * change.transpose() / change.squaredNorm();
    if ((goal - then).norm() < (goal - now).norm()) {
      bends += change;
      now = then;
      reach = std::min(2 * reach, kMostBend);
    } else {
      reach /= 2;
    }
  }
  return bends;
}

/// [MMY section 4.2]: the motion must change reasonably with k, and still swim.
bool BendSearch::grows(Turn turn, const Eigen::VectorXd& bends) const {
  double last = 0;
  const double lost = std::max(kLostPart * m_straight.speed, kLostSpeed);
  for (const double k : {0.5, 1.0, kMostTurn}) {
    const auto measured = measure(bends, k);
    if (!measured.ok()) return false;
    const double rate = sign_of(turn) * (measured->rate - m_straight.rate)[axis_of(turn)];
    if (rate <= 1.1 * last || m_straight.speed - measured->speed > lost) return false;
    last = rate;
  }
  return true;
}

Result<PoseGraph> BendSearch::run() && {
  m_graph.perturbations = {};
  m_graph.turn_rates.fill(Eigen::Vector3d::Zero());
  auto straight = measure(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_knobs.size())), 0);
  if (!straight.ok()) return std::move(straight).error();
  m_straight = *straight;
  SUPPLE_TRY_VOID(measure_knobs());

  std::array<std::optional<Eigen::VectorXd>, kTurns> found;
  std::array<TurnMeasurement, kTurns> measured;
  Progress progress("combining them", kTurns);
  parallel_for(kTurns, 1, [&](std::size_t i) {
    const auto turn = static_cast<Turn>(i);
    auto bends = correct(turn);
    if (!bends.ok()) return;
    constexpr int kSmaller = 5;
    for (int tries = 0; tries < kSmaller; ++tries) {
      if (grows(turn, *bends)) break;
      *bends *= 0.75;
    }
    const auto answer = measure(*bends, 1);
    if (answer.ok() && grows(turn, *bends)) {
      measured[i] = *answer;
      found[i] = *bends;
    }
    progress.advance();
  });
  SUPPLE_TRY_VOID(check_interrupt());
  const auto worth = [&](std::size_t i) {
    const auto turn = static_cast<Turn>(i);
    const Eigen::Vector3d rate = measured[i].rate - m_straight.rate;
    const double along = sign_of(turn) * rate[axis_of(turn)];
    const double other = std::sqrt(std::max(0.0, rate.squaredNorm() - along * along));
    return found[i] && along >= kLeastRate && other <= kMostOther * along;
  };
  for (std::size_t i = 0; i < kTurns; ++i) {
    const auto name = turn_name(static_cast<Turn>(i));
    // Opposite turns are adjacent; a turn that cannot be undone would lead astray.
    if (!worth(i) || !worth(i ^ 1U)) {
      log::warn("stroke '{}': no {} found; its hinges or the buoyancy may not allow it",
                m_graph.name, name);
      continue;
    }
    const Eigen::Vector3d rate = measured[i].rate - m_straight.rate;
    m_graph.perturbations[i] = matrix_of(*found[i]);
    m_graph.turn_rates[i] = rate;
    log::info("{}: roll {:.1f}, yaw {:.1f}, pitch {:.1f} degrees/s, {:.2f} m/s after {:.2f}", name,
              rate.x() / kDegree, rate.y() / kDegree, rate.z() / kDegree, measured[i].speed,
              m_straight.speed);
  }
  return std::move(m_graph);
}

}  // namespace

Result<TurnMeasurement> measure_turn(const PoseGraph& graph, const Body& body,
                                     const WaterSettings& water, const StartState& start, Turn turn,
                                     double k) {
  SUPPLE_TRY(Swimmer swimmer, Swimmer::create(body, water, start));
  PoseController controller(graph);
  std::array<double, kTurns> turns{};
  turns[static_cast<std::size_t>(turn)] = k;
  // Equal steps, a whole number per cycle, so that rates compare equal phases.
  const double cycle = graph.cycle_seconds();
  const double steps = std::max(1.0, std::ceil(cycle / kStep - 1e-9));
  const double seconds = cycle / steps;
  TurnMeasurement result;
  for (std::size_t c = 0; c < kSettle + kMeasured; ++c) {
    const Eigen::Matrix3d before = trunk_axes(swimmer);
    double way = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(steps); ++i) {
      SUPPLE_TRY_VOID(swimmer.step(controller.advance(swimmer, seconds, turns), seconds));
      way += seconds * swimmer.velocity().dot(trunk_axes(swimmer).col(0));
    }
    if (c < kSettle) continue;
    result.rate += turn_rate(before, trunk_axes(swimmer), cycle) / kMeasured;
    result.speed += way / cycle / kMeasured;
  }
  return result;
}

Result<PoseGraph> find_perturbations(PoseGraph graph, const Body& body, const WaterSettings& water,
                                     const StartState& start) {
  SUPPLE_TRY_VOID(graph.validate(body));
  SUPPLE_TRY_VOID(water.validate());
  const std::string name = graph.name;
  return BendSearch(std::move(graph), body, water, start)
      .run()
      .during(fmt::format("finding the turns of stroke '{}'", name));
}

}  // namespace supple::swim
