// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/recording.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace supple::swim {
namespace {

/// One step of 1 / 60 s must make a frame of 1 / 60 s, despite rounding.
constexpr double kSameTime = 1e-9;
constexpr double kMostFrames = 1e7;
constexpr double kMostSteps = 1e9;
constexpr double kLongestInterval = 0.25;  ///< s: a pose of a stroke rarely lasts longer

class Recorder {
 public:
  Recorder(Swimmer swimmer, const PoseGraph& stroke, const Course* course)
      : m_swimmer(std::move(swimmer)), m_controller(stroke) {
    if (course != nullptr) {
      m_steering.emplace(stroke, *course);
      m_obstacles = course->obstacles;
    }
    m_recording.stroke = stroke.name;
    m_recording.clearances.assign(m_obstacles.size(), std::numeric_limits<double>::infinity());
    m_since.forces.resize(m_swimmer.body().segments.size(), Eigen::Vector3d::Zero());
    m_since.torques.resize(m_swimmer.body().joints.size());
  }

  Result<void> step(double seconds) {
    static constexpr std::array<double, kTurns> kStraight{};
    const auto& turns = m_steering ? m_steering->advance(m_swimmer, seconds) : kStraight;
    const std::vector<double>& targets = m_controller.advance(m_swimmer, seconds, turns);
    const Eigen::Vector3d before = m_swimmer.momentum();
    SUPPLE_TRY_VOID(m_swimmer.step(targets, seconds));
    const double error = (m_swimmer.momentum() - before - m_swimmer.impulse().sum()).norm();
    m_recording.largest_momentum_error = std::max(m_recording.largest_momentum_error, error);
    sum_up(seconds);
    return {};
  }

  void note(double time) {
    Recording::Frame frame = take_means();
    frame.time = time;
    const std::size_t segments = m_swimmer.body().segments.size();
    frame.segments.reserve(segments);
    for (std::size_t i = 0; i < segments; ++i) frame.segments.push_back(m_swimmer.segment(i));
    frame.angles.assign(m_swimmer.angles().begin(), m_swimmer.angles().end());
    frame.centre = m_swimmer.centre_of_mass();
    frame.velocity = m_swimmer.velocity();
    frame.effort = m_swimmer.energy().effort;
    frame.weight_work = m_swimmer.energy().buoyancy - m_swimmer.energy().potential;
    frame.cycles = m_controller.cycles();
    frame.pose = m_controller.pose();
    if (m_steering) frame.aim = m_steering->aim();
    for (std::size_t k = 0; k < m_obstacles.size(); ++k) {
      double& least = m_recording.clearances[k];
      least = std::min(least, clearance(m_swimmer.body(), frame.segments, m_obstacles[k]));
    }
    m_recording.frames.push_back(std::move(frame));
  }

  [[nodiscard]] bool been_round() const { return m_steering && m_steering->been_round(); }

  void reserve(std::size_t frames) { m_recording.frames.reserve(frames); }

  Recording finish() && {
    m_recording.energy = m_swimmer.energy();
    if (m_steering) {
      m_recording.targets_reached = m_steering->reached();
      m_recording.targets_missed = m_steering->missed();
      m_recording.targets = m_steering->outcomes();
    }
    return std::move(m_recording);
  }

 private:
  void sum_up(double seconds) {
    for (std::size_t i = 0; i < m_since.forces.size(); ++i) {
      m_since.forces[i] += seconds * m_swimmer.force(i);
    }
    for (std::size_t j = 0; j < m_since.torques.size(); ++j) {
      m_since.torques[j] += seconds * m_swimmer.torques()[j];
    }
    m_since.buoyancy += m_swimmer.impulse().buoyancy;
    m_since.weight += m_swimmer.impulse().weight;
    m_since.time += seconds;
  }

  /// A frame with the means of the accumulated values, which are then reset.
  Recording::Frame take_means() {
    Recording::Frame means = m_since;
    for (Eigen::Vector3d& force : m_since.forces) force.setZero();
    std::ranges::fill(m_since.torques, 0.0);
    m_since.buoyancy.setZero();
    m_since.weight.setZero();
    m_since.time = 0;
    const Eigen::Vector3d carried = water_momentum();
    if (means.time > 0) {
      const double per_second = 1 / means.time;
      for (Eigen::Vector3d& force : means.forces) force *= per_second;
      for (double& torque : means.torques) torque *= per_second;
      means.buoyancy *= per_second;
      means.weight *= per_second;
      means.added_mass = per_second * (m_carried - carried);
    }
    m_carried = carried;
    return means;
  }

  [[nodiscard]] Eigen::Vector3d water_momentum() const {
    return m_swimmer.momentum() - m_swimmer.body().mass() * m_swimmer.velocity();
  }

  Swimmer m_swimmer;
  PoseController m_controller;
  std::optional<Steering> m_steering;
  std::vector<Obstacle> m_obstacles;
  Recording m_recording;
  Recording::Frame m_since;  ///< accumulates impulses since the last frame instead of forces
  /// Momentum of the water carried along, at the last frame.
  Eigen::Vector3d m_carried = Eigen::Vector3d::Zero();
};

}  // namespace

Result<void> RunSettings::validate() const {
  if (!(seconds > 0) || !std::isfinite(seconds)) {
    return bad_input(fmt::format("a run of {} s: give a finite time above zero", seconds));
  }
  if (!(step > 0) || !std::isfinite(step)) {
    return bad_input(
        fmt::format("a step of {} s: give one above zero, such as 0.0166667 (1/60)", step));
  }
  if (step > kLongestInterval) {
    return bad_input(fmt::format(
        "a step of {} s is too long for a stroke: give at most {} s, such as 0.0166667 (1/60)",
        step, kLongestInterval));
  }
  if (!(rate > 0) || !std::isfinite(rate)) {
    return bad_input(fmt::format("a rate of {} frames per second: give one above zero", rate));
  }
  if (step * rate > 1 + kSameTime) {
    return bad_input(fmt::format(
        "steps of {} s are longer than the frames of {} Hz: record at {} Hz or use shorter steps",
        step, rate, std::floor(1 / step)));
  }
  if (seconds * rate < 0.5) {
    return bad_input(
        fmt::format("a run of {} s has no frame at {} Hz: give at least {:.6g} s or a higher rate",
                    seconds, rate, 1 / rate));
  }
  if (seconds * rate > kMostFrames) {
    return bad_input(
        fmt::format("{} s at {} Hz give too many frames, at most {:g} are allowed: shorten the run "
                    "or lower the rate",
                    seconds, rate, kMostFrames));
  }
  if (seconds / step > kMostSteps) {
    return bad_input(
        fmt::format("{} s in steps of {} s need more than {:g} steps: shorten the run or give a "
                    "longer step, such as 0.0166667 (1/60)",
                    seconds, step, kMostSteps));
  }
  return {};
}

std::size_t RunSettings::steps_per_frame() const {
  return static_cast<std::size_t>(std::ceil(1 / (rate * step) - kSameTime));
}

Result<Recording> record_swim(const Body& body, const WaterSettings& water, const PoseGraph& stroke,
                              const StartState& start, const RunSettings& settings,
                              const Course* course) {
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY_VOID(stroke.validate(body));
  if (course != nullptr) {
    SUPPLE_TRY_VOID(course->validate());
    SUPPLE_TRY_VOID(can_steer(stroke));
    const std::string warning = steering_warning(stroke, *course, start.position.y());
    if (!warning.empty()) log::warn("{}", warning);
  }
  SUPPLE_TRY(Swimmer swimmer, Swimmer::create(body, water, start));
  swimmer.set_stepping(settings.stepping);
  Recorder recorder(std::move(swimmer), stroke, course);

  const auto frames = static_cast<std::size_t>(std::floor(settings.seconds * settings.rate + 0.5));
  const std::size_t steps = settings.steps_per_frame();
  const double seconds = 1 / (settings.rate * static_cast<double>(steps));
  recorder.reserve(frames + 1);
  recorder.note(0);
  Progress progress("swimming", static_cast<double>(frames));
  for (std::size_t frame = 1; frame <= frames; ++frame) {
    SUPPLE_TRY_VOID(check_interrupt());
    for (std::size_t i = 0; i < steps; ++i) {
      auto stepped = recorder.step(seconds);
      if (!stepped.ok()) {
        const double time =
            (static_cast<double>(frame - 1) + static_cast<double>(i) / static_cast<double>(steps)) /
            settings.rate;
        return std::move(stepped).error().during(
            fmt::format("swimming '{}', at {:.4f} s", stroke.name, time));
      }
    }
    recorder.note(static_cast<double>(frame) / settings.rate);
    progress.advance();
    if (settings.until_round && recorder.been_round()) break;
  }
  return std::move(recorder).finish();
}

}  // namespace supple::swim
