// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/recording.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace supple::swim {
namespace {

using Frame = Recording::Frame;

/// Slower than this, m/s, nobody swims: what is divided by the speed is left at zero.
constexpr double kAtRest = 1e-6;
/// Less than this, W, is the rounding of muscles that rest.
constexpr double kNoPower = 1e-6;

/// The frames at which cycles end, or the first and the last of all where there are too few: what
/// comes before the first whole cycle is a start from rest.
std::vector<std::size_t> cycle_ends(const std::vector<Frame>& frames, bool& whole) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    if (frames[i].cycles > frames[i - 1].cycles) ends.push_back(i);  // NOLINT: a few of many
  }
  whole = ends.size() >= 2;
  if (whole) return ends;
  return {0, frames.size() - 1};
}

/// (fastest - slowest) / 2 of the velocity along the chord.
double swing(const std::vector<Frame>& frames, std::size_t begin, std::size_t end,
             const Eigen::Vector3d& along) {
  double slowest = frames[begin].velocity.dot(along);
  double fastest = slowest;
  for (std::size_t i = begin + 1; i <= end; ++i) {
    const double speed = frames[i].velocity.dot(along);
    slowest = std::min(slowest, speed);
    fastest = std::max(fastest, speed);
  }
  return (fastest - slowest) / 2;
}

double mean_pitch(const std::vector<Frame>& frames, std::size_t begin, std::size_t end,
                  std::size_t torso) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    sum += std::asin(std::clamp(frames[i].segments[torso].axes(1, 0), -1.0, 1.0));
  }
  return sum / static_cast<double>(end - begin) * 180 / std::numbers::pi;
}

/// The muscles' work of both signs; where they do none, as in a glide, what the body had or lost.
double energy_error(const Energy& energy) {
  const double work = std::max({2 * energy.effort - energy.muscles, std::abs(energy.drag),
                                std::abs(energy.buoyancy), energy.kinetic_at_start});
  return work > 0 ? std::abs(energy.error) / work : 0;
}

}  // namespace

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
    force += still.on_segment(i, motions[i], 0).drag.tail<3>();  // its axes are the world's here
  }
  return -force.x();
}

SwimReport report(const Recording& recording, const Body& body, const WaterSettings& water) {
  SwimReport result;
  const std::vector<Frame>& frames = recording.frames;
  result.energy_error = energy_error(recording.energy);
  if (frames.size() < 2) return result;
  result.distance_m = (frames.back().centre - frames.front().centre).norm();

  bool whole = false;
  const std::vector<std::size_t> ends = cycle_ends(frames, whole);
  const double cycles = static_cast<double>(ends.size() - 1);
  const double seconds = frames[ends.back()].time - frames[ends.front()].time;
  double way = 0;
  for (std::size_t c = 0; c + 1 < ends.size(); ++c) {
    const Eigen::Vector3d chord = frames[ends[c + 1]].centre - frames[ends[c]].centre;
    const double time = frames[ends[c + 1]].time - frames[ends[c]].time;
    const double length = chord.norm();
    way += length;
    if (length < kAtRest * time) continue;
    const double variation = swing(frames, ends[c], ends[c + 1], chord / length) / (length / time);
    result.speed_variation += variation / cycles;
  }
  result.mean_speed_mps = way / seconds;
  if (whole) {
    result.strokes_per_min = 60 * cycles / seconds;
    result.metres_per_stroke = way / cycles;
  }
  result.power_w = (frames[ends.back()].effort - frames[ends.front()].effort) / seconds;
  if (const auto drag = glide_drag(body, water, result.mean_speed_mps);
      drag.ok() && result.power_w > kNoPower) {
    result.efficiency = *drag * result.mean_speed_mps / result.power_w;
  }
  if (const auto torso = body.find_segment("torso");
      torso && *torso < frames.front().segments.size()) {
    result.pitch_deg = mean_pitch(frames, ends.front(), ends.back(), *torso);
  }
  return result;
}

}  // namespace supple::swim
