// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/flow.hpp"

#include "swim/flow_expression.hpp"

#include "supple/settings/fields.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace supple::swim {
namespace {

constexpr std::array kTimes{0.0, 0.37, 1.0, 7.0, 60.0};

/// Evaluates a field at points around the origin, so that errors appear before the swim.
Result<void> probe(const FlowField& field) {
  for (const double time : kTimes) {
    for (int cell = 0; cell < 125; ++cell) {
      const Eigen::Vector3d at =
          5.0 * Eigen::Vector3i(cell % 5 - 2, cell / 5 % 5 - 2, cell / 25 - 2).cast<double>();
      const Eigen::Vector3d v = field.velocity(at, time);
      if (!v.allFinite()) {
        return bad_input(
            fmt::format("the flow is ({:.4g}, {:.4g}, {:.4g}) m/s at x = {}, y = {}, z = {}, t = "
                        "{}; it must be finite everywhere: keep divisors and the arguments of log "
                        "and sqrt positive, for instance with max(..., 0.01)",
                        v.x(), v.y(), v.z(), at.x(), at.y(), at.z(), time));
      }
    }
  }
  return {};
}

class ExpressionFlow final : public FlowField {
 public:
  explicit ExpressionFlow(std::array<Expression, 3> velocity) : m_velocity(std::move(velocity)) {}
  [[nodiscard]] Eigen::Vector3d velocity(const Eigen::Vector3d& at, double time) const override {
    return {m_velocity[0](at, time), m_velocity[1](at, time), m_velocity[2](at, time)};
  }

 private:
  std::array<Expression, 3> m_velocity;
};

class River final : public FlowField {
 public:
  explicit River(const Eigen::Vector3d& velocity) : m_velocity(velocity) {}
  [[nodiscard]] Eigen::Vector3d velocity(const Eigen::Vector3d& /*at*/,
                                         double /*time*/) const override {
    return m_velocity;
  }

 private:
  Eigen::Vector3d m_velocity;
};

class Vortex final : public FlowField {
 public:
  explicit Vortex(const VortexSettings& settings)
      : m_settings(settings), m_axis(settings.axis.normalized()) {}
  [[nodiscard]] Eigen::Vector3d velocity(const Eigen::Vector3d& at,
                                         double /*time*/) const override {
    const Eigen::Vector3d way = m_axis.cross(at - m_settings.centre);
    const double square = way.squaredNorm();
    const double q = square / (m_settings.core * m_settings.core);
    // (1 - e^-q) / r^2; expm1 keeps its digits near the axis, where its limit is 1 / core^2.
    const double fall =
        square > 0 ? -std::expm1(-q) / square : 1 / (m_settings.core * m_settings.core);
    return m_settings.strength / (2 * std::numbers::pi) * fall * way;
  }

 private:
  VortexSettings m_settings;
  Eigen::Vector3d m_axis;
};

class Waves final : public FlowField {
 public:
  explicit Waves(const WaveSettings& settings)
      : m_settings(settings),
        m_direction(
            Eigen::Vector3d(settings.direction.x(), 0, settings.direction.z()).normalized()),
        m_number(2 * std::numbers::pi / settings.length),
        m_frequency(std::sqrt(settings.gravity * m_number)) {}

  [[nodiscard]] Eigen::Vector3d velocity(const Eigen::Vector3d& at, double time) const override {
    // Linear theory ends at the rest level; in a crest above it the speed at that level applies.
    const double depth = std::min(0.0, at.y() - m_settings.surface);
    const double speed = m_settings.amplitude * m_frequency * std::exp(m_number * depth);
    const double phase = phase_at(at, time);
    return speed * (std::cos(phase) * m_direction + std::sin(phase) * Eigen::Vector3d::UnitY());
  }
  [[nodiscard]] double surface_rise(const Eigen::Vector3d& at, double time) const override {
    return m_settings.amplitude * std::cos(phase_at(at, time));
  }

 private:
  [[nodiscard]] double phase_at(const Eigen::Vector3d& at, double time) const {
    return m_number * m_direction.dot(at) - m_frequency * time;
  }

  WaveSettings m_settings;
  Eigen::Vector3d m_direction;
  double m_number;     ///< rad/m
  double m_frequency;  ///< rad/s
};

class SumOfFlows final : public FlowField {
 public:
  explicit SumOfFlows(std::vector<Flow> flows) : m_flows(std::move(flows)) {}
  [[nodiscard]] Eigen::Vector3d velocity(const Eigen::Vector3d& at, double time) const override {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const Flow& flow : m_flows) sum += flow->velocity(at, time);
    return sum;
  }
  [[nodiscard]] double surface_rise(const Eigen::Vector3d& at, double time) const override {
    double sum = 0;
    for (const Flow& flow : m_flows) sum += flow->surface_rise(at, time);
    return sum;
  }

 private:
  std::vector<Flow> m_flows;
};

}  // namespace

Result<Flow> flow_from_expressions(const std::array<std::string, 3>& velocity) {
  std::array<Expression, 3> parsed;
  for (std::size_t i = 0; i < 3; ++i) {
    SUPPLE_TRY(
        parsed[i],
        Expression::parse(velocity[i]).during(fmt::format("reading the flow along {}", "xyz"[i])));
  }
  auto field = std::make_shared<const ExpressionFlow>(std::move(parsed));
  SUPPLE_TRY_VOID(probe(*field));
  return Flow(std::move(field));
}

Result<Flow> river(const Eigen::Vector3d& velocity) {
  if (!velocity.allFinite())
    return bad_input("river: its velocity is not finite; give three numbers in m/s");
  return Flow(std::make_shared<const River>(velocity));
}

Result<Flow> vortex(const VortexSettings& settings) {
  SUPPLE_TRY_VOID(vortex_fields().check(settings));
  return Flow(std::make_shared<const Vortex>(settings));
}

Result<Flow> waves(const WaveSettings& settings) {
  SUPPLE_TRY_VOID(wave_fields().check(settings));
  return Flow(std::make_shared<const Waves>(settings));
}

Result<Flow> sum_of_flows(std::vector<Flow> flows) {
  if (flows.empty()) return bad_input("flow: it is empty; omit it for water at rest");
  if (std::ranges::any_of(flows, [](const Flow& flow) { return flow == nullptr; }))
    return bad_input("flow: one of the fields to add is missing");
  if (flows.size() == 1) return std::move(flows.front());
  return Flow(std::make_shared<const SumOfFlows>(std::move(flows)));
}

}  // namespace supple::swim
