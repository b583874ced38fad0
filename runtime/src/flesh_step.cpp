// SPDX-License-Identifier: Apache-2.0
#include "flesh.hpp"

#include <cstring>

namespace supple::player {
namespace {

/// 1 for three equal steps, 0 where a neighbour differs from the middle one by a quarter or more.
double evenness(double a, double middle, double b) {
  const auto gap = [middle](double h) { return h > middle ? h - middle : middle - h; };
  const double widest = gap(a) > gap(b) ? gap(a) : gap(b);
  return 4 * widest < middle ? 1 - 4 * widest / middle : 0;
}

class FleshStep : public ModalStep {
 public:
  FleshStep(supple_player& player, std::size_t object)
      : ModalStep(player, object, flesh_of(player, object)), m_flesh(flesh_of(player, object)) {}

  void step(double dt);

 private:
  SUPPLE_FOR_SIZE void first_step(double h);
  SUPPLE_FOR_SIZE void pause(double h);
  SUPPLE_FOR_SIZE void teleport();
  void move(double h);
  void sweep(double h);
  SUPPLE_FOR_SIZE void move_whole(double h);
  void refine(double h);
  void keep_target(double h);

  [[nodiscard]] bool turns() const {
    return m_object.settings.coriolis != 0 && m_flesh.coriolis != nullptr;
  }

  FleshState& m_flesh;
};

void FleshStep::step(double dt) {
  double h = 0;
  const Phase phase = begin(dt, h);
  if (phase != Phase::Move && phase != Phase::Wait) m_flesh.known = 0;
  switch (phase) {
    case Phase::Wait:
      return;
    case Phase::First:
      first_step(h);
      break;
    case Phase::Pause:
      pause(h);
      break;
    case Phase::Teleport:
      teleport();
      break;
    case Phase::Move:
      move(h);
      break;
  }
  m_state.last_pose = m_object.pose;
  finish(show(m_object.settings.gain, m_object.settings.limit_metres));
}

/// Where the bone's first motion holds it, which is at rest if none was set; only a push moves the
/// flesh.
void FleshStep::first_step(double h) {
  set_target(begun(frame_of(m_player, m_index).rotation));
  if (m_object.has_pose) {
    settle(0);
    keep_begun();
  }
  relax(h);
}

void FleshStep::pause(double h) {
  set_target(still(m_object.pose.rotation));
  settle(m_state.settled);
  catch_up();
  drop_past();
  relax_for_pause(h);
}

void FleshStep::teleport() {
  set_target(still(m_object.pose.rotation));
  settle(0);
  drop_past();
  end_pushes();
  std::memcpy(m_state.output, m_state.q, m_state.lanes * sizeof(double));
}

/// The usual step: from half a step before the last frame to half a step after it, with the force
/// in the middle, which is centred because velocities are known at both ends. Then half a step
/// ahead to the frame itself, which is looked at but not kept.
void FleshStep::move(double h) {
  set_target(moving(h));
  if (m_state.settled != modes()) m_flesh.known = 0;
  settle(m_state.settled);
  refine(h);
  if (!turns() && !m_state.pushed && !m_state.was_pushed && m_state.behind > 0) {
    sweep(h);
  } else {
    move_whole(h);
  }
  end_pushes();
  // Without a velocity before, the acceleration is a guess and no part of the motion.
  if (m_state.past == Past::Motion) keep_target(h);
  keep_motion(h);
  m_state.behind = h / 2;
}

/// A force that is differenced from positions and held for a step is its mean over a while:
/// (sin x / x)^3 at x = pi f h, which is short of it by (2 pi f h)^2 / 8 or h^2 / 8 times its
/// second derivative. That is known one step later, and made up for then. Where steps are uneven
/// the differences say other things too. The look ahead goes where the force is heading: straight
/// on, bent a third as much as a parabola, and less far at low frame rates, where most of a
/// difference is a swing that turns back. Both numbers are the best of a search, see
/// docs/player.md; no others would make stiff flesh right at 30 frames per second.
void FleshStep::refine(double h) {
  constexpr double kShort = 1.0 / 8;
  constexpr double kCurve = 1.0 / 3;
  constexpr double kSwing = 8;  // rad/s
  FleshState& o = m_flesh;
  if (o.known == 0) {
    std::memcpy(o.ahead, o.target, o.lanes * sizeof(double));
    return;
  }
  const bool whole = o.known == 2 && o.behind > 0;
  const double even = whole ? evenness(h, o.steps[0], o.steps[1]) : 0;
  const Refinement by{.share = kShort * even * o.steps[0],
                      .slope = 1 / (1 + (kSwing * h) * (kSwing * h)),
                      .curve = kCurve * even};
  const double* rows = transition(o.behind > 0 ? o.behind : h / 2);
  kernels().refine(m_constants, rows, o.lanes, modes(), by, o.target, o.targets[0],
                   whole ? o.targets[1] : o.targets[0], o.q, o.q_dot, o.ahead);
}

void FleshStep::keep_target(double h) {
  FleshState& o = m_flesh;
  double* oldest = o.targets[1];
  o.targets[1] = o.targets[0];
  o.targets[0] = oldest;
  std::memcpy(oldest, o.target, o.lanes * sizeof(double));
  o.steps[1] = o.steps[0];
  o.steps[0] = h;
  if (o.known < 2) ++o.known;
}

/// The same as move_whole() where nothing comes between its parts.
void FleshStep::sweep(double h) {
  const ModalState& o = m_state;
  const double* before = transition(o.behind);
  const double* after = transition(h / 2);
  kernels().sweep(before, after, o.lanes, modes(), o.target, m_flesh.ahead, o.q, o.q_dot, o.output);
}

void FleshStep::move_whole(double h) {
  ModalState& o = m_state;
  const Span before{o.behind > 0 ? transition(o.behind) : nullptr, o.was_pushed, o.last_push};
  const Span after{transition(h / 2), o.pushed, o.push};
  Coriolis coriolis(m_flesh.coriolis, m_file.mode_count, modes(), o.lanes, o.q_dot,
                    m_flesh.scratch);
  if (turns()) coriolis.prepare(m_motion.spin, (o.half_step + h / 2) / 2);
  if (turns()) coriolis.turn();
  if (before.rows != nullptr) advance(before);
  advance(after);
  if (turns()) coriolis.turn();
  look_ahead(after, m_flesh.ahead, turns() ? coriolis.nudged(h / 4) : o.q_dot);
}

}  // namespace

void step_flesh(supple_player& player, std::size_t object, double dt) {
  FleshStep(player, object).step(dt);
}

}  // namespace supple::player
