// SPDX-License-Identifier: Apache-2.0
#include "gallery/swim_live_model.hpp"

#include "supple/core/check.hpp"
#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::gallery {
namespace {

constexpr double kHoldSeconds = 1.2;  // pages repeat held keys every 0.4 s
/// If a stroke's start orientation differs from the current one by more than this, start a new run.
constexpr double kMostTurned = 75 * std::numbers::pi / 180;
constexpr double kLeastWindow = 0.5;  // s, of means over a cycle
/// After this many runs in a row shorter than this, s, restarting will not help.
constexpr int kMostFailures = 3;
constexpr double kSoundStart = 1;

/// Rotated about the vertical so that the head points in the same direction as in `now`.
Eigen::Matrix3d with_heading(const Eigen::Matrix3d& axes, const Eigen::Matrix3d& now) {
  const Eigen::Vector3d to = now.col(0);
  const Eigen::Vector3d from = axes.col(0);
  // The head of an upright body gives no heading: use the direction the belly faces.
  const auto level = [](const Eigen::Vector3d& head, const Eigen::Vector3d& belly) {
    const Eigen::Vector3d way = std::hypot(head.x(), head.z()) > 0.3 ? head : belly;
    return std::atan2(-way.z(), way.x());
  };
  const double angle = level(to, -now.col(1)) - level(from, -axes.col(1));
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitY()) * axes;
}

}  // namespace

Result<SwimLiveModel> SwimLiveModel::create(const LiveStrokes& strokes) {
  SwimLiveModel model(strokes);
  SUPPLE_TRY_VOID(model.begin(strokes.first, strokes.list[strokes.first]->file.start));
  return model;
}

Result<void> SwimLiveModel::begin(std::size_t number, const swim::StartState& start) {
  const LiveStroke& chosen = *m_strokes->list[number];
  SUPPLE_TRY(swim::Swimmer swimmer, swim::Swimmer::create(chosen.body, chosen.water, start));
  m_swimmer.emplace(std::move(swimmer));
  m_stroke = number;
  m_controller.emplace(chosen.file.graph);
  m_keys.reset();
  if (chosen.steers) m_keys.emplace(chosen.file.graph);
  m_course.reset();
  m_past.clear();
  m_run_seconds = 0;
  m_stopped = false;
  note_past();
  return {};
}

Result<void> SwimLiveModel::begin_afresh(std::size_t number) {
  SUPPLE_TRY_VOID(begin(number, m_strokes->list[number]->file.start));
  ++m_run;
  m_lost_control = false;
  m_failures = 0;
  m_distance = 0;
  return {};
}

Result<void> SwimLiveModel::change_stroke(std::size_t number) {
  const LiveStroke& now = stroke();
  const LiveStroke& next = *m_strokes->list[number];
  const swim::SegmentMotion pelvis = m_swimmer->segment(0);
  swim::StartState start = next.file.start;
  const Eigen::Matrix3d wanted = with_heading(start.axes, pelvis.axes);
  const double turned = Eigen::AngleAxisd(pelvis.axes.transpose() * wanted).angle();
  start.position = pelvis.origin;
  if (next.water.surface) start.position.y() = std::min(start.position.y(), *next.water.surface);
  start.velocity = m_swimmer->velocity();
  if (turned < kMostTurned) {
    start.axes = pelvis.axes;
    if (next.file.graph.hinges == now.file.graph.hinges) {
      const auto angles = m_swimmer->angles();
      start.angles.assign(angles.begin(), angles.end());
    }
  } else {
    start.axes = wanted;
  }
  SUPPLE_TRY_VOID(begin(number, start));
  if (turned >= kMostTurned) ++m_run;
  m_failures = 0;
  m_lost_control = false;
  return {};
}

Result<void> SwimLiveModel::apply(const SwimLiveChange& change) {
  // The stroke first: a restart clears courses and commands, but not those of this change.
  if (change.reset || (change.stroke && m_stopped)) {
    SUPPLE_TRY_VOID(begin_afresh(change.stroke.value_or(m_stroke)));
  } else if (change.stroke && *change.stroke != m_stroke) {
    SUPPLE_TRY_VOID(change_stroke(*change.stroke));
  }
  if (change.command) m_controller->command(*change.command);
  if (change.forget_target) forget_course();
  if (change.target && stroke().steers) {
    swim::Target target;
    target.position = *change.target;
    swim::Course course;
    course.targets.push_back(target);
    m_course.emplace(stroke().file.graph, std::move(course));
  }
  if (change.hold) {
    m_held = *change.hold;
    m_hold_left = kHoldSeconds;
    const bool steers = std::any_of(m_held.begin(), m_held.end(), [](int key) { return key != 0; });
    if (steers) forget_course();  // manual steering wins
  }
  return {};
}

void SwimLiveModel::forget_course() {
  if (!m_course) return;
  m_course.reset();
  // The keys have not seen the swimmer since, and would turn it back to its former direction.
  if (m_keys) m_keys.emplace(stroke().file.graph);
}

Result<void> SwimLiveModel::step() {
  SUPPLE_CHECK(!m_stopped);
  m_time += kStep;
  m_run_seconds += kStep;
  if (const Result<void> outcome = advance(); !outcome.ok()) return start_again(outcome.error());
  if (m_run_seconds > kSoundStart) m_failures = 0;
  note_past();
  return {};
}

Result<void> SwimLiveModel::start_again(const Error& why) {
  log::warn("the swimmer restarts: {}", why.describe());
  ++m_failures;
  Result<void> begun = begin(m_stroke, stroke().file.start);
  m_stopped = !begun.ok() || m_failures >= kMostFailures;
  ++m_run;
  m_lost_control = true;
  if (!m_stopped) return {};
  Error reason = begun.ok() ? why : begun.error();
  return std::move(reason).during(
      fmt::format("restarting the stroke '{}'", stroke().file.graph.name));
}

Result<void> SwimLiveModel::advance() {
  m_hold_left -= kStep;
  if (m_hold_left <= 0) m_held = {};
  std::array<double, swim::kTurns> turns{};
  if (m_course && m_course->done()) forget_course();
  if (m_course) {
    turns = m_course->advance(*m_swimmer, kStep);
  } else if (m_keys) {
    m_keys->hold(m_held[0], m_held[1], m_held[2]);
    turns = m_keys->advance(*m_swimmer, kStep);
  }
  return m_swimmer->step(m_controller->advance(*m_swimmer, kStep, turns), kStep);
}

void SwimLiveModel::note_past() {
  m_past.push_back({m_time, m_swimmer->centre_of_mass(), m_swimmer->energy().effort});
  const double window = std::max(kLeastWindow, stroke().file.graph.cycle_seconds());
  while (m_past.size() > 2 && m_past[1].time <= m_time - window) m_past.pop_front();
  const double seconds = m_past.back().time - m_past.front().time;
  if (seconds <= 0) return;
  m_distance += kStep * (m_past.back().centre - m_past.front().centre).norm() / seconds;
}

SwimLiveFrame SwimLiveModel::frame() const {
  SwimLiveFrame frame;
  frame.stroke = static_cast<std::uint8_t>(m_stroke);
  frame.pose = static_cast<std::uint8_t>(m_controller->pose());
  for (std::size_t i = 0; i < 3; ++i) frame.held[i] = static_cast<std::int8_t>(m_held[i]);
  frame.has_target = m_course.has_value();
  frame.lost_control = m_lost_control;
  frame.run = m_run;
  frame.centre = m_swimmer->centre_of_mass();
  frame.velocity = m_swimmer->velocity();
  frame.aim = m_course ? m_course->aim() : m_keys ? m_keys->aim() : frame.centre;
  frame.time = m_time;
  frame.distance = m_distance;
  const double seconds = m_past.back().time - m_past.front().time;
  if (seconds > 0) {
    frame.speed = (m_past.back().centre - m_past.front().centre).norm() / seconds;
    frame.power = (m_past.back().effort - m_past.front().effort) / seconds;
  }
  frame.cycles = static_cast<std::uint32_t>(m_controller->cycles());
  const std::size_t count = m_swimmer->body().segments.size();
  frame.segments.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const swim::SegmentMotion motion = m_swimmer->segment(i);
    frame.segments.push_back(
        {motion.origin, Eigen::Quaterniond(motion.axes).normalized(), m_swimmer->force(i)});
  }
  return frame;
}

}  // namespace supple::gallery
