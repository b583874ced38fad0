// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/recording.hpp"

#include <algorithm>
#include <cmath>

namespace supple::swim {
namespace {

constexpr double kLeast = 7;         ///< s
constexpr double kLongest = 600;     ///< s: longer runs must be requested
constexpr double kPatience = 3;      ///< times the time of the straight path
constexpr double kTurnDistance = 5;  ///< m: shortest path to a target beside or behind
/// m: path to the line through a target with a heading
constexpr double kLineUp = 12;
constexpr double kLeastSpeed = 0.02;  ///< m/s

double way_of(const Course& course, Eigen::Vector3d from) {
  double way = 0;
  const std::size_t count = course.targets.size();
  for (std::size_t i = 0; i < count + (course.loop ? 1 : 0); ++i) {
    const Eigen::Vector3d& to = course.targets[i % count].position;
    way += std::max(kTurnDistance, (to - from).norm());
    if (course.targets[i % count].heading) way += kLineUp;
    from = to;
  }
  return way;
}

}  // namespace

Result<double> course_seconds(const Body& body, const WaterSettings& water, const PoseGraph& stroke,
                              const StartState& start, const Course& course) {
  if (course.targets.empty()) return kLeast;
  RunSettings trial;
  trial.seconds = std::max(kLeast, 3 * stroke.cycle_seconds());
  SUPPLE_TRY(const Recording straight, record_swim(body, water, stroke, start, trial, nullptr));
  const double speed = std::max(kLeastSpeed, report(straight, body, water).mean_speed_mps);
  return std::clamp(kPatience * way_of(course, start.position) / speed, kLeast, kLongest);
}

}  // namespace supple::swim
