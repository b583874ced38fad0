// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/steering.hpp"

#include "supple/geometry/tri_mesh.hpp"
#include "supple/settings/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::swim {
namespace {

using settings::above;
using settings::Complaint;
using settings::field;
using settings::Fields;
using settings::from;

std::string where(const Eigen::Vector3d& p) {
  return fmt::format("({:g}, {:g}, {:g})", p.x(), p.y(), p.z());
}

/// m. No run gets farther than this, and squared distances beyond it would overflow.
constexpr double kFarthest = 1e6;
constexpr settings::Range kPlaces = from(-kFarthest).to(kFarthest);

const Fields<Target>& target_fields() {
  using S = Target;
  static const Fields<S> fields{
      field<&S::position>("position", "where to swim").in("m").range(kPlaces).must_be_given(),
      field<&S::heading>("heading", "direction of swimming there").default_is("any"),
      field<&S::up>("up", "direction of the back there").default_is("the sky"),
      field<&S::reach>("reach", "distance at which it counts as reached").in("m").range(above(0)),
  };
  return fields;
}

const Fields<Obstacle>& obstacle_fields() {
  using S = Obstacle;
  static const Fields<S> fields{
      field<&S::centre>("centre", "of the sphere").in("m").range(kPlaces).must_be_given(),
      field<&S::radius>("radius", "of the sphere")
          .in("m")
          .range(above(0).to(kFarthest))
          .must_be_given(),
  };
  return fields;
}

std::optional<Complaint> check_directions(const Course& course) {
  for (std::size_t i = 0; i < course.targets.size(); ++i) {
    const Target& target = course.targets[i];
    const auto complaint = [&](const std::optional<Eigen::Vector3d>& direction, const char* key,
                               const char* such_as) -> std::optional<Complaint> {
      if (!direction || direction->norm() > 1e-9) return {};
      const std::string path = fmt::format("target[{}].{}", i + 1, key);
      return Complaint{fmt::format("{} is zero; it must be a direction such as {}", path, such_as),
                       {path}};
    };
    if (auto heading = complaint(target.heading, "heading", "[1, 0, 0]")) return heading;
    if (auto up = complaint(target.up, "up", "[0, 1, 0]")) return up;
  }
  return {};
}

std::optional<Complaint> check_obstacles(const Course& course) {
  for (std::size_t i = 0; i < course.targets.size(); ++i) {
    Eigen::Vector3d position = course.targets[i].position;
    if (course.depth) position.y() = *course.depth;
    for (std::size_t k = 0; k < course.obstacles.size(); ++k) {
      const Obstacle& obstacle = course.obstacles[k];
      if ((position - obstacle.centre).norm() > obstacle.radius) continue;
      return Complaint{
          fmt::format(
              "target {} at {} lies inside obstacle {} (radius {:g} m at {}): move one of them",
              i + 1, where(position), k + 1, obstacle.radius, where(obstacle.centre)),
          {fmt::format("target[{}].position", i + 1)}};
    }
  }
  return {};
}

std::optional<Complaint> check_loop(const Course& course) {
  const std::size_t count = course.targets.size();
  if (!course.loop || count == 0 || count >= (course.spline ? 3U : 2U)) return {};
  return Complaint{
      fmt::format("a {} of {}: give at least {} targets or omit 'loop'",
                  course.spline ? "closed curve" : "loop",
                  count == 1 ? "one target" : "two targets", course.spline ? "three" : "two"),
      {"loop"}};
}

std::optional<Complaint> check_curve(const Course& course) {
  const std::vector<Target>& targets = course.targets;
  if (!course.spline) return {};
  for (std::size_t i = 0; i + 1 < targets.size() + (course.loop ? 1 : 0); ++i) {
    const std::size_t next = (i + 1) % targets.size();
    if (next == i) break;
    Eigen::Vector3d between = targets[next].position - targets[i].position;
    if (course.depth) between.y() = 0;
    if (between.norm() > 1e-6) continue;
    return Complaint{
        fmt::format("targets {} and {} of the curve coincide at {}{}: {}", i + 1, next + 1,
                    where(targets[i].position), course.depth ? " at the depth to hold" : "",
                    course.depth ? "remove one or omit 'depth'" : "remove one"),
        {fmt::format("target[{}].position", next + 1)}};
  }
  return {};
}

}  // namespace

const Fields<Course>& course_fields() {
  using S = Course;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::spline>("spline", "a smooth curve through the targets"),
          field<&S::loop>("loop", "continue with the first target after the last"),
          field<&S::depth>("depth", "y to hold").in("m").range(kPlaces).default_is("any"),
          settings::sections<&S::targets>("target", target_fields(),
                                          "places to swim to, one after the other"),
          settings::sections<&S::obstacles>("obstacle", obstacle_fields(), "a sphere to avoid"),
      }
          .rule(check_directions)
          .rule(check_obstacles)
          .rule(check_loop)
          .rule(check_curve);
  return fields;
}

Result<void> Course::validate() const {
  return course_fields().check(*this);
}

double clearance(const Body& body, std::span<const SegmentMotion> segments,
                 const Obstacle& obstacle) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < body.segments.size(); ++s) {
    const geometry::Box box = geometry::bounding_box(body.segments[s].surface.positions);
    const Eigen::Vector3d centre =
        segments[s].axes.transpose() * (obstacle.centre - segments[s].origin);
    const Eigen::Vector3d outside = (box.low - centre).cwiseMax(centre - box.high).cwiseMax(0);
    least = std::min(least, outside.norm() - obstacle.radius);
  }
  return least;
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
