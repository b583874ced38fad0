// SPDX-License-Identifier: Apache-2.0
#include "shell_step.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr int kSettlingPasses = 600;  // towards where gravity holds a shell
constexpr int kLoadingPasses = 50;    // the first of them, while the load grows
constexpr double kSettled = 1e-7;     // of what is left to go, relative
constexpr double kLargestKick = 1.5;  // of h^2 times stiffness; above 2.6 a step would feed
constexpr int kMostPieces = 8;        // of a step
constexpr double kUsualSway = 0.3;    // of the most
constexpr int kHandleIterations = 3;

/// Even, so that as many lie before the frame as after it and the look ahead has half.
int pieces_of(double kick) {
  int pieces = 1;
  while (kick > kLargestKick * pieces * pieces && pieces < kMostPieces)
    pieces += pieces > 1 ? 2 : 1;
  return pieces;
}

}  // namespace

void ShellStep::set_target(const Drive& drive, const double* q) {
  ObjectState& o = m_state;
  m_kernels.target(m_constants, o.lanes, o.settings.modes, drive, o.target);
  find_point_forces(m_player, o, m_motion, q, o.q_dot);
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    o.target[k] += m_shell.point_force[k] * m_constants[kCompliance * o.lanes + k];
  }
}

void ShellStep::forget_drift() {
  std::memset(m_shell.drift, 0, m_state.lanes * sizeof(double));
}

/// The load grows, so that a soft shell hangs as if it had been lowered. Then it swings down with
/// masses that suit each mode's stiffness and each stops whenever it has swung past: nothing else
/// brakes it, and nothing feeds it.
void ShellStep::hang(const Drive& drive) {
  ObjectState& o = m_state;
  const std::size_t count = o.settings.modes;
  double* gamma = o.last_push;  // nothing of it is left to act
  double* goal = o.output;
  o.was_pushed = false;
  for (std::size_t k = 0; k < count; ++k) o.q[k] = o.q_dot[k] = 0;
  for (int pass = 0; pass < kSettlingPasses; ++pass) {
    const bool loading = pass < kLoadingPasses;
    set_target(drive, o.q);
    const double part = loading ? (pass + 1.0) / kLoadingPasses : 1;
    double* free = o.shifted;
    for (std::size_t k = 0; k < count; ++k) {
      const double stiffness = m_constants[kStiffness * o.lanes + k];
      gamma[k] = 1 / (stiffness + m_shell.load * m_shell.sway[k]);
      const double force = stiffness * (part * o.target[k] - o.q[k]);
      const double speed = force * o.q_dot[k] > 0 ? o.q_dot[k] : 0;
      free[k] = o.q[k] + speed + gamma[k] * force;
      goal[k] = held() ? o.q[k] : free[k];
    }
    if (held()) hold(m_player, m_index, o.pose, gamma, free, goal, kHandleIterations);
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

/// h^2 times the most stiffness that a shell's load gives one of its modes, as far as these are
/// softer than 2 / h: a stiffer one swings within the step and feels less of it.
double ShellStep::kick(double h) const {
  const ObjectState& o = m_state;
  if (o.settings.warp == 0) return 0;
  double most = 0;
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    const double soft = 1 + h * h / 4 * m_constants[kStiffness * o.lanes + k];
    const double stiffness = m_shell.sway[k] / soft;
    if (stiffness > most) most = stiffness;
  }
  return h * h * m_shell.load * most;
}

/// A soft shell that hangs or is flung is stiff because of its load, which the filter does not know
/// of: the same step in pieces, each with the force in its own middle, and so is the look ahead.
bool ShellStep::move_in_pieces(const Drive& drive, double h) {
  ObjectState& o = m_state;
  const double whole = o.behind + h / 2;
  const int pieces = pieces_of(kick(whole));
  if (pieces == 1) return false;
  settle(o.settled);
  const double length = whole / pieces;
  const Span before{transition(length / 2), o.was_pushed, o.last_push};
  const Span after{before.rows, o.pushed, o.push};
  for (int i = 0; i < pieces; ++i) move_piece(drive, length, i < pieces / 2 ? before : after);
  double* kept = kept_rows(m_player, o);
  double* const states[3] = {o.q, o.q_dot, m_shell.drift};
  const std::size_t bytes = o.lanes * sizeof(double);
  for (std::size_t i = 0; i < 3; ++i) std::memcpy(kept + i * o.lanes, states[i], bytes);
  const Span ahead{transition(h / 2 / pieces), o.pushed, o.push};
  for (int i = 0; i < pieces / 2; ++i) move_piece(drive, h / pieces, ahead);
  std::memcpy(o.output, o.q, bytes);
  for (std::size_t i = 0; i < 3; ++i) std::memcpy(states[i], kept + i * o.lanes, bytes);
  return true;
}

/// `span` is half of it.
void ShellStep::move_piece(const Drive& drive, double h, const Span& span) {
  look_ahead(span, m_state.q_dot);
  set_target(drive, m_state.output);
  cut_target(h);
  brake(span, span, h);
  advance(span);
  advance(span);
  damp(h);
}

/// Loads for which the most pieces are too few, hundreds of times its weight on a sheet of paper.
void ShellStep::cut_target(double h) {
  const double scale = kLargestKick / kick(h);
  if (!(scale < 1)) return;
  for (std::size_t k = 0; k < m_state.settings.modes; ++k) m_state.target[k] *= scale;
}

void ShellStep::damp(double h) {
  if (in_medium()) calm();
  if (m_state.settings.warp != 0) damp_sway(h);
}

/// A damping ratio is meant of the swinging that is seen. A load lets a soft shell swing faster
/// than its own stiffness, the only one that the filter knows: what that damps too little.
void ShellStep::damp_sway(double h) {
  ObjectState& o = m_state;
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    const double* constants = m_constants + k;
    const double stiffer =
        1 + kUsualSway * m_shell.load * m_shell.sway[k] * constants[kCompliance * o.lanes];
    const double more = constants[kDecay * o.lanes] * (__builtin_sqrt(stiffer) - 1);
    o.q_dot[k] /= 1 + 2 * h * more;
  }
}

/// As a force. The step is looked at without it first, and with it alone from rest.
void ShellStep::brake(const Span& before, const Span& after, double tau) {
  if (!in_medium()) return;
  ObjectState& o = m_state;
  const BrakeRows rows = brake_rows(m_player, o);
  const double* compliance = m_constants + kCompliance * o.lanes;
  const std::size_t count = o.settings.modes;
  std::memcpy(rows.speed, o.q, o.lanes * sizeof(double));
  std::memcpy(rows.force, o.q_dot, o.lanes * sizeof(double));
  std::memset(rows.gain, 0, o.lanes * sizeof(double));
  std::memset(rows.share, 0, o.lanes * sizeof(double));
  const auto look = [&](const Span& span) {
    m_kernels.advance(span.rows, o.lanes, count, pushed_target(span), rows.speed, rows.force);
    m_kernels.advance(span.rows, o.lanes, count, compliance, rows.gain, rows.share);
  };
  if (before.rows != nullptr) look(before);
  look(after);
  for (std::size_t k = 0; k < count; ++k) {
    rows.speed[k] = (rows.speed[k] - o.q[k]) / tau;
    rows.gain[k] = rows.gain[k] > 0 ? rows.gain[k] / tau : 0;
  }
  player::brake(m_player, o, rows);
  for (std::size_t k = 0; k < count; ++k) o.target[k] += rows.force[k] * compliance[k];
}

/// A force that is constant over a step turns speeds around that a heavy brake would have taken
/// away early in it. What is left then is the mean speed, where that has less energy.
void ShellStep::calm() {
  ObjectState& o = m_state;
  const BrakeRows rows = brake_rows(m_player, o);
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    const double mean = rows.speed[k];
    if (mean * mean >= o.q_dot[k] * o.q_dot[k]) continue;
    o.q_dot[k] += rows.share[k] * rows.share[k] * (mean - o.q_dot[k]);
  }
}

/// Implicit, so that it is stable at any h, with the turns of the step's begin,
///   d = 1 + h c + h^2 w^2,  q' <- (q' + h (f - w^2 q)) / d,  q <- q + h q',
/// and the handles on what comes out, where a modal force counts h^2 / d. Their iterations begin
/// where the shell is: from the free step, far back towards rest, they would never come round. What
/// a load stiffens beyond what such a step bears is in d too.
void ShellStep::move_held(double h) {
  ObjectState& o = m_state;
  const std::size_t count = o.settings.modes;
  const double* target = pushed_target({nullptr, o.pushed, o.push});
  double* gamma = o.last_push;  // free until the pushes end
  double* free = o.output;
  for (std::size_t k = 0; k < count; ++k) {
    const double stiffness = m_constants[kStiffness * o.lanes + k];
    const double loaded = h * h * m_shell.load * m_shell.sway[k] - 1;
    const double d =
        1 + h * (2 * m_constants[kDecay * o.lanes + k] + h * stiffness) + (loaded > 0 ? loaded : 0);
    gamma[k] = h * h / d;
    free[k] = o.q[k] + h * (o.q_dot[k] + h * stiffness * (target[k] - o.q[k])) / d;
  }
  if (in_medium()) brake_held(h, gamma, free);
  double* before = o.shifted;  // the target is not needed any more
  std::memcpy(before, o.q, count * sizeof(double));
  hold(m_player, m_index, o.pose, gamma, free, o.q, kHandleIterations);
  for (std::size_t k = 0; k < count; ++k) {
    o.q_dot[k] = (o.q[k] - before[k]) / h;
    o.output[k] = o.q[k];
  }
  limit_turning(m_player, m_index, o.settings.max_spin, o.q_dot);
}

/// The medium's part in that.
void ShellStep::brake_held(double h, const double* gamma, double* free) {
  ObjectState& o = m_state;
  const BrakeRows rows = brake_rows(m_player, o);
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    rows.speed[k] = (free[k] - o.q[k]) / h;
    rows.gain[k] = gamma[k] / h;
  }
  player::brake(m_player, o, rows);
  for (std::size_t k = 0; k < o.settings.modes; ++k) free[k] += gamma[k] * rows.force[k];
}

}  // namespace supple::player
