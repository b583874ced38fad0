// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/steering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::swim {
namespace {

std::string where(const Eigen::Vector3d& p) {
  return fmt::format("({:g}, {:g}, {:g})", p.x(), p.y(), p.z());
}

Result<void> check_direction(const std::optional<Eigen::Vector3d>& direction, std::string_view what,
                             std::size_t number) {
  if (!direction) return {};
  if (direction->allFinite() && direction->norm() > 1e-9) return {};
  return bad_input(fmt::format("target {}: its {} {} is not a direction: give a nonzero one",
                               number, what, where(*direction)));
}

/// m. No run gets farther than this, and squared distances beyond it would overflow.
constexpr double kFarthest = 1e6;

bool is_near(const Eigen::Vector3d& point) {
  return point.allFinite() && point.cwiseAbs().maxCoeff() <= kFarthest;
}

}  // namespace

Result<void> Course::validate() const {
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    const Obstacle& obstacle = obstacles[i];
    if (is_near(obstacle.centre) && obstacle.radius > 0 && obstacle.radius <= kFarthest) continue;
    return bad_input(
        fmt::format("obstacle {}: radius {:g} at {}: give finite numbers up to {:g} m and a radius "
                    "above zero",
                    i + 1, obstacle.radius, where(obstacle.centre), kFarthest));
  }
  if (depth && !(std::abs(*depth) <= kFarthest)) {
    return bad_input("the depth to hold is out of reach: give a height y in metres");
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Target& target = targets[i];
    if (!is_near(target.position)) {
      return bad_input(
          fmt::format("target {}: its position {} is out of reach: give metres, at "
                      "most {:g}",
                      i + 1, where(target.position), kFarthest));
    }
    if (!(target.reach > 0) || !std::isfinite(target.reach)) {
      return bad_input(fmt::format("target {}: a reach of {:g} m: give one above zero, such as 0.5",
                                   i + 1, target.reach));
    }
    SUPPLE_TRY_VOID(check_direction(target.heading, "heading", i + 1));
    SUPPLE_TRY_VOID(check_direction(target.up, "up", i + 1));
    Eigen::Vector3d position = target.position;
    if (depth) position.y() = *depth;
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
      if ((position - obstacles[k].centre).norm() > obstacles[k].radius) continue;
      return bad_input(fmt::format(
          "target {} at {} lies inside obstacle {} (radius {:g} m at {}): move one of them", i + 1,
          where(position), k + 1, obstacles[k].radius, where(obstacles[k].centre)));
    }
  }
  if (loop && !targets.empty() && targets.size() < (spline ? 3U : 2U)) {
    return bad_input(fmt::format(
        "a {} of {}: give at least {} targets or omit 'loop'", spline ? "closed curve" : "loop",
        targets.size() == 1 ? "one target" : "two targets", spline ? "three" : "two"));
  }
  if (!spline) return {};
  for (std::size_t i = 0; i + 1 < targets.size() + (loop ? 1 : 0); ++i) {
    const std::size_t next = (i + 1) % targets.size();
    if (next == i) break;
    Eigen::Vector3d between = targets[next].position - targets[i].position;
    if (depth) between.y() = 0;
    if (between.norm() > 1e-6) continue;
    return bad_input(fmt::format("targets {} and {} of the curve coincide at {}{}: {}", i + 1,
                                 next + 1, where(targets[i].position),
                                 depth ? " at the depth to hold" : "",
                                 depth ? "remove one or omit 'depth'" : "remove one"));
  }
  return {};
}

Result<void> can_steer(const PoseGraph& graph) {
  for (std::size_t i = 0; i < kTurns; ++i) {
    if (graph.perturbations[i].size() > 0) return {};
  }
  return bad_input(fmt::format(
      "stroke '{}' has no perturbations for turning: find them with 'supple swim turns'",
      graph.name));
}

std::string steering_warning(const PoseGraph& graph, const Course& course, double y) {
  const auto can = [&](Turn turn) {
    return graph.perturbations.at(static_cast<std::size_t>(turn)).size() > 0;
  };
  if (can(Turn::PitchUp) && can(Turn::PitchDown)) return {};
  if (course.depth) {
    if (std::abs(*course.depth - y) <= Target().reach) return {};
    return fmt::format("stroke '{}' cannot pitch: it cannot control the depth to hold", graph.name);
  }
  const bool reachable = std::ranges::all_of(
      course.targets, [&](const Target& t) { return std::abs(t.position.y() - y) <= t.reach; });
  if (reachable) return {};
  return fmt::format("stroke '{}' cannot pitch: heights of targets are ignored", graph.name);
}

}  // namespace supple::swim
