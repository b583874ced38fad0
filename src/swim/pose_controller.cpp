// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/pose_graph.hpp"

#include "supple/core/check.hpp"

#include <algorithm>
#include <cmath>

namespace supple::swim {
namespace {

/// From 0 to 1 with zero rate at both ends, so that servos are not jerked.
double smooth_step(double t) {
  return t * t * (3 - 2 * t);
}

}  // namespace

PoseController::PoseController(const PoseGraph& graph) : m_graph(&graph) {
  SUPPLE_CHECK(graph.start < graph.poses.size());
  m_pose = graph.start;
  m_cycle_start = graph.cycle().front();
  m_in_cycle = m_pose == m_cycle_start;
}

void PoseController::command(std::string_view name) {
  if (std::ranges::find(m_commands, name) == m_commands.end()) m_commands.emplace_back(name);
}

std::optional<std::size_t> PoseController::called_away(const Swimmer& swimmer) {
  for (const Transition& transition : m_graph->poses[m_pose].transitions) {
    switch (transition.on) {
      case Transition::On::Time:
        break;
      case Transition::On::Event:
        if (transition.when.holds(swimmer, m_targets)) return transition.to;
        break;
      case Transition::On::Command:
        if (std::erase(m_commands, transition.command) > 0) return transition.to;
        break;
    }
  }
  return std::nullopt;
}

void PoseController::enter(std::size_t pose) {
  m_pose = pose;
  m_from = m_targets;
  m_commands.clear();
  if (pose != m_cycle_start) return;
  if (m_in_cycle) ++m_cycles;
  m_in_cycle = true;
}

void PoseController::set_targets(const Body& body, const std::array<double, kTurns>& turns) {
  const Pose& pose = m_graph->poses[m_pose];
  const double t = pose.blend > 0 ? std::min(m_elapsed / pose.blend, 1.0) : 1.0;
  const double weight = smooth_step(t);
  for (std::size_t j = 0; j < m_targets.size(); ++j) {
    double goal = pose.angles[j];
    for (std::size_t i = 0; i < kTurns; ++i) {
      const Eigen::MatrixXd& matrix = m_graph->perturbations[i];
      if (turns[i] == 0 || matrix.size() == 0) continue;
      goal += turns[i] * matrix(static_cast<Eigen::Index>(m_pose), static_cast<Eigen::Index>(j));
    }
    goal = std::clamp(goal, body.joints[j].low, body.joints[j].high);
    m_targets[j] = m_from[j] + weight * (goal - m_from[j]);
  }
}

const std::vector<double>& PoseController::advance(const Swimmer& swimmer, double seconds,
                                                   const std::array<double, kTurns>& turns) {
  if (m_targets.empty()) {
    m_targets.assign(swimmer.angles().begin(), swimmer.angles().end());
    m_from = m_targets;
  } else if (const auto to = called_away(swimmer)) {
    m_elapsed = 0;
    enter(*to);
  }
  m_elapsed += seconds / 2;
  while (m_elapsed >= m_graph->poses[m_pose].duration) {
    m_elapsed -= m_graph->poses[m_pose].duration;
    enter(m_graph->next_on_time(m_pose));
  }
  set_targets(swimmer.body(), turns);
  m_elapsed += seconds / 2;
  return m_targets;
}

}  // namespace supple::swim
