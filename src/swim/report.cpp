// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/recording.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace supple::swim {
namespace {

using Frame = Recording::Frame;

/// Slower than this, m/s, does not count as swimming: figures divided by the speed stay zero.
constexpr double kAtRest = 1e-6;
/// Less than this, W, is rounding of muscles at rest.
constexpr double kNoPower = 1e-6;
/// J: for runs with almost no energy, errors are relative to this.
constexpr double kLeastWork = 1e-3;

/// The frames at which cycles end, or the first and the last frame if there are too few: the part
/// before the first whole cycle is the start from rest. Two of them may be several cycles apart.
std::vector<std::size_t> cycle_ends(const std::vector<Frame>& frames, bool& whole) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    if (frames[i].cycles > frames[i - 1].cycles) ends.push_back(i);  // NOLINT: a few of many
  }
  whole = ends.size() >= 2;
  if (whole) return ends;
  return {0, frames.size() - 1};
}

/// Velocity of the centre of mass through the water around it.
Eigen::Vector3d through_water(const Frame& frame, const WaterSettings& water) {
  if (!water.flow) return frame.velocity;
  return frame.velocity - water.flow->velocity(frame.centre, frame.time);
}

/// The two ends count half, as in the trapezoidal rule.
double weight(std::size_t i, std::size_t begin, std::size_t end) {
  return i == begin || i == end ? 0.5 : 1;
}

/// A cycle, or several between two frames.
class Span {
 public:
  Span(const std::vector<Frame>& frames, std::size_t begin, std::size_t end,
       const WaterSettings& water, std::size_t torso)
      : m_frames(frames), m_begin(begin), m_end(end), m_water(water) {
    Eigen::Vector3d heading = Eigen::Vector3d::Zero();
    for (std::size_t i = begin; i <= end; ++i) {
      const auto& segments = frames[i].segments;
      if (torso >= segments.size()) continue;
      heading += weight(i, begin, end) * (segments[0].axes.col(0) + segments[torso].axes.col(0));
    }
    if (water.surface) heading.y() = 0;
    if (heading.norm() > kNoHeading) m_heading = heading.normalized();
  }

  /// Through the water, head first.
  [[nodiscard]] double way() const {
    Eigen::Vector3d chord = m_frames[m_end].centre - m_frames[m_begin].centre;
    if (m_water.flow) {
      for (std::size_t i = m_begin; i <= m_end; ++i) {
        const Frame& frame = m_frames[i];
        const double seconds =
            m_frames[std::min(i + 1, m_end)].time - m_frames[std::max(i, m_begin + 1) - 1].time;
        chord -= seconds / 2 * m_water.flow->velocity(frame.centre, frame.time);
      }
    }
    return chord.dot(m_heading);
  }

  [[nodiscard]] double seconds() const { return m_frames[m_end].time - m_frames[m_begin].time; }

  /// (fastest - slowest) / 2.
  [[nodiscard]] double swing() const {
    double slowest = through_water(m_frames[m_begin], m_water).dot(m_heading);
    double fastest = slowest;
    for (std::size_t i = m_begin + 1; i <= m_end; ++i) {
      const double speed = through_water(m_frames[i], m_water).dot(m_heading);
      slowest = std::min(slowest, speed);
      fastest = std::max(fastest, speed);
    }
    return (fastest - slowest) / 2;
  }

 private:
  static constexpr double kNoHeading = 1e-9;
  const std::vector<Frame>& m_frames;
  std::size_t m_begin;
  std::size_t m_end;
  const WaterSettings& m_water;
  Eigen::Vector3d m_heading = Eigen::Vector3d::Zero();
};

double mean_pitch(const std::vector<Frame>& frames, std::size_t begin, std::size_t end,
                  std::size_t torso) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    sum += std::asin(std::clamp(frames[i].segments[torso].axes(1, 0), -1.0, 1.0));
  }
  return sum / static_cast<double>(end - begin) * 180 / std::numbers::pi;
}

/// Level, unit; zero for an upright trunk.
Eigen::Vector3d level_heading(const Frame& frame, std::size_t torso) {
  Eigen::Vector3d heading = frame.segments[0].axes.col(0) + frame.segments[torso].axes.col(0);
  heading.y() = 0;
  constexpr double kNoHeadingLeft = 1e-6;
  return heading.norm() > kNoHeadingLeft ? heading.normalized() : Eigen::Vector3d::Zero();
}

/// From frame `begin` up to `end`, without the latter.
Eigen::Vector3d mean_heading(const std::vector<Frame>& frames, std::size_t begin, std::size_t end,
                             std::size_t torso) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = begin; i < end; ++i) sum += level_heading(frames[i], torso);
  return sum;
}

void report_way(const std::vector<Frame>& frames, const std::vector<std::size_t>& ends,
                std::size_t torso, SwimReport& result) {
  const Eigen::Vector3d way = frames.back().centre - frames.front().centre;
  result.distance_m = way.norm();
  result.up_m = way.y();
  if (torso >= frames.front().segments.size()) return;
  const Eigen::Vector3d ahead = level_heading(frames.front(), torso);
  const Eigen::Vector3d right(-ahead.z(), 0, ahead.x());
  result.ahead_m = way.dot(ahead);
  result.right_m = way.dot(right);
  // Sway cancels over a cycle.
  const Eigen::Vector3d first = mean_heading(frames, ends[0], ends[1], torso);
  const Eigen::Vector3d last = mean_heading(frames, ends[ends.size() - 2], ends.back(), torso);
  const double sine = first.x() * last.z() - first.z() * last.x();
  result.turned_deg = std::atan2(sine, first.dot(last)) * 180 / std::numbers::pi;
}

/// W that moved the body but did not come from muscles: from weight and buoyancy as it sank or
/// rose, and from the speed it lost.
double gifts(const Frame& begin, const Frame& end, const Body& body, const WaterSettings& water) {
  const double slowed =
      through_water(begin, water).squaredNorm() - through_water(end, water).squaredNorm();
  const double given = end.weight_work - begin.weight_work + body.mass() / 2 * slowed;
  return std::max(0.0, given / (end.time - begin.time));
}

/// Absolute work done by and on the body.
double energy_error(const Energy& energy) {
  const double work = 2 * energy.effort - energy.muscles + std::abs(energy.drag) +
                      std::abs(energy.buoyancy) + std::abs(energy.limits) +
                      std::abs(energy.potential) + energy.kinetic_at_start;
  return std::abs(energy.error) / std::max(work, kLeastWork);
}

}  // namespace

MeasuredRange person_power(double speed) {
  constexpr MeasuredRange kDrag{25, 37};  // N s^2/m^2
  const double cube = speed * speed * speed;
  return {kDrag.low * cube / kPersonEfficiency.high, kDrag.high * cube / kPersonEfficiency.low};
}

Result<double> glide_drag(const Body& body, const WaterSettings& water, double speed) {
  WaterSettings deep = water;
  deep.gravity = 0;
  deep.surface.reset();
  deep.flow.reset();
  SUPPLE_TRY(const Water still, Water::create(body, deep));
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  std::vector<SegmentMotion> motions(body.segments.size());
  for (std::size_t i = 0; i < body.segments.size(); ++i) {
    const Segment& segment = body.segments[i];
    if (segment.parent != Segment::kNoParent) {
      motions[i].origin = motions[segment.parent].origin + segment.anchor;
    }
    motions[i].velocity = Eigen::Vector3d(speed, 0, 0);
    force += still.on_segment(i, motions[i], 0).drag.tail<3>();  // its axes equal the world's here
  }
  return -force.x();
}

SwimReport report(const Recording& recording, const Body& body, const WaterSettings& water) {
  SwimReport result;
  const std::vector<Frame>& frames = recording.frames;
  result.energy_error = energy_error(recording.energy);
  if (frames.size() < 2) return result;
  bool whole = false;
  const std::vector<std::size_t> ends = cycle_ends(frames, whole);
  const Frame& begin = frames[ends.front()];
  const Frame& end = frames[ends.back()];
  const double seconds = end.time - begin.time;
  const std::size_t torso = body.find_segment("torso").value_or(0);
  report_way(frames, ends, torso, result);
  double way = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const Span span(frames, ends[i], ends[i + 1], water, torso);
    way += span.way();
    const double speed = std::abs(span.way()) / span.seconds();
    if (speed < kAtRest) continue;
    result.speed_variation += span.swing() / speed / static_cast<double>(ends.size() - 1);
  }
  result.mean_speed_mps = way / seconds;
  if (whole) {
    const auto cycles = static_cast<double>(end.cycles - begin.cycles);
    result.strokes_per_min = 60 * cycles / seconds;
    result.metres_per_stroke = way / cycles;
  }
  result.power_w = (end.effort - begin.effort) / seconds;
  if (result.mean_speed_mps > kAtRest && result.power_w > kNoPower) {
    if (const auto drag = glide_drag(body, water, result.mean_speed_mps); drag.ok()) {
      const double paid = result.power_w + gifts(begin, end, body, water);
      const double efficiency = *drag * result.mean_speed_mps / paid;
      if (efficiency <= 1) result.efficiency = efficiency;
    }
  }
  if (torso < frames.front().segments.size()) {
    result.pitch_deg = mean_pitch(frames, ends.front(), ends.back(), torso);
  }
  return result;
}

}  // namespace supple::swim
