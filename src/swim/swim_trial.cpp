// SPDX-License-Identifier: Apache-2.0
#include "swim/swim_trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace supple::swim {
namespace {

/// A moment of the swim; sums run from the start.
struct Moment {
  double time = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double effort = 0;
  Eigen::Vector3d turned = Eigen::Vector3d::Zero();  ///< integral of the torso's spin
  double depth = 0;                                  ///< integral
  double saturated = 0;                              ///< integral
  Eigen::Vector3d ahead = Eigen::Vector3d::Zero();   ///< integral of the torso's x
  Eigen::Vector3d dorsal = Eigen::Vector3d::Zero();  ///< integral of its y
  double fastest =
      -std::numeric_limits<double>::infinity();  ///< fastest speed ahead in this cycle so far
  double slowest = std::numeric_limits<double>::infinity();
};

double angle_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const double lengths = a.norm() * b.norm();
  // A mean of zero length has no direction: as bad as the opposite one.
  if (!(lengths > 1e-12)) return std::numbers::pi;
  return std::acos(std::clamp(a.dot(b) / lengths, -1.0, 1.0));
}

double saturated_part(const Swimmer& swimmer) {
  std::size_t count = 0;
  const auto& joints = swimmer.body().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (std::abs(swimmer.torques()[j]) > 0.999 * joints[j].servo.max_torque) ++count;
  }
  return static_cast<double>(count) / static_cast<double>(joints.size());
}

void add_step(Moment& now, const Swimmer& swimmer, std::size_t torso, std::size_t head,
              const Eigen::Vector3d& ahead, double step) {
  const SegmentMotion trunk = swimmer.segment(torso);
  const SegmentMotion skull = swimmer.segment(head);
  const Eigen::Vector3d middle = skull.origin + skull.axes * swimmer.body().segments[head].centre;
  now.time += step;
  now.centre = swimmer.centre_of_mass();
  now.effort = swimmer.energy().effort;
  now.turned += step * trunk.spin;
  now.depth += step * (swimmer.water().settings().surface.value_or(0) - middle.y());
  now.saturated += step * saturated_part(swimmer);
  now.ahead += step * trunk.axes.col(0);
  now.dorsal += step * trunk.axes.col(1);
  const double speed = swimmer.velocity().dot(ahead);
  now.fastest = std::max(now.fastest, speed);
  now.slowest = std::min(now.slowest, speed);
}

/// Between two ends of cycles; slower than this, m/s, does not count as swimming.
double variation(const Moment& first, const Moment& last, const Eigen::Vector3d& ahead) {
  constexpr double kSlowest = 1e-3;
  const double speed = (last.centre - first.centre).dot(ahead) / (last.time - first.time);
  return (last.fastest - last.slowest) / 2 / std::max(std::abs(speed), kSlowest);
}

}  // namespace

Result<SwimTrial> try_swim(const PoseGraph& stroke, const Body& body, const WaterSettings& water,
                           const StartState& start, double seconds, double step) {
  SUPPLE_TRY(Swimmer swimmer, Swimmer::create(body, water, start));
  const std::size_t torso = body.find_segment("torso").value_or(0);
  const std::size_t head = body.find_segment("head").value_or(0);
  const Eigen::Vector3d ahead = start.axes.col(0);
  PoseController controller(stroke);
  Moment now;
  now.centre = swimmer.centre_of_mass();
  std::vector<Moment> ends{now};  // of cycles
  const auto steps = static_cast<std::size_t>(std::ceil(seconds / step));
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t cycles = controller.cycles();
    const auto& targets = controller.advance(swimmer, step);
    if (controller.cycles() > cycles) {
      ends.push_back(now);  // NOLINT: a few of many steps
      now.fastest = now.slowest = swimmer.velocity().dot(ahead);
    }
    SUPPLE_TRY_VOID(swimmer.step(targets, step));
    add_step(now, swimmer, torso, head, ahead, step);
  }
  const bool whole = ends.size() >= 3;
  if (!whole) ends = {ends.front(), now};
  const auto settled =
      std::ranges::find_if(ends, [&](const Moment& moment) { return moment.time >= seconds / 4; });
  const auto begin = ends.end() - settled >= 2 ? settled : ends.begin();
  const Moment& first = *begin;
  const Moment& last = ends.back();
  const Moment& middle = ends[ends.size() / 2];

  SwimTrial trial;
  const double time = last.time - first.time;
  trial.velocity = start.axes.transpose() * (last.centre - first.centre) / time;
  trial.power = (last.effort - first.effort) / time;
  trial.spin = (last.turned - first.turned) / time;
  trial.askew = angle_between(last.ahead - middle.ahead, start.axes.col(0));
  trial.rolled_over = angle_between(last.dorsal - middle.dorsal, start.axes.col(1));
  trial.head_depth = (last.depth - first.depth) / time;
  trial.saturated = (last.saturated - first.saturated) / time;
  const auto cycles = static_cast<double>(ends.end() - begin - 1);
  for (auto end = begin + 1; end != ends.end(); ++end) {
    trial.speed_variation += variation(*(end - 1), *end, ahead) / cycles;
  }
  if (whole) trial.strokes_per_min = 60 * cycles / time;
  return trial;
}

}  // namespace supple::swim
