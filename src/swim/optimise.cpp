// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/optimise.hpp"

#include "swim/cma_es.hpp"
#include "swim/optimise_key.hpp"
#include "swim/stroke_variables.hpp"
#include "swim/swim_trial.hpp"

#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

namespace supple::swim {
namespace {

constexpr std::size_t kMostGenerations = 10'000'000;
constexpr std::size_t kMostGuesses = 100'000;
/// An angle variable of 1 means this many degrees; see stroke_variables.cpp.
constexpr double kVariableDegrees = 15;
/// Worse than any swim.
constexpr double kBlownUp = 1e6;
constexpr std::string_view kStateHead = "supple search of a stroke 2";
constexpr std::size_t kMostStateBytes = std::size_t{1} << 30;

/// Weights of the penalties against a metre per second.
constexpr double kBeyondLimits = 0.05;
constexpr double kStrangeness = 0.05;
constexpr double kSaturation = 0.5;
constexpr double kPower = 2;
constexpr double kAskew = 4;
constexpr double kDrift = 0.7;
constexpr double kSpin = 2;
constexpr double kDepth = 3;
constexpr double kHeadHigh = 5;
constexpr double kUneven = 4;
constexpr double kRate = 3;
/// Tolerated angles, and the greatest depth of the head's centre at which it can breathe.
constexpr double kStraightEnough = 6 * kDegree;
constexpr double kUprightEnough = 10 * kDegree;
constexpr double kHeadDepth = 0.15;

double square(double x) {
  return x * x;
}

double beyond(double value, double allowed) {
  return std::max(0.0, value - allowed);
}

double outside(double value, const std::optional<WantedRange>& range) {
  return range ? std::max({0.0, range->low - value, value - range->high}) : 0;
}

bool is_joint(std::string_view full, std::string_view asked) {
  for (const std::string_view side : {"right_", "left_"}) {
    if (full.starts_with(side) && full.substr(side.size()) == asked) return true;
  }
  return full == asked;
}

/// The body with the limits of the search.
Body narrowed(Body body, const std::vector<JointRange>& ranges) {
  for (Joint& joint : body.joints) {
    for (const JointRange& range : ranges) {
      if (!is_joint(joint.name, range.joint)) continue;
      joint.low = std::clamp(range.angles.low, joint.low, joint.high);
      joint.high = std::clamp(range.angles.high, joint.low, joint.high);
    }
  }
  return body;
}

/// Everything that a candidate's cost depends on, except the candidate.
class Judge {
 public:
  Judge(const PoseGraph& stroke, const Body& body, const WaterSettings& water,
        const StartState& start, const OptimiseSettings& settings)
      : m_body(&body),
        m_water(&water),
        m_start(&start),
        m_settings(&settings),
        m_variables(
            stroke, narrowed(body, settings.within),
            settings.goal == OptimiseFor::Turn ? Symmetry::None : find_symmetry(stroke, body)) {}

  [[nodiscard]] const StrokeVariables& variables() const { return m_variables; }

  [[nodiscard]] double cost(const Eigen::VectorXd& x) const { return cost(m_variables.at(x), x); }

  /// Cost of a stroke that equals the one at `x` up to rounding.
  [[nodiscard]] double cost(const PoseGraph& stroke, const Eigen::VectorXd& x) const {
    StartState start = *m_start;
    start.angles = stroke.poses[stroke.start].angles;
    const auto trial =
        try_swim(stroke, *m_body, *m_water, start, m_settings->run_seconds, m_settings->step);
    if (!trial.ok()) return kBlownUp;
    return goal(*trial) + penalty(*trial) + kBeyondLimits * m_variables.beyond_limits(x) +
           kStrangeness * m_variables.strangeness(x);
  }

 private:
  [[nodiscard]] double goal(const SwimTrial& trial) const {
    const double speed = trial.velocity.x();
    switch (m_settings->goal) {
      case OptimiseFor::Speed:
        return -speed;
      case OptimiseFor::Stay:
        return kHeadHigh * trial.head_depth + trial.velocity.norm();
      case OptimiseFor::Turn:
        return -trial.spin.y();
      case OptimiseFor::Efficiency:
        break;
    }
    const auto drag = glide_drag(*m_body, *m_water, std::abs(speed));
    const double towing = drag.ok() ? *drag * speed : 0;
    return -5 * towing / std::max(trial.power, 1.0);
  }

  [[nodiscard]] double penalty(const SwimTrial& trial) const {
    const double excess = beyond(trial.power / m_settings->power_limit, 1);
    double sum = kPower * (excess + square(excess)) + kSaturation * trial.saturated +
                 kAskew * square(beyond(trial.rolled_over, kUprightEnough));
    if (m_water->surface) sum += kDepth * square(beyond(trial.head_depth, kHeadDepth));
    sum += kDrift * std::abs(trial.velocity.y());
    // Near rest the variation is arbitrary: the swimmer must make headway first.
    sum += kUneven * std::min(1.0, outside(trial.speed_variation, m_settings->speed_variation));
    if (const auto& rate = m_settings->strokes_per_min) {
      sum += kRate * outside(trial.strokes_per_min, rate) / rate->high;
    }
    if (m_settings->goal == OptimiseFor::Turn) return sum;
    return sum + kAskew * square(beyond(trial.askew, kStraightEnough)) +
           kDrift * std::abs(trial.velocity.z()) + kSpin * trial.spin.norm();
  }

  const Body* m_body;
  const WaterSettings* m_water;
  const StartState* m_start;
  const OptimiseSettings* m_settings;
  StrokeVariables m_variables;
};

/// The search and its best result so far.
struct StrokeSearch {
  CmaEs strategy;
  Eigen::VectorXd best;
  double best_cost;
};

std::string state_text(const StrokeSearch& search, const std::string& key) {
  std::string text = fmt::format("{}\n{}\n{}", kStateHead, key, search.best_cost);
  for (const double value : search.best) text += fmt::format(" {}", value);
  return text + "\n" + search.strategy.save();
}

Result<StrokeSearch> read_state(std::string_view text, const std::string& key,
                                Eigen::Index variables, const std::filesystem::path& file) {
  const auto damaged = [&] {
    return bad_input(
               "this is not the state of a search, or it is damaged; remove it to start again")
        .at(file.string());
  };
  const auto take_line = [&]() -> std::string_view {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  if (take_line() != kStateHead) return damaged();
  if (take_line() != key) {
    return bad_input(
               "this state belongs to a search with another stroke, body, water or settings; name "
               "another file or remove it")
        .at(file.string());
  }
  std::string_view line = take_line();
  Eigen::VectorXd numbers(variables + 1);
  for (double& number : numbers) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return damaged();
    line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
  }
  auto strategy = CmaEs::restore(text);
  if (!strategy.ok() || strategy->mean().size() != variables) return damaged();
  return StrokeSearch{*std::move(strategy), numbers.tail(variables), numbers[0]};
}

Result<StrokeSearch> begin_search(const Judge& judge, double first_cost, const std::string& key,
                                  const OptimiseSettings& settings) {
  const Eigen::Index variables = judge.variables().count();
  if (!settings.state_file.empty() && std::filesystem::exists(settings.state_file)) {
    SUPPLE_TRY(const Bytes bytes, read_file(settings.state_file, kMostStateBytes));
    return read_state(as_text(bytes), key, variables, settings.state_file);
  }
  const Eigen::VectorXd given = Eigen::VectorXd::Zero(variables);
  return StrokeSearch{
      CmaEs(given, settings.spread_deg / kVariableDegrees, settings.population, settings.seed),
      given, first_cost};
}

void run_generation(StrokeSearch& search, const Judge& judge) {
  const std::vector<Eigen::VectorXd> candidates = search.strategy.ask();
  std::vector<double> costs(candidates.size());
  parallel_for(candidates.size(), 1, [&](std::size_t i) { costs[i] = judge.cost(candidates[i]); });
  const auto best = std::ranges::min_element(costs);
  if (*best < search.best_cost) {
    search.best_cost = *best;
    search.best = candidates[static_cast<std::size_t>(best - costs.begin())];
  }
  search.strategy.tell(costs);
}

/// Rounded as a person would write it.
PoseGraph tidied(PoseGraph stroke, const Body& body) {
  for (Pose& pose : stroke.poses) {
    for (std::size_t j = 0; j < pose.angles.size(); ++j) {
      const double degrees = std::round(pose.angles[j] / kDegree * 10) / 10;
      pose.angles[j] = std::clamp(degrees * kDegree, body.joints[j].low, body.joints[j].high);
    }
    pose.duration = std::max(0.001, std::round(pose.duration * 1000) / 1000);
    pose.blend = std::min(std::round(pose.blend * 1000) / 1000, pose.duration);
  }
  return stroke;
}

}  // namespace

Result<void> OptimiseSettings::validate() const {
  const auto positive = [](const char* name, double value) -> Result<void> {
    if (value > 0 && std::isfinite(value)) return {};
    return bad_input(fmt::format("{} is {}; it must be positive", name, value));
  };
  SUPPLE_TRY_VOID(positive("the power limit (W)", power_limit));
  SUPPLE_TRY_VOID(positive("the spread of angles (degrees)", spread_deg));
  SUPPLE_TRY_VOID(positive("the time of a candidate's swim (s)", run_seconds));
  SUPPLE_TRY_VOID(positive("the time step (s)", step));
  const auto ordered = [](const char* name, const std::optional<WantedRange>& r) -> Result<void> {
    if (!r || (r->low >= 0 && r->high > 0 && r->low <= r->high && std::isfinite(r->high)))
      return {};
    return bad_input(
        fmt::format("{} has the range {} to {}; give a lower and a higher number, neither negative",
                    name, r->low, r->high));
  };
  SUPPLE_TRY_VOID(ordered("the variation of the speed", speed_variation));
  SUPPLE_TRY_VOID(ordered("the number of strokes per minute", strokes_per_min));
  if (generations == 0)
    return bad_input("a search of 0 generations finds nothing; give at least one");
  // Larger values are negative numbers converted to unsigned.
  if (generations > kMostGenerations) {
    return bad_input(fmt::format("the generations must be between 1 and {}", kMostGenerations));
  }
  if (population == 1 || population > kMostGuesses) {
    return bad_input(fmt::format(
        "the population must be between 2 and {} candidates, or 0 for the default", kMostGuesses));
  }
  if (!(seconds >= 0)) {
    return bad_input(
        fmt::format("a search of {} seconds; give 0 for no limit, or a positive time", seconds));
  }
  return {};
}

Result<OptimiseResult> optimise_stroke(const PoseGraph& stroke, const Body& body,
                                       const WaterSettings& water, const StartState& start,
                                       const OptimiseSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY_VOID(stroke.validate(body));
  for (const JointRange& range : settings.within) {
    const auto known = std::ranges::any_of(
        body.joints, [&](const Joint& joint) { return is_joint(joint.name, range.joint); });
    if (!known) return bad_input(fmt::format("the body has no joint '{}' to limit", range.joint));
  }
  SUPPLE_TRY([[maybe_unused]] const Swimmer floating, Swimmer::create(body, water, start));
  const auto began = std::chrono::steady_clock::now();
  const auto searched = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  const Judge judge(stroke, body, water, start, settings);
  const double first_cost = judge.cost(Eigen::VectorXd::Zero(judge.variables().count()));
  const std::string key = key_of_search(stroke, body, water, start, settings);
  SUPPLE_TRY(StrokeSearch search, begin_search(judge, first_cost, key, settings));
  const auto total = static_cast<double>(settings.generations);
  Progress progress("searching", total);
  while (search.strategy.generation() < settings.generations) {
    if (settings.seconds > 0 && searched() >= settings.seconds) break;
    SUPPLE_TRY_VOID(check_interrupt());
    run_generation(search, judge);
    if (!settings.state_file.empty()) {
      SUPPLE_TRY_VOID(write_file(settings.state_file, state_text(search, key)));
    }
    const double timed = settings.seconds > 0 ? total * searched() / settings.seconds : 0;
    progress.set(std::max(static_cast<double>(search.strategy.generation()), timed));
  }
  if (search.best_cost >= kBlownUp) {
    return not_converged(
        fmt::format("every candidate of stroke '{}' leaves sane bounds; start with a gentler "
                    "stroke or lower gains",
                    stroke.name));
  }
  OptimiseResult result;
  result.graph = tidied(judge.variables().at(search.best), body);
  result.first_cost = first_cost;
  result.cost = judge.cost(result.graph, search.best);
  // The turns were measured on the original stroke.
  for (auto& matrix : result.graph.perturbations) matrix.resize(0, 0);
  result.graph.turn_rates = no_rates();
  result.variables = static_cast<std::size_t>(judge.variables().count());
  result.generations = search.strategy.generation();
  return result;
}

}  // namespace supple::swim
