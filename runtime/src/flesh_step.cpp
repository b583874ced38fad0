// SPDX-License-Identifier: Apache-2.0
#include "flesh.hpp"

#include <cstring>

namespace supple::player {
namespace {

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

  [[nodiscard]] bool turns() const {
    return m_object.settings.coriolis != 0 && m_flesh.coriolis != nullptr;
  }

  FleshState& m_flesh;
};

void FleshStep::step(double dt) {
  double h = 0;
  switch (begin(dt, h)) {
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

/// At rest where the bone is seen first; only a push moves the flesh.
void FleshStep::first_step(double h) {
  set_target(still(frame_of(m_player, m_index).rotation));
  if (m_object.has_pose) {
    settle(0);
    m_state.past = Past::Place;
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
  if (!turns() && !m_state.pushed && !m_state.was_pushed && m_state.behind > 0) {
    sweep(h);
  } else {
    move_whole(h);
  }
  end_pushes();
  keep_motion(h);
  m_state.behind = h / 2;
}

/// The same as move_whole() where nothing comes between its parts.
void FleshStep::sweep(double h) {
  const ModalState& o = m_state;
  const double* before = transition(o.behind);
  const double* after = transition(h / 2);
  settle(o.settled);
  kernels().sweep(before, after, o.lanes, modes(), o.target, o.q, o.q_dot, o.output);
}

void FleshStep::move_whole(double h) {
  ModalState& o = m_state;
  const Span before{o.behind > 0 ? transition(o.behind) : nullptr, o.was_pushed, o.last_push};
  const Span after{transition(h / 2), o.pushed, o.push};
  settle(o.settled);
  Coriolis coriolis(m_flesh.coriolis, m_file.mode_count, modes(), o.lanes, o.q_dot,
                    m_flesh.scratch);
  if (turns()) coriolis.prepare(m_motion.spin, (o.half_step + h / 2) / 2);
  if (turns()) coriolis.turn();
  if (before.rows != nullptr) advance(before);
  advance(after);
  if (turns()) coriolis.turn();
  look_ahead(after, turns() ? coriolis.nudged(h / 4) : o.q_dot);
}

}  // namespace

void step_flesh(supple_player& player, std::size_t object, double dt) {
  FleshStep(player, object).step(dt);
}

}  // namespace supple::player
