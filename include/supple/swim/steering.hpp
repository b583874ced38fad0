// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/pose_graph.hpp"
#include "supple/swim/swimmer.hpp"

#include <Eigen/Core>

#include <array>
#include <optional>
#include <vector>

namespace supple::swim {

struct Obstacle {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0;
};

/// Where to be and, if asked for, which way to look (x of the trunk) and what is up (its y) there.
struct Target {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  std::optional<Eigen::Vector3d> heading;
  double reach = 0.5;  ///< m: the centre of mass so near counts as there
};

struct Course {
  std::vector<Target> targets;  ///< one after the other
  bool spline = false;          ///< through them as a smooth curve (Catmull-Rom), else straight
  bool loop = false;            ///< after the last the first again
  std::optional<double> depth;  ///< y to hold
  std::vector<Obstacle> obstacles;

  /// Targets inside obstacles, numbers that are none, ...
  [[nodiscard]] Result<void> validate() const;
};

/// [MMY section 4.3]: turns what a course asks for into the k of the six perturbations.
class Steering {
 public:
  Steering(const PoseGraph& graph, Course course);

  /// The k for the next step.
  const std::array<double, kTurns>& advance(const Swimmer& swimmer, double seconds);
  [[nodiscard]] std::size_t reached() const { return m_reached; }  ///< targets, rounds included
  [[nodiscard]] bool done() const;
  [[nodiscard]] Eigen::Vector3d aim() const { return m_aim; }  ///< the point it swims to now

 private:
  const PoseGraph* m_graph;
  Course m_course;
  std::size_t m_reached = 0;
  Eigen::Vector3d m_aim = Eigen::Vector3d::Zero();
  std::array<double, kTurns> m_turns{};
  Eigen::Vector3d m_heading = Eigen::Vector3d::Zero();  ///< of the trunk, mean over a cycle
};

/// Keys that push the target aside; released, it returns before the swimmer over some seconds.
/// [MMY section 4.3]
class KeySteering {
 public:
  explicit KeySteering(const PoseGraph& graph);

  /// Each -1, 0 or 1: what is held down now.
  void hold(int up, int left, int roll_left);
  const std::array<double, kTurns>& advance(const Swimmer& swimmer, double seconds);
  [[nodiscard]] Eigen::Vector3d aim() const { return m_aim; }

 private:
  const PoseGraph* m_graph;
  Eigen::Vector3d m_held = Eigen::Vector3d::Zero();
  Eigen::Vector3d m_offset = Eigen::Vector3d::Zero();
  Eigen::Vector3d m_aim = Eigen::Vector3d::Zero();
  std::array<double, kTurns> m_turns{};
};

/// Finds six perturbations for a stroke: disturbs groups of joints one by one, measures the turn
/// rates over whole cycles, and combines what turns purely. Deterministic; parallel.
[[nodiscard]] Result<PoseGraph> find_perturbations(PoseGraph graph, const Body& body,
                                                   const WaterSettings& water);

}  // namespace supple::swim
