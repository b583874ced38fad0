// SPDX-License-Identifier: Apache-2.0
#include "shell_bound.hpp"
#include "shell_step.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr int kSettlingPasses = 600;  // towards where gravity holds a shell
constexpr int kLoadingPasses = 50;    // the first of them, while the load grows
constexpr double kSettled = 1e-7;     // of what is left to go, relative
constexpr int kHandleIterations = 3;

}  // namespace

/// The load grows, so that a soft shell hangs as if it had been lowered. Then it swings down with
/// masses that suit each mode's stiffness and each stops whenever it has swung past: nothing else
/// brakes it, and nothing feeds it.
void ShellStep::hang(const Drive& drive) {
  ModalState& o = m_state;
  const std::size_t count = modes();
  double* gamma = m_commons.gamma;
  double* goal = m_commons.goal;
  double* free = m_commons.free;
  o.was_pushed = false;
  for (std::size_t k = 0; k < count; ++k) o.q[k] = o.q_dot[k] = 0;
  for (int pass = 0; pass < kSettlingPasses; ++pass) {
    const bool loading = pass < kLoadingPasses;
    set_target(drive, o.q);
    const double part = loading ? (pass + 1.0) / kLoadingPasses : 1;
    for (std::size_t k = 0; k < count; ++k) {
      const double stiffness = m_constants[kStiffness * o.lanes + k];
      gamma[k] = 1 / (stiffness + m_shell.load * m_shell.sway[k]);
      const double force = stiffness * (part * o.target[k] - o.q[k]);
      const double speed = force * o.q_dot[k] > 0 ? o.q_dot[k] : 0;
      free[k] = o.q[k] + speed + gamma[k] * force;
      goal[k] = held() ? o.q[k] : free[k];
    }
    if (held()) hold(m_player, m_index, m_object.pose, gamma, free, goal, kHandleIterations, 1);
    double away = 0;
    double size = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const double step = goal[k] - o.q[k];
      away += step * step / gamma[k];
      size += goal[k] * goal[k] / gamma[k];
      o.q[k] = goal[k];
      o.q_dot[k] = step;
    }
    if (!loading && away <= kSettled * kSettled * size) break;
  }
  std::memset(o.q_dot, 0, o.lanes * sizeof(double));
  set_target(drive, o.q);
  std::memset(o.output, 0, o.lanes * sizeof(double));
  std::memcpy(o.output, o.q, count * sizeof(double));
}

/// Implicit, so that it is stable at any h, with the turns of the step's begin,
///   d = 1 + h c + h^2 w^2,  q' <- (q' + h (f - w^2 q)) / d,  q <- q + h q',
/// and the handles on what comes out, where a modal force counts h^2 / d. Their iterations begin
/// where the shell is: from the free step, far back towards rest, they would never come round. What
/// a load stiffens beyond what such a step bears is in d too.
void ShellStep::solve_held(double h) {
  ModalState& o = m_state;
  const std::size_t count = modes();
  const double* target = pushed_target({nullptr, o.pushed, o.push});
  double* gamma = m_commons.gamma;
  double* free = m_commons.free;
  for (std::size_t k = 0; k < count; ++k) {
    const double stiffness = m_constants[kStiffness * o.lanes + k];
    const double loaded = h * h * m_shell.load * m_shell.sway[k] - 1;
    const double d =
        1 + h * (2 * m_constants[kDecay * o.lanes + k] + h * stiffness) + (loaded > 0 ? loaded : 0);
    gamma[k] = h * h / d;
    free[k] = o.q[k] + h * (o.q_dot[k] + h * stiffness * (target[k] - o.q[k])) / d;
  }
  if (in_medium()) brake_held(h);
  double* before = m_commons.before;
  std::memcpy(before, o.q, count * sizeof(double));
  hold(m_player, m_index, m_object.pose, gamma, free, o.q, kHandleIterations,
       ShellBound(m_player, m_index).reach(h));
  for (std::size_t k = 0; k < count; ++k) {
    o.q_dot[k] = (o.q[k] - before[k]) / h;
    o.output[k] = o.q[k];
  }
  limit_turning(m_player, m_index, m_object.settings.max_spin, o.q_dot);
}

/// The medium's part in that.
void ShellStep::brake_held(double h) {
  const double* gamma = m_commons.gamma;
  double* free = m_commons.free;
  ModalState& o = m_state;
  const BrakeRows& rows = m_commons.brake;
  for (std::size_t k = 0; k < modes(); ++k) {
    rows.speed[k] = (free[k] - o.q[k]) / h;
    rows.gain[k] = gamma[k] / h;
  }
  player::brake(m_player, m_index);
  for (std::size_t k = 0; k < modes(); ++k) free[k] += gamma[k] * rows.force[k];
}

}  // namespace supple::player
