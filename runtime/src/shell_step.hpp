// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modal_step.hpp"
#include "shell.hpp"

namespace supple::player {

/// What a shell's step has beside that of flesh. Contract of all of it: the object is a shell.
class ShellStep : public ModalStep {
 public:
  ShellStep(const ModalStep& modes, const FrameMotion& motion)
      : ModalStep(modes), m_shell(*m_state.shell), m_motion(motion) {}

  using ModalStep::Span;

  /// As flesh has it, and what acts along the shell, bent as q says.
  void set_target(const Drive& drive, const double* q);
  /// To where a bent shell is in balance, with its handles.
  void hang(const Drive& drive);

  /// The whole step and the look ahead, in as many pieces as the load wants. False, and nothing is
  /// done, where that is one. Contract: the target is set.
  [[nodiscard]] bool move_in_pieces(const Drive& drive, double h);
  /// What the medium takes from the coming step of `tau` seconds goes into the target.
  void brake(const Span& before, const Span& after, double tau);
  /// After a step of so many seconds.
  void damp(double h);

  /// A step with handles. Contract: the state stands at the last frame, and the target is set.
  void move_held(double h);

  void forget_drift();

 private:
  [[nodiscard]] bool in_medium() const { return m_shell.density > 0; }
  [[nodiscard]] double kick(double h) const;
  void cut_target(double h);
  void move_piece(const Drive& drive, double h, const Span& span);
  void calm();
  void damp_sway(double h);
  void brake_held(double h, const double* gamma, double* free);

  ShellState& m_shell;
  const FrameMotion& m_motion;
};

}  // namespace supple::player
